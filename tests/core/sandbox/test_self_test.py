"""The self-test passes with all isolation mechanisms and finds an escape as soon as one mechanism is removed."""

from __future__ import annotations

import dataclasses

import pytest

from arena.core.sandbox import self_test
from arena.core.sandbox.config import Mode, SandboxConfig
from arena.core.sandbox.isolation import Layers
from arena.core.sandbox.supervision.forkserver import ForkServer
from tests.core.sandbox.configs import MODES

pytestmark = pytest.mark.sandbox

# The mechanism that is disabled, and the attempts that detect it.
NOTICED_BY = {
    Mode.NAMESPACES: {
        "root": {"host_files"},
        "network": {"namespaces"},
        "processes": {"processes"},
        "capabilities": {"outside", "capabilities"},
        "landlock": {"writes"},
        "limits": {"memory", "limits", "threads"},
        "seccomp": {"outside", "sockets", "processes", "forbidden_calls"},
    },
    # test_ordinary_user.py tests with capabilities kept, with a worker that has capabilities.
    Mode.LANDLOCK: {
        "landlock": {"host_files", "writes"},
        "limits": {"memory", "limits", "threads"},
        "seccomp": {"sockets", "processes", "forbidden_calls", "threads"},
    },
}
NAMESPACES_ONLY = {"root", "network", "processes"}
CASES = [
    pytest.param(mode, layer, marks=[] if layer == "seccomp" else pytest.mark.long)
    for mode in MODES
    for layer in NOTICED_BY[mode]
]


def test_self_test_finds_no_escapes(fork_server: ForkServer) -> None:
    assert self_test.run_self_test(fork_server) == []


def test_every_layer_is_tested() -> None:
    layers = {field.name for field in dataclasses.fields(Layers)}
    assert set(NOTICED_BY[Mode.NAMESPACES]) == layers
    assert set(NOTICED_BY[Mode.LANDLOCK]) == layers - NAMESPACES_ONLY - {"capabilities"}


@pytest.mark.parametrize(("config", "layer"), CASES, indirect=["config"])
def test_missing_layer_is_detected(config: SandboxConfig, layer: str) -> None:
    bare = dataclasses.replace(config, preload=())
    with ForkServer(bare, layers=Layers(**{layer: False})) as weakened:
        assert NOTICED_BY[config.mode.effective_mode][layer] <= {
            escape.attempt for escape in self_test.run_self_test(weakened)
        }
