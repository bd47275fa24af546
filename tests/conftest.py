"""Fixtures of the whole suite: a site that keeps nothing outside the test's own folder."""

import os
import tempfile

# Before Django reads its settings: no test ever touches the checkout's own var/.
os.environ["ARENA_VAR"] = tempfile.mkdtemp(prefix="arena-test-")
os.environ.setdefault("DEBUG", "1")  # static files without a collected manifest
