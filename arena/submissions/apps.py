from typing import Any

from django.apps import AppConfig

from arena.platform.live import topics


def may_watch_check(user: Any, submission_id: int) -> bool:
    """Return whether the user may watch a check.

    Only the bot's owner and staff may, because a check shows the bot's source code and log.
    """
    from arena.accounts.permissions import Action, may
    from arena.submissions.queries import owner_of_submission

    owner_id = owner_of_submission(submission_id)
    return owner_id is not None and may(user, Action.SEE_LOG, owner_id)


class SubmissionsConfig(AppConfig):
    name = "arena.submissions"

    def ready(self) -> None:
        from arena.platform import retention
        from arena.platform.jobs.workers import register_queue
        from arena.platform.workers import work
        from arena.submissions import workload
        from arena.submissions.check_job import JOBS, delete_outputs
        from arena.submissions.queries import newest_event

        topics.register("submissions", may_watch_check, newest_event)
        register_queue(JOBS)
        work.register(workload.SOURCE)
        retention.register(delete_outputs)
