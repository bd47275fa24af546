"""The checklist that every sandbox must pass, and the existing tests that verify each line.

A test is named file:function or, if the function is parametrized with a table of bots, file:function[key of the table].
Files are located in this folder and its subfolders, or given as paths from `tests/core`.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

CORE = Path(__file__).parents[1]
FILES = {path.stem: path for path in (CORE / "sandbox").rglob("test_*.py")}
CHECKLIST: dict[str, tuple[str, ...]] = {
    "fork bomb": ("test_denials:attack_is_denied[fork]", "test_denials:attack_is_denied[multiprocessing]"),
    "vfork, clone, clone3 bomb": (
        "test_denials:raw_call_is_denied[vfork]",
        "test_denials:raw_call_is_denied[clone as fork]",
        "test_denials:raw_call_is_denied[clone3]",
        "test_seccomp:clone_permits_only_threads",
    ),
    "thread bomb": ("test_limits:thread_bomb_is_limited", "test_limits:resource_is_capped[small threads]"),
    "memory by heap, shared mmap": ("test_limits:memory_is_limited", "test_endings:exit_reason_is_exact[heap]"),
    "memory by memfd, shm": (
        "test_denials:raw_call_is_denied[memfd_create]",
        "test_denials:raw_call_is_denied[memfd_secret]",
        "test_denials:raw_call_is_denied[shmget]",
        "test_denials:attack_is_denied[shared memory]",
    ),
    "memory by pipes": ("test_denials:attack_is_denied[a pipe]",),
    "tmpfs bytes": ("test_limits:scratch_bytes_are_limited", "test_limits:file_size_is_limited"),
    "tmpfs inodes": ("test_limits:resource_is_capped[files]",),
    "bytes and inodes of a scratch folder": (
        "test_scratch_attacks:bot_fills_only_its_own_quota[bytes in removed files that stay mapped]",
        "test_scratch_attacks:bot_fills_only_its_own_quota[files by many threads]",
        "test_scratch_attacks:quota_cannot_be_used_twice",
        "test_scratch_attacks:next_worker_removes_files_of_a_killed_worker",
    ),
    "ways out of a scratch folder": (
        "test_scratch_attacks:no_path_leads_outside",
        "test_scratch_attacks:path_changed_during_the_check_creates_nothing_outside",
        "test_scratch_attacks:two_seats_do_not_see_each_others_files",
    ),
    "deep directories": (
        "test_limits:nested_folders_are_limited",
        "test_scratch_attacks:bot_fills_only_its_own_quota[nested folders by renaming]",
    ),
    "stdout and stderr flood": (
        "test_limits:flooding_the_log_is_harmless[print]",
        "test_limits:flooding_the_log_is_harmless[errors]",
    ),
    "garbage on stdout is harmless": (
        "test_limits:flooding_the_log_is_harmless[bytes]",
        "test_limits:flooding_the_log_is_harmless[a hole]",
        "referee/test_jailed:excessive_output_is_not_penalized",
    ),
    "never answers": ("test_endings:stubborn_process_is_killed[never answers]",),
    "spins": ("test_endings:stubborn_process_is_killed[spins]", "test_endings:total_cpu_time_is_limited"),
    "stops itself": (
        "test_endings:stubborn_process_is_killed[stops itself]",
        "test_endings:stubborn_process_is_killed[stops itself like a terminal]",
        "test_denials:attack_is_denied[stopping itself]",
    ),
    "ignores every signal": ("test_endings:stubborn_process_is_killed[ignores every signal]",),
    "orphans": (
        "test_endings:stubborn_process_is_killed[leaves its threads behind]",
        "test_endings:exit_reason_is_exact[threads left behind]",
    ),
    "import that hangs, exits or raises a huge error": (
        "referee/test_jailed_check:check_reports_the_problem",
        "referee/test_jailed_faults:every_cause_has_its_fault",
        "test_endings:exit_reason_is_exact[huge exception]",
    ),
    "segfault, abort, sys.exit, os._exit": (
        "test_endings:exit_reason_is_exact[segfault]",
        "test_endings:exit_reason_is_exact[abort]",
        "test_endings:exit_reason_is_exact[sys.exit()]",
        "test_endings:exit_reason_is_exact[os._exit]",
    ),
    "closes the channel": ("test_channel:closing_the_channel_does_not_end_the_process[closes it]",),
    "duplicates the channel": (
        "test_channel:duplicated_channel_descriptor_works",
        "test_channel:closing_the_channel_does_not_end_the_process[replaces it]",
    ),
    "floods or never reads the channel": (
        "test_channel:flood_is_bounded_and_ends_with_the_bot",
        "test_channel:bot_that_never_reads_does_not_block_the_worker",
    ),
    "forged messages": (
        "test_messages:invalid_reply_is_refused[forged]",
        "test_messages:answer_to_an_earlier_request_is_refused",
    ),
    "early and duplicate messages": (
        "test_messages:early_answer_is_rejected",
        "test_messages:second_answer_is_rejected",
    ),
    "oversize and deep messages": (
        "test_messages:oversized_message_is_refused_unread",
        "test_messages:invalid_reply_is_refused[deep]",
        "test_messages:invalid_reply_is_refused[deep in an unknown field]",
    ),
    "NaN, 1e999, bigint and bool messages": (
        "test_messages:invalid_reply_is_refused[NaN]",
        "test_messages:invalid_reply_is_refused[1e999]",
        "test_messages:invalid_reply_is_refused[bigint]",
        "test_messages:invalid_reply_is_refused[bool]",
    ),
    "surrogate, NUL and pickle messages": (
        "test_messages:invalid_reply_is_refused[surrogate]",
        "test_messages:invalid_reply_is_refused[NUL]",
        "test_messages:invalid_reply_is_refused[pickle]",
    ),
    "messages of every other kind": ("referee/test_fuzz_protocol:decoder_survives_arbitrary_bytes",),
    "host files": ("test_denials:attack_is_denied[host's passwords]", "test_denials:attack_is_denied[the checkout]"),
    "/proc": ("test_denials:attack_is_denied[its own process]", "test_denials:attack_is_denied[the referee's memory]"),
    "environment": (
        "test_secrets:environment_contains_only_the_arenas_variables",
        "test_denials:attack_is_denied[the referee's environment]",
    ),
    "stack and heap scanned for a planted secret": (
        "test_secrets:bot_that_scans_its_memory_finds_no_secret",
        "test_secrets:scan_finds_a_planted_secret",
        "test_secrets:memory_pages_of_a_bot_hold_no_secret",
    ),
    "loopback TCP": ("test_denials:attack_is_denied[tcp]",),
    "abstract and pathname Unix sockets": (
        "test_denials:attack_is_denied[abstract unix]",
        "test_denials:attack_is_denied[unix]",
    ),
    "netlink, raw, vsock, AF_ALG": (
        "test_denials:attack_is_denied[netlink]",
        "test_denials:attack_is_denied[raw]",
        "test_denials:attack_is_denied[vsock]",
        "test_denials:attack_is_denied[kernel crypto]",
    ),
    "io_uring": ("test_denials:attack_is_denied[io_uring]",),
    "inherited descriptors": ("test_secrets:no_descriptor_is_inherited",),
    "kill on the referee and on a sibling": ("test_neighbours:other_processes_are_out_of_reach[kills]",),
    "ptrace on them": ("test_neighbours:other_processes_are_out_of_reach[attaches as a debugger]",),
    "process_vm on them": (
        "test_neighbours:other_processes_are_out_of_reach[reads memory]",
        "test_neighbours:other_processes_are_out_of_reach[writes memory]",
    ),
    "pidfd on them": (
        "test_neighbours:other_processes_are_out_of_reach[opens a pidfd]",
        "test_neighbours:other_processes_are_out_of_reach[takes a descriptor]",
    ),
    "prlimit on them": (
        "test_neighbours:other_processes_are_out_of_reach[sets limits]",
        "test_neighbours:other_processes_are_out_of_reach[reads limits]",
    ),
    "setuid, mknod": ("test_denials:attack_is_denied[root]", "test_denials:attack_is_denied[a device]"),
    "namespaces, mount": (
        "test_denials:raw_call_is_denied[unshare]",
        "test_denials:raw_call_is_denied[setns]",
        "test_denials:raw_call_is_denied[mount]",
    ),
    "bpf, userfaultfd, perf, keyctl, kexec": (
        "test_denials:raw_call_is_denied[bpf]",
        "test_denials:raw_call_is_denied[userfaultfd]",
        "test_denials:raw_call_is_denied[perf_event_open]",
        "test_denials:raw_call_is_denied[keyctl]",
        "test_denials:raw_call_is_denied[kexec_load]",
    ),
    "TIOCSTI": (
        "test_denials:attack_is_denied[typing on a terminal]",
        "test_seccomp:ioctl_and_fcntl_are_filtered_by_command",
    ),
    "every syscall number swept": (
        "test_seccomp:kernel_refuses_every_other_number",
        "test_seccomp:every_system_call_has_the_verdict_of_the_tables",
    ),
    "int 0x80 and x32": ("test_endings:exit_reason_is_exact[int 0x80]", "test_endings:exit_reason_is_exact[x32]"),
    "poisoning of the standard library": (
        "test_denials:attack_is_denied[standard library]",
        "test_denials:attack_is_denied[a standard module]",
        "test_neighbours:memory_poisoned_by_one_bot_is_intact_for_the_next",
    ),
    "poisoning of the bot folder": (
        "test_working_folder:bot_changes_only_its_own_copy[writing its module]",
        "test_working_folder:next_match_finds_the_uploaded_files",
    ),
    "poisoning of .pyc": (
        "test_working_folder:bot_changes_only_its_own_copy[byte code]",
        "test_denials:attack_is_denied[byte code of the library]",
    ),
    "raised limits": (
        "test_denials:attack_is_denied[a limit raised]",
        "test_denials:raw_call_is_denied[prlimit raises]",
    ),
    "affinity": ("test_denials:attack_is_denied[affinity]", "test_cores:all_bots_of_a_match_use_one_core_together"),
    "nice": ("test_denials:attack_is_denied[nice]",),
    "clock setting": (
        "test_denials:attack_is_denied[setting the clock]",
        "test_denials:raw_call_is_denied[settimeofday]",
    ),
    "pondering": (
        "test_lifetime:suspended_bot_does_not_run",
        "referee/test_jailed_time:bot_cannot_think_on_the_opponents_time",
    ),
    "signals between seats by what the kernel shares": (
        "test_collusion:no_message_gets_through",
        "test_collusion:no_message_gets_through_namespaces",
        "test_collusion:message_gets_through_without_the_filter",
        "test_collusion:cpu_clock_of_another_seat_is_hidden",
        "test_seccomp:futexes_are_private",
        "test_seccomp:clocks_of_other_processes_are_refused",
        "test_denials:attack_is_denied[memory of the machine]",
        "test_denials:attack_is_denied[a pipe]",
        "test_denials:attack_is_denied[use of resources]",
        "test_denials:raw_call_is_denied[mincore]",
    ),
    "flushing to disk": (
        "test_seccomp:flushes_and_locks_succeed_without_being_executed",
        "test_denials:ordinary_call_is_permitted[flushing its log]",
        "test_denials:ordinary_call_is_permitted[flushing a mapping]",
        "test_denials:attack_is_denied[flushing everything to disk]",
        "test_denials:raw_call_is_denied[sync_file_range]",
    ),
    "descriptors that the worker shares": (
        "test_denials:attack_is_denied[flags of its log]",
        "test_denials:attack_is_denied[flags of its channel]",
        "test_denials:attack_is_denied[shortening its log]",
        "test_bot_log:each_side_has_its_own_descriptor_flags",
        "referee/test_jailed_faults:bot_cannot_void_the_match_through_its_log",
    ),
    "calls of ours that fail are no bot's fault": (
        "referee/test_io_faults:each_failure_has_one_verdict",
        "referee/test_io_faults:bot_that_cannot_be_signalled_keeps_its_verdict_and_dies",
        "referee/test_io_faults:external_kill_is_not_mistaken_for_a_memory_kill",
    ),
    "locks and inotify between bots": ("test_neighbours:two_bots_see_neither_locks_nor_changes_of_each_other",),
    "zip slip, symlink": (
        "test_refused_packages:unsafe_paths_are_refused",
        "test_refused_packages:links_and_special_files_are_refused",
    ),
    "zip bomb": ("test_refused_packages:zip_bomb_is_refused",),
    "zip duplicates": ("test_refused_packages:duplicate_members_are_refused",),
    "archives of every other kind": (
        "test_fuzz_upload:any_archive_is_read_or_refused",
        "test_fuzz_upload:archive_with_false_metadata_is_read_or_refused",
        "test_fuzz_upload:declared_sizes_cost_no_memory",
    ),
    "SIGKILL of the referee leaves nothing behind": ("test_lifetime:nothing_outlives_a_killed_worker",),
    "SIGKILL of the fork server leaves nothing behind": ("test_lifetime:nothing_outlives_a_killed_fork_server",),
    "each layer removed makes the self-test refuse": (
        "test_self_test:missing_layer_is_detected",
        "test_self_test:every_layer_is_tested",
        "test_ordinary_user:capabilities_of_the_worker_are_dropped",
    ),
    "all of it by an ordinary user, too": ("test_ordinary_user:hostile_bots_are_contained_without_root",),
}
_TEST = re.compile(r"(?P<file>[\w/]+):(?P<function>\w+)(\[(?P<key>.+)\])?")


@pytest.mark.parametrize("line", CHECKLIST)
def test_attack_of_the_checklist_is_tested(line: str) -> None:
    assert CHECKLIST[line]
    for test in CHECKLIST[line]:
        named = _TEST.fullmatch(test)
        assert named is not None, test
        path = FILES.get(named["file"], CORE / f"{named['file']}.py")
        text = path.read_text(encoding="utf-8")
        assert f"def test_{named['function']}(" in text, test
        assert named["key"] is None or f'"{named["key"]}": ' in text, test
