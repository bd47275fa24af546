"""Rooms of the golden point: timed rounds that anybody can join over HTTP."""
