"""The canary stays caged behind all fences, and escapes as soon as one is left out."""

from __future__ import annotations

import dataclasses

import pytest

from arena.sandbox import canary
from arena.sandbox.config import SandboxConfig
from arena.sandbox.forkserver import ForkServer
from arena.sandbox.layers import Layers

pytestmark = pytest.mark.sandbox

# The fence that is left out, and the attempts that notice.
NOTICED_BY = {
    "root": {"host_files"},
    "network": {"namespaces"},
    "processes": {"processes"},
    "capabilities": {"outside", "capabilities"},
    "landlock": {"writes"},
    "limits": {"memory", "limits", "threads"},
    "seccomp": {"outside", "sockets", "processes", "forbidden_calls"},
}


def test_stays_caged(fork_server: ForkServer) -> None:
    assert canary.run(fork_server) == []


def test_every_layer_is_looked_at() -> None:
    assert set(NOTICED_BY) == {field.name for field in dataclasses.fields(Layers)}


@pytest.mark.parametrize("layer", NOTICED_BY)
def test_notices_a_missing_layer(config: SandboxConfig, layer: str) -> None:
    bare = dataclasses.replace(config, preload=())
    with ForkServer(bare, layers=Layers(**{layer: False})) as weakened:
        assert NOTICED_BY[layer] <= {escape.attempt for escape in canary.run(weakened)}
