#!/usr/bin/env python3
"""Measures how the daemon's costs depend on the numbers of stored messages, of clients that watch the event log, and of
unread conversations. Called by `make scale`; writes results/scale.md."""
import argparse
import os
import platform
import signal
import sys

from harness import experiments
from harness.contenders import Cutied
from harness.desktop import Desktop
from harness.report import number

HERE = os.path.dirname(os.path.abspath(__file__))
COLUMNS = [
    ("messages", "messages"), ("watchers", "watchers"), ("unread conversations", "unread"),
    ("reply, p50, ms", "reply_p50_ms"), ("`search` for a rare word, p95, ms", "search_rare_p95_ms"),
    ("for one in each message, p95, ms", "search_common_p95_ms"), ("`status --json`, bytes", "status_bytes"),
    ("the same, ms", "status_ms"), ("`inbox --limit 20 --json`, ms", "inbox_ms")]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True, help="where recorder is")
    parser.add_argument("--products", required=True, help="where cutied and cutied-daemon are")
    parser.add_argument("--quick", action="store_true", help="small numbers; keeps no result")
    return parser.parse_args()


def fill(daemon, first, level, conversations):
    """Makes the daemon store messages up to `level`, with notifications off."""
    daemon.ctl("notifications", "off")
    for start in range(first, level, 10_000):
        experiments.burst(daemon, start, min(10_000, level - start), conversations)
    daemon.ctl("notifications", "on")
    experiments.settle(daemon)


def leave_unread(daemon, count, conversations):
    """Makes exactly `count` conversations unread, each with a single reply."""
    daemon.ctl("notifications", "off")
    names = ["conv_%d" % each for each in range(conversations)]
    stored = daemon.stored()
    daemon.server.send(b"".join(map(daemon.server.read, names)))
    daemon.server.send(b"".join(daemon.server.message(name, "burst unread") for name in names[:count]))
    daemon.wait_until_stored(stored + count)
    daemon.ctl("notifications", "on")
    experiments.settle(daemon)


def row(daemon, desktop, rounds):
    event = experiments.event_by_event([daemon], desktop, rounds)
    searches = max(10, rounds // 10)
    return {
        "reply_p50_ms": event["latency_p50_ms"][daemon.name],
        "search_rare_p95_ms": experiments.ctl_p95(daemon, searches, "search", "word77", "--json"),
        "search_common_p95_ms": experiments.ctl_p95(daemon, searches, "search", "burst", "--json"),
        "status_bytes": daemon.output_size("status", "--json"),
        "status_ms": experiments.ctl(daemon, 20, "status", "--json"),
        "inbox_ms": experiments.ctl(daemon, 20, "inbox", "--limit", "20", "--json")}


def measure(desktop, products, levels, watchers, unread, rounds):
    stored, conversations = 0, max(unread)
    with experiments.running([Cutied], desktop, products) as [daemon]:
        for level in levels:
            fill(daemon, stored, level, conversations)
            stored = level
            for count in unread:
                leave_unread(daemon, count, conversations)
                for watching in watchers:
                    with experiments.watching(daemon, watching):
                        found = row(daemon, desktop, rounds)
                    found.update(messages=level, watchers=watching, unread=count)
                    print("measured: %s" % found, flush=True)
                    yield found


def table(rows):
    lines = ["| %s |" % " | ".join(title for title, _ in COLUMNS), "|%s" % ("--:|" * len(COLUMNS))]
    lines += ["| %s |" % " | ".join(
        str(each[key]) if isinstance(each[key], int) else number(each[key]) for _, key in COLUMNS) for each in rows]
    return "\n".join(lines)


def main():
    options = arguments()
    # Exit normally on SIGTERM. The default action would skip the cleanup and leave the started programs
    # running.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(1))
    products = {name: os.path.abspath(os.path.join(options.products, name)) for name in ("cutied", "cutied-daemon")}
    desktop = Desktop(os.path.abspath(os.path.join(options.build, "recorder")))
    sizes = (
        ((1000, 2000), (1, 10), (5, 100), 20) if options.quick
        else ((10_000, 100_000, 1_000_000), (1, 10, 100), (5, 1000, 5000), 200))
    try:
        rows = list(measure(desktop, products, *sizes))
    finally:
        desktop.close()
    text = "%s, Linux %s, %d processors\n\n%s\n" % (
        platform.machine(), platform.release().split("-")[0], os.cpu_count(), table(rows))
    print(text)
    if not options.quick:
        with open(os.path.join(HERE, "results", "scale.md"), "w") as file:
            file.write(text)


if __name__ == "__main__":
    main()
