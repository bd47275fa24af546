"""An object store for tests: moto's server on a local port, with a bucket."""

from __future__ import annotations

import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

import boto3

from tests.running_site import eventually, free_port

BUCKET = "uploads"


class ObjectStore:
    """A running object store; ``pause`` makes it unresponsive."""

    def __init__(self, port: int, process: subprocess.Popen[bytes]) -> None:
        self.endpoint = f"http://127.0.0.1:{port}"
        self._process = process
        self._client = boto3.client(
            "s3",
            endpoint_url=self.endpoint,
            region_name="us-east-1",
            aws_access_key_id="test",
            aws_secret_access_key="test",
        )

    @property
    def variables(self) -> dict[str, str]:
        """Return the environment variables that connect the arena to this store."""
        return {
            "SUBMISSIONS_STORE": f"s3://{BUCKET}/arena",
            "AWS_ENDPOINT_URL": self.endpoint,
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_REGION": "us-east-1",
        }

    def get(self, key: str) -> bytes:
        """Return an object, read with a client other than the arena's."""
        body: bytes = self._client.get_object(Bucket=BUCKET, Key=key)["Body"].read()
        return body

    def put(self, key: str, data: bytes) -> None:
        self._client.put_object(Bucket=BUCKET, Key=key, Body=data)

    def delete(self, key: str) -> None:
        self._client.delete_object(Bucket=BUCKET, Key=key)

    def create_bucket(self) -> None:
        self._client.create_bucket(Bucket=BUCKET)

    def answers(self) -> bool:
        try:
            urllib.request.urlopen(f"{self.endpoint}/moto-api/", timeout=5).close()
        except OSError:
            return False
        return True

    def pause(self) -> None:
        self._process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        self._process.send_signal(signal.SIGCONT)


@contextmanager
def running_store() -> Iterator[ObjectStore]:
    port = free_port()
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        store = ObjectStore(port, process)
        eventually(store.answers, "the object store does not start")
        store.create_bucket()
        yield store
    finally:
        process.kill()
        process.wait()
