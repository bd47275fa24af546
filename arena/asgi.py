"""The ASGI application: Django serves pages, the hub serves WebSockets, and web processes run the games' services."""

import os

from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings")
pages = get_asgi_application()  # sets up Django: the imports below need its apps

from django.conf import settings  # noqa: E402
from django.utils.module_loading import import_string  # noqa: E402

from arena.accounts.admission import PasswordAdmission  # noqa: E402
from arena.api.middleware import PREFIX as API_PREFIX  # noqa: E402
from arena.api.problems import problem_response  # noqa: E402
from arena.games.sites import SITES  # noqa: E402
from arena.platform.asgi import App, Lifespan, Service  # noqa: E402
from arena.platform.client_address import ForwardedFor  # noqa: E402
from arena.platform.live.consumers import socket_urls  # noqa: E402
from arena.platform.live.hub import Hub  # noqa: E402
from arena.platform.live.source import RedisSource  # noqa: E402
from arena.platform.refusal_status import RefusalStatusMiddleware  # noqa: E402
from arena.submissions.body_limit import BodyLimit, RefusalResponse  # noqa: E402

services: list[Service] = [import_string(site.service)() for site in SITES.values() if site.service]
admitted = PasswordAdmission(pages, settings.PASSWORD_HASHING_THREADS, settings.PASSWORD_HASHING_QUEUE)
too_large = problem_response(413)
refusals = {API_PREFIX: RefusalResponse(too_large["Content-Type"], too_large.content)}
http: App = BodyLimit(admitted, refusals=refusals)
for service in services:
    http = service.http(http)
protocols = ProtocolTypeRouter(
    {
        "http": RefusalStatusMiddleware(http),
        "lifespan": Lifespan(services),
        # Browsers let pages of other sites open a WebSocket, so the Origin header must name one of this site's hosts.
        "websocket": AllowedHostsOriginValidator(URLRouter(socket_urls(Hub(RedisSource(settings.REDIS_URL))))),
    }
)
application = ForwardedFor(protocols, settings.PROXY_COUNT)
