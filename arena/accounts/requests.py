"""What a view behind ``login_required`` gets."""

from django.http import HttpRequest

from arena.accounts.models import User


class SignedInRequest(HttpRequest):
    """A request whose user is somebody; an annotation only."""

    user: User
