"""Processes with a fixed memory layout iterate over sets in the same order, even if their items hash by address."""

from __future__ import annotations

import subprocess
import sys

import pytest

from arena.core.memory_layout import fixed_layout

PROGRAM = "print(id(None), id(int), [*{len, int, None, str, print, dict, (None, 1)}])"


def order() -> str:
    return subprocess.run([sys.executable, "-S", "-c", PROGRAM], check=True, capture_output=True, text=True).stdout


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets a process fix its layout")
def test_processes_share_addresses_and_this_one_keeps_its_setting() -> None:
    with fixed_layout() as is_fixed:
        orders = {order() for _ in range(3)}
    if not is_fixed:
        pytest.skip("this container forbids it")
    assert len(orders) == 1
    assert order() not in orders
