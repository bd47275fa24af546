"""The interface that programs speak to rooms: plain ASGI before Django, so that polling costs next to nothing."""
