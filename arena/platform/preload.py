"""Import the code of the web server, the workers and Celery beat once, before these processes are forked.

Opens no connection and starts no thread.
"""

import importlib
import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings")
django.setup()

from arena.celery import app  # noqa: E402 - tasks need Django's apps
from arena.platform import lookalikes  # noqa: E402

app.loader.import_default_modules()
for name in ("arena.urls", "celery.apps.beat", "celery.apps.worker", "celery.bin.celery", "uvicorn.main"):
    importlib.import_module(name)
lookalikes.skeleton("")  # loads its table
