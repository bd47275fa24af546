"""Decide which IP addresses the sender may connect to.

Public unicast addresses are allowed, and so are networks that the operator permits.

An IPv6 address that embeds an IPv4 address (mapped, compatible, NAT64, 6to4, ISATAP) is permitted only if both
addresses are permitted.

Special-purpose networks are taken from the IANA registries (RFC 6890) and listed here because ``ipaddress`` differs
between Python versions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

_SPECIAL: Final = tuple(
    ip_network(text)
    for text in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",
        "100.64.0.0/10",  # carrier-grade NAT
        "127.0.0.0/8",
        "169.254.0.0/16",  # link-local, including cloud metadata services
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",  # documentation
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, broadcast
        "::/96",  # unspecified, loopback, IPv4-compatible
        "::ffff:0:0:0/96",  # IPv4-translated
        "64:ff9b:1::/48",  # NAT64 in a local network
        "100::/64",  # discard
        "2001::/23",  # protocol assignments, including Teredo
        "2001:db8::/32",
        "3fff::/20",
        "5f00::/16",  # segment routing
        "fc00::/7",  # unique local
        "fe80::/10",  # link-local
        "fec0::/10",  # site-local
        "ff00::/8",  # multicast
    )
)
_NAT64: Final = IPv6Network("64:ff9b::/96")
_ISATAP: Final = (0x0000_5EFE, 0x0200_5EFE)


@dataclass(frozen=True, slots=True)
class AddressPolicy:
    """The rule for permitted addresses; ``allowed``: non-public networks that the operator permits."""

    allowed: Sequence[Network] = ()

    def permits(self, text: str) -> bool:
        """Return whether a connection to this address is allowed; False if the address is invalid."""
        try:
            address = ip_address(text.partition("%")[0])
        except ValueError:
            return False
        if "%" in text:
            return False  # a scope: link-local by definition
        return all(self._permits(one) for one in (address, *embedded_addresses(address)))

    def _permits(self, address: Address) -> bool:
        if any(address in network for network in self.allowed):
            return True
        if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
            return True  # only a wrapper of the embedded IPv4 address, which is also checked
        return not address.is_multicast and not any(address in network for network in _SPECIAL)


def embedded_addresses(address: Address) -> Iterator[IPv4Address]:
    """Yield the IPv4 addresses embedded in an IPv6 address; packets sent to the IPv6 address may reach them."""
    if isinstance(address, IPv4Address):
        return
    if address.ipv4_mapped is not None:
        yield address.ipv4_mapped
    if address.sixtofour is not None:
        yield address.sixtofour
    number = int(address)
    if address in _NAT64 or (number >> 32) & 0xFFFF_FFFF in _ISATAP:
        yield IPv4Address(number & 0xFFFF_FFFF)
