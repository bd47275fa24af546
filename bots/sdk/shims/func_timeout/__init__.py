"""Shim for the package func_timeout; bots import it by its bare name, so its modules use relative imports."""

from .dafunc import func_set_timeout, func_timeout
from .exceptions import FunctionTimedOut

__all__ = ["FunctionTimedOut", "func_set_timeout", "func_timeout"]
