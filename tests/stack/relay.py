"""The network between a browser and the site, which tests can cut and restore."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress


class Relay:
    """A relay for connections to a local port. ``close`` stops its threads."""

    def __init__(self, port: int) -> None:
        self._target = ("127.0.0.1", port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._lock = threading.Lock()
        self._up = True
        self._joined: list[_SocketPair] = []
        self._taking = threading.Thread(target=self._accept)
        self._taking.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def cut(self) -> None:
        """Break every connection and refuse new ones, like a server or an access point that is down."""
        self._go_down(silently=False)

    def drop_traffic(self) -> None:
        """Drop all traffic and refuse new connections.

        Existing connections stay open at both ends but are dead, as after a machine has slept.
        """
        self._go_down(silently=True)

    def restore(self) -> None:
        """Accept new connections again."""
        with self._lock:
            self._up = True

    def close(self) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._taking.join()
        for joined in self._joined:
            joined.close()

    def _go_down(self, *, silently: bool) -> None:
        with self._lock:
            self._up = False
            for joined in self._joined:
                joined.mute() if silently else joined.end()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return  # the listener was closed
            with self._lock:
                if not self._up:
                    near.close()
                    continue
                self._joined.append(_SocketPair(near, socket.create_connection(self._target)))


class _SocketPair:
    """Two connected sockets, with one forwarding thread for each direction."""

    def __init__(self, near: socket.socket, far: socket.socket) -> None:
        self._sockets = (near, far)
        self._mute = False
        self._threads = [threading.Thread(target=self._pass_on, args=pair) for pair in ((near, far), (far, near))]
        for thread in self._threads:
            thread.start()

    def mute(self) -> None:
        self._mute = True

    def end(self) -> None:
        for each in self._sockets:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self.end()
        for thread in self._threads:
            thread.join()
        for each in self._sockets:
            each.close()

    def _pass_on(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                if not self._mute:
                    sink.sendall(data)
        if not self._mute:
            self.end()
