"""Webhooks: deliver the events of an account's bots and tournaments to the URLs that its owner has registered.

Deliveries are an outbox of their own instead of ``arena.platform.jobs``: one sender posts a batch of them at once and
retries each for days with growing pauses, where a job occupies one worker, has a heartbeat and is voided after three
attempts.
"""
