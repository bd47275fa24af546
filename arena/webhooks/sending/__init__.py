"""Send signed HTTP requests to addresses that strangers chose. Pure: no framework, no database."""
