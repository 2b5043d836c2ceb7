#!/usr/bin/env python3
"""Compares cutied with minimal C programs and with common alternatives. Called by `make bench`."""
import argparse
import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile

from harness import experiments, plot, report
from harness.contenders import CProgram, Cutied, DurableCProgram, Pipe, Python
from harness.desktop import Desktop

HERE = os.path.dirname(os.path.abspath(__file__))
RESULTS = os.path.join(HERE, "results")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True, help="where minimal, durable, recorder and the venv are")
    parser.add_argument("--products", required=True, help="where cutied and herd are")
    parser.add_argument("--only", choices=PARTS, help="measures one part; keeps no result")
    parser.add_argument("--quick", action="store_true", help="a few minutes; keeps no result")
    return parser.parse_args()


def present(products):
    """Returns the contenders that can run on this machine, and the reason why each other contender cannot
    run."""
    needs = [
        (CProgram, True, ""),
        (DurableCProgram, True, ""),
        (Python, os.path.exists(products["python"]), "python: httpx or desktop-notifier could not be had"),
        (Pipe, shutil.which("curl") and shutil.which("notify-send"), "curl | notify-send: not installed"),
        (Cutied, True, "")]
    missing = [why for _, there, why in needs if not there]
    missing += [] if os.path.exists(products["herd"]) else ["the herd: not built"]
    missing += [] if shutil.which("valgrind") else ["instructions: valgrind is not installed"]
    return [kind for kind, there, _ in needs if there], missing


def certificate(directory):
    """Creates a certificate for 127.0.0.1. Returns the path of a file with the certificate and its key."""
    path = os.path.join(directory, "certificate.pem")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
         "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", path, "-out", path + ".crt"],
        check=True, capture_output=True)
    with open(path, "a") as both, open(path + ".crt") as leaf:
        both.write(leaf.read())
    return path


def told(title, figures):
    print("measured: " + title, flush=True)
    return figures


def start_and_cost(run):
    run.add("start", experiments.start(run.kinds, run.desktop, run.products, run.choose(3, 10)))
    with run.running(run.kinds, heartbeat=run.heartbeat) as contenders:
        run.add("idle", experiments.idle(contenders, 3))
        run.add("event by event", experiments.event_by_event(contenders, run.desktop, run.choose(100, 500)))
        status = experiments.ctl(contenders[-1], run.choose(10, 50), "status")
        run.add("ctl status", {"ctl_status_ms": {Cutied.name: status}})


def cold(run):
    # A full run pauses for more than 300 s, because the daemon checks within that time whether to return free
    # memory to the kernel.
    replies, pause = run.choose((2, 5), (24, 310))
    run.add("cold replies", experiments.cold(run.kinds, run.desktop, run.products, replies, pause))


