"""Domain-independent template tags and components, for every template."""
