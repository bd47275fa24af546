"""Labels and sentences that describe version tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arena.core.ranking.version_test import Gain, GainVerdict
from arena.version_tests.models import VersionTestStatus

GAINS: Final[Mapping[Gain, Promise]] = {
    Gain.LARGE: gettext_lazy("Much better"),
    Gain.CLEAR: gettext_lazy("Clearly better"),
    Gain.LITTLE: gettext_lazy("At least a little better"),
    Gain.ANY: gettext_lazy("Any improvement"),
}


def sentence(status: str, verdict: str, new: int, old: int) -> str:
    """Return the test's result, or its progress, as a sentence."""
    versions = {"new": new, "old": old}
    if status == VersionTestStatus.WAITING:
        return _("v%(new)s against v%(old)s: waiting for idle workers.") % versions
    if status == VersionTestStatus.RUNNING:
        return _("v%(new)s against v%(old)s: no result yet.") % versions
    if status == VersionTestStatus.CANCELLED:
        return _("The test of v%(new)s against v%(old)s was cancelled.") % versions
    if status == VersionTestStatus.FAILED:
        return _("The arena could not play enough matches between v%(new)s and v%(old)s.") % versions
    return {
        GainVerdict.BETTER: _("v%(new)s is better than v%(old)s."),
        GainVerdict.WORSE: _("v%(new)s is worse than v%(old)s."),
        GainVerdict.NO_DIFFERENCE: _("There is no meaningful difference between v%(new)s and v%(old)s."),
    }.get(GainVerdict(verdict), _("Inconclusive: v%(new)s and v%(old)s are too close to tell apart.")) % versions
