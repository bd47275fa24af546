"""Template tags and components without any domain: every template may use them."""
