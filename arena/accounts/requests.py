"""The type of requests of signed-in people."""

from django.http import HttpRequest

from arena.accounts.models import User


class SignedInRequest(HttpRequest):
    """A request whose user is somebody; an annotation only."""

    user: User
