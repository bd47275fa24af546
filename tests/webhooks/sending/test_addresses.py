"""The addresses that deliveries may reach: non-public networks are refused in every notation."""

from __future__ import annotations

from ipaddress import ip_network

import pytest

from arena.webhooks.sending.addresses import AddressPolicy

PUBLIC = AddressPolicy()


@pytest.mark.parametrize(
    "address",
    [
        *("0.0.0.0", "0.1.2.3", "127.0.0.1", "127.255.255.254", "10.1.2.3", "172.16.0.1", "172.31.255.255"),
        *("192.168.1.1", "169.254.169.254", "100.64.0.1", "100.127.255.255", "192.0.0.8", "192.0.2.1"),
        *("198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.9", "192.88.99.1"),
        *("224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255"),
        *("::", "::1", "::7f00:1", "fe80::1", "fe80::1%eth0", "febf::1", "fec0::1", "fc00::1", "fdff::1"),
        *("ff02::1", "ff0e::1", "100::1", "2001::1", "2001:db8::1", "3fff::1", "5f00::1"),
        *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::ffff:0:127.0.0.1"),
        *("64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1", "64:ff9b:1::0808:0808"),
        *("2002:7f00:1::", "2002:a00:1::1", "2a00:1450::5efe:7f00:1", "2a00:1450::200:5efe:a00:1"),
        *("", "localhost", "127.1", "0x7f000001", "2130706433", "1.2.3.4.5"),
    ],
)
def test_non_public_addresses_are_refused(address: str) -> None:
    assert not PUBLIC.permits(address)


@pytest.mark.parametrize(
    "address",
    [
        *("1.1.1.1", "8.8.8.8", "93.184.215.14", "172.15.255.255", "172.32.0.1", "100.63.255.255", "100.128.0.1"),
        *(
            "223.255.255.255",
            "2606:4700::1111",
            "2a00:1450:4001::8",
            "::ffff:8.8.8.8",
            "64:ff9b::808:808",
            "2002:808:808::1",
        ),
    ],
)
def test_public_addresses_are_permitted(address: str) -> None:
    assert PUBLIC.permits(address)


def test_operator_can_permit_networks() -> None:
    policy = AddressPolicy((ip_network("10.20.0.0/16"), ip_network("fd00:1::/64")))
    permitted = ("10.20.3.4", "::ffff:10.20.3.4", "fd00:1::5", "8.8.8.8")
    assert [policy.permits(address) for address in permitted] == [True] * 4
    refused = ("10.21.0.1", "::ffff:10.21.0.1", "fd00:2::5", "127.0.0.1", "64:ff9b::a15:1")
    assert [policy.permits(address) for address in refused] == [False] * 5
