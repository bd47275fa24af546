"""The REST interface of rooms: plain ASGI in front of Django, so that polling costs next to nothing."""
