"""The translations for scripts: Django's JavaScript catalogue, limited to the site's own strings."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.views.i18n import JavaScriptCatalog

from arena.platform import bundles


def own_apps() -> list[str]:
    """Return the installed apps except Django's own; the admin loads its strings from a separate catalogue."""
    return [app.name for app in apps.get_app_configs() if not app.name.startswith("django.")]


class ScriptTexts(JavaScriptCatalog):
    """A view that sends the strings of the modules in ``?module=``, or all if none is given or one is not bundled."""

    def get_catalog(self) -> dict[str, Any]:
        texts: dict[str, Any] = super().get_catalog()
        known = bundles.current_bundle().texts
        modules = self.request.GET.getlist("module")
        if not modules or not known.keys() >= set(modules):
            return texts
        shown = frozenset[str]().union(*(known[module] for module in modules))
        return {key: text for key, text in texts.items() if key in shown}
