"""The benchmark reports viewers who lost events, and why they lost them."""

from __future__ import annotations

from bench.viewers import Viewer, describe_lost_events


def frame(text: bytes) -> bytes:
    return bytes((0x81, len(text))) + text


def latency(data: bytes, now: float) -> float | None:
    return 0.0 if data.startswith(b'{"seq"') else None


async def test_viewers_with_lost_events_are_reported_with_the_cause() -> None:
    viewers = [Viewer(b"", latency, []) for _ in range(6)]
    for viewer in viewers:
        viewer.data_received(b"HTTP/1.1 101 Switching\r\n\r\n" + frame(b'{"type":"ping"}'))
        assert viewer.ready.done()
    for viewer in viewers[:2]:
        viewer.data_received(frame(b'{"seq":1}') + frame(b'{"seq":2}'))
    viewers[2].data_received(frame(b'{"seq":1}') + frame(b'{"type":"resync"}') + bytes((0x88, 2)) + (4409).to_bytes(2))
    assert describe_lost_events(viewers[:2], 2) == ""
    assert describe_lost_events(viewers, 2) == (
        "7 lost; viewer 3 of 6 saw 1 of 2: was told to start over after 1 events, was disconnected with code 4409; "
        "viewer 4 of 6 saw 0 of 2: its connection is open; viewer 5 of 6 saw 0 of 2: its connection is open; "
        "and 1 viewers more"
    )