def memory(run):
    rest = run.choose(15, 600)
    run.results["rest"] = "%d seconds" % rest if rest < 60 else "%d minutes" % (rest // 60)
    with run.running(run.kinds, heartbeat=run.heartbeat) as contenders:
        run.add("used and rested", experiments.used(contenders, run.desktop, rest))
    encrypted = {"heartbeat": run.heartbeat, "certificate": certificate(run.directory)}
    with run.running([CProgram, DurableCProgram, Cutied], **encrypted) as contenders:
        figures = experiments.idle(contenders, 1)
        run.add("idle over TLS", {"idle_tls_RssAnon_kB": figures["idle_RssAnon_kB"]})
    growth = {}
    for kind in (CProgram, Cutied):
        with run.running([kind]) as [contender]:
            growth[kind.name] = experiments.flood(contender, run.desktop, run.results["flood"])
    run.add("flood", {"flood_kB": growth})


def burst(run):
    bursts = []
    for _ in range(3):
        with run.running([Cutied]) as [daemon]:
            bursts.append(experiments.burst(daemon, 0, 10_000)["per_second"])
    run.add("bursts", {"burst_per_second": {Cutied.name: sorted(bursts)[1]}})


def history(run):
    levels = run.choose((1000, 20_000), (1000, 100_000, 1_000_000))
    run.results["history"] = told("history", experiments.history(run.desktop, run.products, levels))


def watched(run):
    counts = (1, 100)
    run.results["watched"] = told("watched", experiments.watched(
        run.desktop, run.products, counts, run.choose(50, 200)))


def instructions(run):
    if not shutil.which("valgrind"):
        return
    counts = run.choose((40, 80), (100, 300))
    chunks = tuple(count * 10 for count in counts)
    run.add("callgrind", {
        "instructions_shown": {kind.name: experiments.instructions(
            run.desktop, run.products, run.directory, counts, 1, kind=kind) / 1000
            for kind in (DurableCProgram, Cutied)},
        "instructions_stored": {Cutied.name: experiments.instructions(
            run.desktop, run.products, run.directory, chunks, 50, "notifications:\n  enabled: false\n") / 1000}})


def herd(run):
    if os.path.exists(run.products["herd"]):
        run.results["herd"] = told("herd", experiments.herd(run.products["herd"]))


PARTS = {
    "cost": start_and_cost, "cold": cold, "memory": memory, "burst": burst, "history": history, "watched": watched,
    "instructions": instructions, "herd": herd}


class Run:
    """One run of the benchmark, and its results so far."""

    def __init__(self, kinds, products, desktop, directory, quick):
        self.kinds, self.products, self.desktop, self.directory = kinds, products, desktop, directory
        self._quick = quick
        self.heartbeat = self.choose(5.0, 25.0)
        self.results = {
            "contenders": [kind.name for kind in kinds], "flood": self.choose(10_000, 100_000), "rest": "",
            "figures": {}, "history": {}}

    def choose(self, quick, full):
        return quick if self._quick else full

    def running(self, kinds, **options):
        return experiments.running(kinds, self.desktop, self.products, **options)

    def add(self, title, figures):
        self.results["figures"].update(told(title, figures))


def main():
    options = arguments()
    # Exit normally on SIGTERM. The default action would skip the cleanup and leave the started programs
    # running.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(1))
    products = {name: os.path.abspath(os.path.join(place, name)) for place, name in (
        (options.build, "minimal"), (options.build, "durable"), (options.build, "recorder"),
        (options.products, "cutied"), (options.products, "cutied-daemon"), (options.products, "herd"))}
    products["python"] = os.path.abspath(os.path.join(options.build, "venv", "bin", "python"))
    kinds, missing = present(products)
    desktop = Desktop(products["recorder"])
    try:
        with tempfile.TemporaryDirectory(prefix="bench-") as directory:
            run = Run(kinds, products, desktop, directory, options.quick)
            for name, part in PARTS.items():
                if options.only in (None, name):
                    part(run)
    finally:
        desktop.close()
    results = run.results
    results["missing"] = missing
    results["machine"] = "%s, Linux %s, %d processors" % (
        platform.machine(), platform.release().split("-")[0], os.cpu_count())
    if not options.only and not options.quick:
        keep(results)
    print(report.text(results))
    budgets = report.missed(results)
    print("\n".join(["Missed budgets:"] + budgets) if budgets else "All measured budgets are met.")
    # A quick run has too few samples to check the budgets.
    sys.exit(1 if budgets and not options.quick else 0)


def keep(results):
    report.save(results, os.path.join(RESULTS, "figures.json"))
    plot.sheet([plot.latency(results), plot.cost(results)], os.path.join(RESULTS, "plot.svg"))
    if "herd" in results:
        plot.sheet([plot.herd(results)], os.path.join(RESULTS, "herd.svg"))
    with open(os.path.join(RESULTS, "table.md"), "w") as file:
        file.write(report.text(results))
    report.insert(report.readme(results), os.path.join(HERE, "..", "README.md"))


if __name__ == "__main__":
    main()
