"""Determine whether other devices can reach a page at the address in the browser.

Links and QR codes contain that address. If it works only on this machine, or only with local name resolution, students'
phones cannot open it.
"""

from __future__ import annotations

from enum import StrEnum
from ipaddress import IPv6Address, ip_address


class Reach(StrEnum):
    """The set of devices that can open an address."""

    OTHERS = "others"  # apparently everybody
    THIS_MACHINE = "this_machine"  # loopback or unspecified address
    NEIGHBOURS = "neighbours"  # link-local addresses and names: at best, machines on the same network


_NEIGHBOURS = (".local", ".lan", ".home", ".internal", ".localdomain")


def classify_host(host: str) -> Reach:
    """Classify ``host``, given as in a ``Host`` header: a name or an address, optionally with a port."""
    name = _without_port(host.strip().lower()).rstrip(".")
    try:
        address = ip_address(name.partition("%")[0])
    except ValueError:
        return _reach_of_name(name)
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    if address.is_loopback or address.is_unspecified:
        return Reach.THIS_MACHINE
    return Reach.NEIGHBOURS if address.is_link_local else Reach.OTHERS


def _reach_of_name(name: str) -> Reach:
    if name == "localhost" or name.endswith((".localhost", "localhost.localdomain")) or not name:
        return Reach.THIS_MACHINE
    return Reach.NEIGHBOURS if "." not in name or name.endswith(_NEIGHBOURS) else Reach.OTHERS


def _without_port(host: str) -> str:
    if host.startswith("["):
        return host[1:].partition("]")[0]
    name, colon, _ = host.rpartition(":")
    return name if colon and ":" not in name else host
