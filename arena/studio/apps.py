from typing import Any

from django.apps import AppConfig

from arena.platform.live import topics


def may_watch_run(user: Any, run_id: int) -> bool:
    """Return whether the user may watch a run.

    Only the person who started the run may, because it shows the draft's output.
    """
    from arena.accounts.permissions import Action, may
    from arena.studio.queries import author_of_run

    author = author_of_run(run_id)
    return author is not None and may(user, Action.SEE_RUN, author)


class StudioConfig(AppConfig):
    name = "arena.studio"

    def ready(self) -> None:
        from arena.platform.jobs.workers import register_queue
        from arena.platform.workers import work
        from arena.studio import workload
        from arena.studio.runs import JOBS, TOPIC
        from arena.studio.snapshots import newest_event_number

        topics.register(TOPIC, may_watch_run, newest_event_number)
        register_queue(JOBS)
        work.register(workload.SOURCE)
