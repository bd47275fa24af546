"""Each bot runs under its own host UID if the machine permits it."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path

import pytest

from arena.core.sandbox.config import Mode
from arena.core.sandbox.isolation.user_ids import COUNT, FIRST_INSIDE, IdPool
from arena.core.sandbox.machine.probe import CapabilityName, probe_capabilities
from arena.core.sandbox.supervision.forkserver import ForkServer
from tests.core.sandbox.jailed_bots import jailed_bot


def host_user_ids(process: int, kind: str) -> set[int]:
    """Return a process's real, effective, saved and file system ids as seen by the host; ``kind``: Uid or Gid."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return {int(word) for line in lines if line.startswith(f"{kind}:") for word in line.split()[1:]}


@pytest.mark.long
@pytest.mark.sandbox
def test_each_bot_runs_as_its_own_user_where_permitted(fork_server: ForkServer) -> None:
    """Where permitted, the bots of a large table run as separate users; inside their jails, all see the same ids."""
    granted = {found.name: found.present for found in probe_capabilities(fork_server.config)}[CapabilityName.OWN_IDS]
    with ExitStack() as stack:
        bots = [
            stack.enter_context(jailed_bot(fork_server, "send([os.getuid(), os.getgid()]); signal.pause()"))
            for _ in range(8)
        ]
        reported = [bot.receive() for bot in bots]
        users = [host_user_ids(bot.process.process_id, "Uid") for bot in bots]
        groups = [host_user_ids(bot.process.process_id, "Gid") for bot in bots]
    assert all(len(user) == 1 for user in users + groups), "nothing of another user is left"
    different = len(set().union(*users))
    if fork_server.mode is Mode.NAMESPACES and granted:
        assert different == len(bots) == len(set().union(*groups))
        assert min(set().union(*users, *groups)) > 1_000_000_000
        assert reported == [[1000, 1000]] * len(bots)
    else:
        assert different == 1
    assert 0 not in set().union(*users, *groups)


@pytest.mark.long
@pytest.mark.sandbox
@pytest.mark.skipif(os.geteuid() != 0, reason="only root has many users to give")
def test_two_fork_servers_draw_different_users(fork_server: ForkServer) -> None:
    if fork_server.mode is not Mode.NAMESPACES:
        pytest.skip("only namespaces map users")
    with ForkServer(fork_server.config) as other, ExitStack() as stack:
        bots = [stack.enter_context(jailed_bot(server, "send(0); signal.pause()")) for server in (fork_server, other)]
        for bot in bots:
            bot.receive()  # the bot's user is set by then
        users = [host_user_ids(bot.process.process_id, "Uid") for bot in bots]
    assert users[0] != users[1]


def test_id_is_reused_only_after_release() -> None:
    pool = IdPool(3)
    assert [pool.take_id() for _ in range(4)] == [FIRST_INSIDE, FIRST_INSIDE + 1, FIRST_INSIDE + 2, None]
    pool.release_id(FIRST_INSIDE + 1)
    pool.release_id(None)
    pool.release_id(FIRST_INSIDE)
    assert [pool.take_id() for _ in range(3)] == [FIRST_INSIDE + 1, FIRST_INSIDE, None]


def test_pool_without_mapped_ids_is_empty() -> None:
    assert IdPool(0).take_id() is None


def test_pool_has_enough_ids_for_any_table_size() -> None:
    assert COUNT >= 2 * 200
