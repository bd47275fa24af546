"""The REST interface of rooms: plain ASGI before Django, so that polling costs next to nothing."""
