"""Hosts are classified by the devices that can reach them."""

import pytest

from arena.platform.reachability import Reach, classify_host

HOSTS = {
    Reach.THIS_MACHINE: "localhost LOCALHOST:8000 localhost. a.localhost localhost.localdomain 127.0.0.1 127.9.9.9:80 "
    "0.0.0.0:8000 [::1] [::1]:8000 ::1 [::]:80 [::ffff:127.0.0.1]:80",
    Reach.NEIGHBOURS: "169.254.1.2 [fe80::1]:8000 [fe80::1%eth0] laptop laptop:8000 laptop.local Laptop.LOCAL.:80 "
    "pc.lan pc.home pc.internal",
    Reach.OTHERS: "192.168.1.7:8000 10.0.0.1 172.16.3.4 [fd00::1]:8000 [2001:db8::1] 203.0.113.5 arena.example "
    "arena.example:8443 localhost.example notlocalhost.org local.example",
}


@pytest.mark.parametrize("reach", Reach)
def test_hosts_are_classified_by_reach(reach: Reach) -> None:
    hosts = HOSTS[reach].split()
    assert {host: classify_host(host) for host in hosts} == dict.fromkeys(hosts, reach)


def test_empty_host_is_reachable_only_from_this_machine() -> None:
    assert classify_host("") is Reach.THIS_MACHINE
