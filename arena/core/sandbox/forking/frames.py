"""Keeps the paths of the installation out of what faulthandler prints into a bot's log.

Invariant: the functions stay what they are; only the name of the file that their frames show is another one.
"""

from __future__ import annotations

from types import CodeType, FunctionType, ModuleType

_SHOWN = "<arena>"


def conceal(*modules: ModuleType) -> None:
    """Rename the frames of all functions and methods that these modules define. Frames that run already keep theirs."""
    for module in modules:
        for value in vars(module).values():
            members = vars(value).values() if isinstance(value, type) else (value,)
            for member in members:
                if isinstance(member, FunctionType) and member.__module__ == module.__name__:
                    member.__code__ = _renamed(member.__code__)


def _renamed(code: CodeType) -> CodeType:
    constants = tuple(_renamed(one) if isinstance(one, CodeType) else one for one in code.co_consts)
    return code.replace(co_filename=_SHOWN, co_consts=constants)
