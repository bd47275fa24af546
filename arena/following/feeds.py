"""Atom feeds (RFC 4287) for bots, people and tournaments: public content, the same for every reader.

Each feed has an ETag and Last-Modified, so a feed reader that is up to date gets a 304. A tournament for the members of
a class has no feed, because feed readers cannot sign in and a secret URL would leak.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.syndication.views import Feed
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import linebreaks
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page, require_safe

from arena.following.queries import FeedSubject, Update, feed_path, feed_subject, public_feed
from arena.following.subjects import Subject


class _AtomFeed(Atom1Feed):
    """An Atom feed; an empty feed is dated by its subject's creation, not by the current request."""

    def latest_post_date(self) -> datetime:
        if self.items:
            return super().latest_post_date()
        since: datetime = self.feed["since"]
        return since


class SubjectFeed(Feed):  # type: ignore[type-arg]  # generic in its stubs alone
    """The feed of one subject."""

    feed_type = _AtomFeed

    def __init__(self, subject: FeedSubject) -> None:
        self._subject = subject

    def get_object(self, request: HttpRequest, *args: Any, **kwargs: Any) -> FeedSubject:
        return self._subject

    def title(self, obj: FeedSubject) -> str:
        return f"{obj.name} · {_('Bot Arena')}"

    def link(self, obj: FeedSubject) -> str:
        return obj.path

    def feed_url(self, obj: FeedSubject) -> str:
        return feed_path(obj)

    def feed_guid(self, obj: FeedSubject) -> str:
        return _tag_uri(obj.since, f"{obj.kind.value}-{obj.id}")

    def feed_extra_kwargs(self, obj: FeedSubject) -> dict[str, Any]:
        return {"since": obj.since}

    def author_name(self, obj: FeedSubject) -> str:
        return obj.name

    def items(self, obj: FeedSubject) -> list[Update]:
        return public_feed(obj)

    def item_title(self, item: Update) -> str:
        return item.sentence

    def item_description(self, item: Update) -> str:
        """Return the description as HTML, with all text escaped, because Django declares it as HTML."""
        return linebreaks(item.text or item.sentence, autoescape=True)

    def item_link(self, item: Update) -> str:
        return item.path

    def item_guid(self, item: Update) -> str:
        return _tag_uri(item.at, f"update-{item.id}")

    def item_categories(self, item: Update) -> list[str]:
        return [item.kind]

    def item_pubdate(self, item: Update) -> datetime:
        return item.at

    def item_updateddate(self, item: Update) -> datetime:
        return item.at


def _tag_uri(since: datetime, name: str) -> str:
    """Return a tag URI (RFC 4151), stable when names and paths change."""
    return f"tag:{urlsplit(settings.SITE_URL).hostname},{since:%Y-%m-%d}:{name}"


@require_safe
@conditional_page
def feed(request: HttpRequest, kind: Subject, key: int | str) -> HttpResponse:
    subject = feed_subject(kind, key)
    if subject is None:
        raise Http404
    return SubjectFeed(subject)(request)
