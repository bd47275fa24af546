"""Template tags that load a page's scripts and all their imports in parallel, and the translations of their texts."""

from __future__ import annotations

from urllib.parse import urlencode

from django import template
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from arena.platform import bundles

register = template.Library()


@register.simple_tag
def module(name: str) -> SafeString:
    """Load a script, and run it after the page has been parsed; esbuild.config.js bundles the modules in these tags."""
    preloads = _preload_links(bundles.current_bundle().imports.get(name, ()))
    return format_html('{}<script type="module" src="{}"></script>', preloads, static(name))


@register.simple_tag
def module_preload(name: str) -> SafeString:
    """Preload a module that a script imports later; the script reads the module's URL from the page."""
    return _preload_links((name, *bundles.current_bundle().imports.get(name, ())))


@register.simple_tag
def module_texts(*names: str) -> str:
    """Return the URL of the translations for a page that loads only these modules."""
    return f"{reverse('javascript-catalog')}?{urlencode({'module': names}, doseq=True)}"


def _preload_links(names: tuple[str, ...]) -> SafeString:
    return format_html_join("", '<link rel="modulepreload" href="{}">', ((static(name),) for name in names))
