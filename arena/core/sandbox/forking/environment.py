"""Set up the files that a fork server and its bots can see, depending on the mode.

Invariants:
- In the mode with namespaces, no path of the host exists. In the other mode, the host's paths exist, but a bot can read
  only the paths that it needs, and write only to its scratch folder, if it has one.
- Of the arena's code, a bot sees only the package of the entry point and the packages of the games; their parent
  packages are empty in both modes.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import CodeType, FunctionType, ModuleType

from arena.core.sandbox.config import Mode
from arena.core.sandbox.forking import runtime
from arena.core.sandbox.forking.server_config import ServerConfig
from arena.core.sandbox.isolation import landlock, namespaces, scratch_folder, seccomp, syscalls
from arena.core.sandbox.jail import jail, root

_SHOWN_FILE = "<arena>"


def enter_environment(config: ServerConfig, proc: int) -> jail.Isolation:
    """Become the unprivileged user and enter the environment in which bots will run. Raises OSError."""
    return _enter_namespaces(config, proc) if config.mode is Mode.NAMESPACES else _enter_landlock(config, proc)


def _root_mounts(config: ServerConfig) -> list[root.MountSource]:
    """Return the mounts for the root file system."""
    sources = [root.MountSource(str(path), str(path)) for path in runtime.visible_folders()]
    sources += [root.MountSource(None, str(path)) for path in runtime.hidden_folders()]
    sources += [root.MountSource(path, f"/libs/{number}") for number, path in enumerate(config.libraries)]
    sources += [
        root.MountSource(folder, str(Path(root.SDK, *package))) for package, folder in config.visible_packages.items()
    ]
    sources += [root.MountSource(device, device) for device in root.DEVICES]
    if not config.layers.root:
        sources += [root.MountSource(path, path) for path in ("/etc", "/proc", "/sys")]
    return sources


def _enter_namespaces(config: ServerConfig, proc: int) -> jail.Isolation:
    sources = _root_mounts(config)
    empty_packages = [str(Path(root.SDK, *package)) for package in config.outer_packages]
    who, layers = config.identity, config.layers
    own_ids = namespaces.enter_namespaces(proc, who, layers, lambda: root.enter_root(sources, empty_packages))
    libraries = [source.path for source in sources if source.path.startswith("/libs/")]
    sys.path[:] = [*runtime.import_path(), *libraries, root.SDK]
    # The SDK folder's rule covers its contents: each additional rule slows down every bot's start.
    readable = [source.path for source in sources if source.host and not source.path.startswith(f"{root.SDK}/")]
    access = landlock.AccessiblePaths((*readable, root.SDK), (root.SCRATCH, "/dev/null"))
    program = seccomp.build_filter(syscalls.MACHINE, 1)
    return jail.Isolation(layers, True, access, lambda _: program, proc, own_ids)


def _enter_landlock(config: ServerConfig, proc: int) -> jail.Isolation:
    abi = syscalls.landlock_abi()
    if abi < landlock.ABI_WITHOUT_NAMESPACES:
        least = landlock.ABI_WITHOUT_NAMESPACES
        raise OSError(f"without namespaces, Landlock version {least} or later is required; this kernel has {abi}")
    readable = [
        *(str(path) for path in runtime.visible_folders()),
        *config.libraries,
        *config.visible_packages.values(),
        *root.DEVICES,
    ]
    config.identity.assume()
    for path in readable:
        if not os.access(path, os.R_OK):
            raise PermissionError(
                f"user {os.getuid()} cannot read {path}, but without namespaces bots run as this user. Install Python "
                "and the arena where every user can read them, or run the worker as the user who owns them"
            )
    sys.path[:] = [*runtime.import_path(), *config.libraries, config.harness]
    for package, folders in sorted(config.outer_packages.items()):  # parents first
        placeholder = ModuleType(".".join(package))
        placeholder.__path__ = folders
        sys.modules[placeholder.__name__] = placeholder
        if len(package) > 1:
            setattr(sys.modules[".".join(package[:-1])], package[-1], placeholder)
    access = landlock.AccessiblePaths(tuple(readable), ("/dev/null",))
    return jail.Isolation(
        config.layers, False, access, lambda process: seccomp.build_filter(syscalls.MACHINE, process), proc
    )


def why_no_scratch_folder(config: ServerConfig) -> str | None:
    """Return why bots get no writable folder, or None if they get one. Call this as the bots' user."""
    if config.mode is Mode.NAMESPACES:
        return None
    if config.bot_folders is None:
        return "no location for bot folders is configured"
    try:
        scratch_folder.check_support(config.bot_folders)
    except OSError as error:
        return str(error)
    return None


def unload_arena_modules(config: ServerConfig) -> None:
    """Unload the arena's modules after the last import, and clear cached locations that bots cannot read.

    Done once in the server rather than in each bot: unloading takes a tenth of a bot's start time.
    """
    for name in [name for name in sys.modules if name.partition(".")[0] == "arena"]:
        del sys.modules[name]
    if config.mode is Mode.LANDLOCK:
        sys.path.remove(config.harness)
        sys.path_importer_cache.clear()


def hide_frame_paths(*modules: ModuleType) -> None:
    """Hide the installation's paths from faulthandler's output in a bot's log.

    Renames the file in all functions and methods of these modules. Frames that are already running keep their file
    names.
    """
    for module in modules:
        for value in vars(module).values():
            members = vars(value).values() if isinstance(value, type) else (value,)
            for member in members:
                if isinstance(member, FunctionType) and member.__module__ == module.__name__:
                    member.__code__ = _replace_filename(member.__code__)


def _replace_filename(code: CodeType) -> CodeType:
    constants = tuple(_replace_filename(one) if isinstance(one, CodeType) else one for one in code.co_consts)
    return code.replace(co_filename=_SHOWN_FILE, co_consts=constants)
