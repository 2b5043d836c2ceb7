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
    parser.add_argument("--quick", action="store_true", help="a few minutes; keeps no result")
    return parser.parse_args()


def present(products):
    """Returns the contenders that can run on this machine, and a reason for each missing one."""
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


def measure(kinds, products, desktop, quick, directory):
    flood = 10_000 if quick else 100_000
    results = {"contenders": [kind.name for kind in kinds], "flood": flood}
    figures = told("start", experiments.start(kinds, desktop, products, 3 if quick else 10))
    heartbeat = 5.0 if quick else 25.0
    with experiments.running(kinds, desktop, products, heartbeat=heartbeat) as contenders:
        figures.update(told("idle", experiments.idle(contenders, 3)))
        figures.update(told("event by event", experiments.event_by_event(
            contenders, desktop, 100 if quick else 500)))
        daemon = contenders[-1]
        figures["ctl_status_ms"] = {daemon.name: told("ctl status", experiments.ctl(
            daemon, 10 if quick else 50, "status"))}
    with experiments.running(kinds, desktop, products, heartbeat=heartbeat) as contenders:
        figures.update(told("used and rested", experiments.used(contenders, desktop, 15 if quick else 600)))
    encrypted = {"heartbeat": heartbeat, "certificate": certificate(directory)}
    with experiments.running([CProgram, DurableCProgram, Cutied], desktop, products, **encrypted) as contenders:
        memory = told("idle over TLS", experiments.idle(contenders, 1))
        figures["idle_tls_RssAnon_kB"] = memory["idle_RssAnon_kB"]
    figures["flood_kB"] = {}
    for kind in (CProgram, Cutied):
        with experiments.running([kind], desktop, products) as [contender]:
            figures["flood_kB"][kind.name] = told("flood of " + kind.name, experiments.flood(
                contender, desktop, flood))
    bursts = []
    for _ in range(3):
        with experiments.running([Cutied], desktop, products) as [daemon]:
            bursts.append(told("burst", experiments.burst(daemon, 0, 10_000))["per_second"])
    figures["burst_per_second"] = {Cutied.name: sorted(bursts)[1]}
    levels = (1000, 20_000) if quick else (1000, 100_000, 1_000_000)
    results["history"] = told("history", experiments.history(desktop, products, levels))
    if shutil.which("valgrind"):
        counts = (40, 80) if quick else (100, 300)
        figures["instructions_shown"] = {kind.name: told("callgrind of " + kind.name, experiments.instructions(
            desktop, products, directory, counts, 1, kind=kind)) / 1000 for kind in (DurableCProgram, Cutied)}
        figures["instructions_stored"] = {Cutied.name: experiments.instructions(
            desktop, products, directory, (counts[0] * 10, counts[1] * 10), 50,
            "notifications:\n  enabled: false\n") / 1000}
    results["figures"] = figures
    if os.path.exists(products["herd"]):
        results["herd"] = told("herd", experiments.herd(products["herd"]))
    return results


def main():
    options = arguments()
    # The default action of SIGTERM would skip the cleanup and leave the started programs running.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(1))
    products = {name: os.path.abspath(os.path.join(place, name)) for place, name in (
        (options.build, "minimal"), (options.build, "durable"), (options.build, "recorder"),
        (options.products, "cutied"), (options.products, "cutied-daemon"), (options.products, "herd"))}
    products["python"] = os.path.abspath(os.path.join(options.build, "venv", "bin", "python"))
    kinds, missing = present(products)
    desktop = Desktop(products["recorder"])
    try:
        with tempfile.TemporaryDirectory(prefix="bench-") as directory:
            results = measure(kinds, products, desktop, options.quick, directory)
    finally:
        desktop.close()
    results["missing"] = missing
    results["machine"] = "%s, Linux %s, %d processors" % (
        platform.machine(), platform.release().split("-")[0], os.cpu_count())
    prefix = os.path.join(RESULTS, "quick-" if options.quick else "")
    report.save(results, prefix + "figures.json")
    plot.sheet([plot.latency(results), plot.cost(results)], prefix + "plot.svg")
    if "herd" in results:
        plot.sheet([plot.herd(results)], prefix + "herd.svg")
    with open(prefix + "table.md", "w") as file:
        file.write(report.text(results))
    print(report.text(results))


if __name__ == "__main__":
    main()
