"""Webhooks: deliver the events of an account's bots and tournaments to the URLs that its owner has registered.

Deliveries have their own outbox instead of using ``arena.platform.jobs``: one sender posts a batch of them concurrently
and retries each for days with increasing delays, whereas a job occupies one worker, has a heartbeat and is void after
three attempts.
"""
