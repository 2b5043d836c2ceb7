"""The experiments. Each experiment returns plain numbers, whose names contain the units, such as ms or kB."""
import contextlib
import hashlib
import itertools
import os
import statistics
import subprocess
import sys
import threading
import time

from . import process
from .contenders import HERE as BENCHMARKS, Cutied, frames

HERE = os.path.join(BENCHMARKS, "harness")

# The pause before each event, in seconds. Real replies usually arrive one at a time, so the CPU caches should
# be cold. The pause also keeps the rate below the daemon's limit of 20 notifications per second, which would
# delay events.
PAUSE = 0.055
# The maximum number of visible notifications. With this number of conversations, each event replaces a
# notification, and no event is counted in the summary.
CONVERSATIONS = 5
# The wait after startup, in seconds. The daemon retries the keyring after 5 s, and later under valgrind.
SETTLED = 10


@contextlib.contextmanager
def running(kinds, desktop, products, **options):
    contenders = []
    try:
        for kind in kinds:
            contenders.append(kind(desktop, products, **options))
            contenders[-1].start()
        yield contenders
    finally:
        for contender in contenders:
            contender.close()


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def start(kinds, desktop, products, rounds):
    """Returns the time from exec to the request for the stream and, for cutied, to READY=1."""
    contenders = [kind(desktop, products) for kind in kinds]
    stream, ready = {each.name: [] for each in contenders}, []
    try:
        for _ in range(rounds + 1):
            for each in contenders:
                stream[each.name].append(each.start() * 1000)
                ready += [each.ready_after * 1000] if isinstance(each, Cutied) else []
                each.stop()
    finally:
        for each in contenders:
            each.close()
    # The first start is ignored because it creates the database and warms the caches.
    return {
        "start_to_stream_ms": {name: statistics.median(values[1:]) for name, values in stream.items()},
        "start_to_ready_ms": {Cutied.name: statistics.median(ready[1:])}}


def idle(contenders, heartbeats):
    """Returns the memory and the context switches of idle, connected programs."""
    time.sleep(SETTLED)
    memory = {each.name: each.memory() for each in contenders}
    before = {each.name: process.switches(each.pid) for each in contenders}
    heartbeat = contenders[0].server.heartbeat
    time.sleep(heartbeats * heartbeat)
    woken = {each.name: process.switches_since(each.pid, before[each.name]) for each in contenders}
    figures = {
        "idle_%s_kB" % key: {name: sizes[key] for name, sizes in memory.items()}
        for key in ("VmRSS", "RssAnon", "Pss")}
    figures["switches_per_heartbeat"] = {name: count / heartbeats for name, count in woken.items()}
    figures["switches_per_minute"] = {
        name: count * 60 / (heartbeats * heartbeat) for name, count in woken.items()}
    return figures


def event_by_event(contenders, desktop, rounds):
    """Returns the latency of single events, from the first sent byte to the call of Notify. The order of the
    contenders varies."""
    latency = {each.name: [] for each in contenders}
    cpu = {each.name: 0 for each in contenders}
    orders = itertools.cycle(itertools.permutations(contenders))
    for number in range(-20, rounds):
        if number == 0:
            cpu = {each.name: each.cpu_ns() for each in contenders}
        for each in next(orders):
            time.sleep(PAUSE)
            sent_at, shown_at = one_event(each, desktop, number)
            if number >= 0:
                latency[each.name].append((shown_at - sent_at) / 1e6)
    figures = {
        "latency_p%d_ms" % share: {n: percentile(v, share / 100) for n, v in latency.items()}
        for share in (50, 95, 99)}
    figures["cpu_per_event_ms"] = {
        each.name: (each.cpu_ns() - cpu[each.name]) / rounds / 1e6 for each in contenders}
    figures["latency_ms"] = latency
    return figures


def one_event(contender, desktop, number):
    """Sends an event. Returns the times of its first byte and of its Notify call."""
    text = "%s %d" % (contender.name, number)
    conversation = "conv_%d" % (number % CONVERSATIONS)
    sent_at = contender.server.send(contender.server.message(conversation, text))
    return sent_at, desktop.wait_for(text)


def used(contenders, desktop, rest):
    """Returns the memory after 30 and 300 events and after `rest` seconds without events, and the number of
    pages that an event writes."""
    memory, pages = {}, {}
    stores = [each for each in contenders if hasattr(each, "database")]
    for number in range(300):
        for each in contenders:
            time.sleep(PAUSE)
            one_event(each, desktop, number)
        if number + 1 in (30, 300):
            memory["used_%d" % (number + 1)] = {each.name: each.memory() for each in contenders}
            # Wait until each program has recorded that the last event was shown.
            time.sleep(PAUSE)
            pages[number + 1] = {each.name: frames(each.database) for each in stores}
    time.sleep(rest)
    memory["rested"] = {each.name: each.memory() for each in contenders}
    figures = {
        "%s_%s_kB" % (when, key): {name: sizes[key] for name, sizes in sizes_of.items()}
        for when, sizes_of in memory.items() for key in ("VmRSS", "RssAnon")}
    figures["pages"] = {name: (count - pages[30][name]) / 270 for name, count in pages[300].items()}
    return figures


class Evictor:
    """Replaces the content of the CPU caches, as other programs do between two replies."""

    def __init__(self, size=64 << 20):
        self._memory = bytearray(os.urandom(1 << 20)) * (size >> 20)

    def run(self):
        hashlib.sha1(self._memory).digest()
        # Start a Python interpreter, because the work of the kernel, the dynamic linker and the interpreter
        # evicts the code of the measured program from the CPU caches.
        subprocess.run([sys.executable, "-c", "import json, decimal, email.message"], check=True)


def cold(kinds, desktop, products, replies, pause):
    """Returns the cost of a reply after a long pause, which is typical of real replies. Starts each program
    `replies` times. After `pause` seconds without events, evicts the CPU caches and sends one reply to each
    process."""
    latency, cpu, faults = ({kind.name: [] for kind in kinds} for _ in range(3))
    evictor = Evictor()
    with running([kind for _ in range(replies) for kind in kinds], desktop, products) as contenders:
        for number in range(20):
            for each in contenders:
                one_event(each, desktop, number)
        time.sleep(pause)
        for number, each in enumerate(contenders):
            evictor.run()
            time.sleep(PAUSE)
            cpu_before, faults_before = each.cpu_ns(), process.faults(each.pid)
            sent_at, shown_at = one_event(each, desktop, 20 + number)
            time.sleep(0.2)
            latency[each.name].append((shown_at - sent_at) / 1e6)
            cpu[each.name].append((each.cpu_ns() - cpu_before) / 1e6)
            faults[each.name].append(process.faults(each.pid) - faults_before)
    medians = (("cold_p50_ms", latency), ("cold_cpu_ms", cpu), ("cold_faults", faults))
    return {key: {name: statistics.median(values) for name, values in found.items()} for key, found in medians}


@contextlib.contextmanager
def watching(daemon, count):
    """Connects `count` clients that watch the event log of the daemon, like `cutied ctl watch`."""
    watchers = subprocess.Popen(
        [sys.executable, os.path.join(HERE, "watchers.py"), daemon.socket, str(count)], stdout=subprocess.PIPE)
    try:
        if watchers.stdout.readline() != b"watching\n":
            raise RuntimeError("the watchers could not connect")
        yield
    finally:
        watchers.terminate()
        watchers.wait()


def watched(desktop, products, counts, rounds):
    """Returns the median latency of a reply in milliseconds, by the number of clients that watch the event log."""
    found = {}
    for count in counts:
        with running([Cutied], desktop, products) as [daemon], watching(daemon, count):
            found[count] = event_by_event([daemon], desktop, rounds)["latency_p50_ms"][daemon.name]
    return found


def flood(contender, desktop, count, conversations=200, chunk=100):
    """Returns the growth of the anonymous memory after `count` replies, in kB."""
    time.sleep(2)
    before = contender.memory()["RssAnon"]
    shown = desktop.count
    for first in range(0, count, chunk):
        contender.server.send(b"".join(
            contender.server.message("conv_%d" % (number % conversations), "flood %d" % number)
            for number in range(first, first + chunk)))
    if isinstance(contender, Cutied):
        contender.wait_until_stored(count)
        settle(contender)
    else:
        while desktop.count < shown + count:
            time.sleep(0.1)
    time.sleep(5)
    return contender.memory()["RssAnon"] - before


def burst(contender, first, count, conversations=500):
    """Returns the throughput in replies per second, until another process can read all replies, and the CPU
    time per reply in milliseconds."""
    base = contender.stored()
    chunk = b"".join(
        contender.server.message("conv_%d" % (number % conversations), "burst word%d" % number)
        for number in range(first, first + count))
    cpu, began_at = contender.cpu_ns(), time.monotonic()
    contender.server.send(chunk)
    contender.wait_until_stored(base + count)
    elapsed = time.monotonic() - began_at
    return {"per_second": count / elapsed, "cpu_ms": (contender.cpu_ns() - cpu) / count / 1e6}


def ctl(contender, rounds, *words):
    """Returns the median run time of a `cutied ctl` process in milliseconds."""
    return statistics.median(contender.ctl(*words) for _ in range(rounds)) * 1000


def ctl_p95(contender, rounds, *words):
    """Returns the 95th percentile of the run time of a `cutied ctl` process in milliseconds."""
    return percentile([contender.ctl(*words) for _ in range(rounds)], 0.95) * 1000


def during_search(daemon, desktop, rounds=20):
    """Returns the maximum time from a reply to its notification, in milliseconds, while another process searches for
    a word that every message contains."""
    ended = threading.Event()

    def search():
        while not ended.is_set():
            daemon.ctl("search", "burst", "--limit", "1000", "--json")

    searching = threading.Thread(target=search)
    searching.start()
    try:
        latencies = []
        for number in range(rounds):
            time.sleep(PAUSE)
            sent_at, shown_at = one_event(daemon, desktop, number)
            latencies.append((shown_at - sent_at) / 1e6)
        return max(latencies)
    finally:
        ended.set()
        searching.join()


def history(desktop, products, levels):
    """Returns the cost of an event and of queries by the number of stored messages: {messages: figures}."""
    found = {}
    with running([Cutied], desktop, products) as [daemon]:
        # With notifications on, a million replies would take 15 minutes, because the daemon shows one summary
        # of 1000 replies per second.
        daemon.ctl("notifications", "off")
        stored = 0
        for level in levels:
            step = {}
            while stored < level:
                count = min(10_000, level - stored)
                step = burst(daemon, stored, count, conversations=2000)
                stored += count
            settle(daemon)
            daemon.ctl("notifications", "on")
            found[level] = {
                "burst_per_second": step["per_second"], "burst_cpu_ms": step["cpu_ms"],
                "event_cpu_ms": one_more(daemon, stored), "RssAnon_kB": daemon.memory()["RssAnon"],
                "inbox_ms": ctl(daemon, 5, "inbox", "--limit", "20", "--json"),
                "search_rare_p95_ms": ctl_p95(daemon, 20, "search", "word%d" % (level // 2), "--json"),
                "search_common_p95_ms": ctl_p95(daemon, 20, "search", "burst", "--json"),
                "during_search_ms": during_search(daemon, desktop)}
            daemon.ctl("notifications", "off")
            stored = daemon.stored()
    return found


def settle(daemon, limit=240):
    """Waits until the daemon has announced all replies. The daemon shows one summary per second, with at
    most 1000 replies."""
    deadline = time.monotonic() + limit
    while time.monotonic() < deadline:
        before = daemon.cpu_ns()
        time.sleep(2)
        if daemon.cpu_ns() - before < 10_000_000:
            return


def one_more(daemon, first, rounds=100):
    """Returns the CPU time of a single event in milliseconds."""
    cpu = daemon.cpu_ns()
    for number in range(first, first + rounds):
        daemon.server.send(daemon.server.message("conv_%d" % (number % CONVERSATIONS), "one %d" % number))
        daemon.wait_until_stored(number + 1)
        time.sleep(PAUSE)
    return (daemon.cpu_ns() - cpu) / rounds / 1e6


def under_callgrind(desktop, products, directory, count, chunk, configuration="", kind=Cutied):
    """Runs a daemon with `count` replies under callgrind and reads the profile."""
    output = os.path.join(directory, "callgrind.out")
    # Strip the debug information, because older versions of valgrind fail if they cannot read it.
    bare = os.path.join(directory, "cutied-daemon")
    subprocess.run(["strip", "--strip-debug", "-o", bare, products["cutied-daemon"]], check=True)
    wrapper = ["valgrind", "-q", "--tool=callgrind", "--callgrind-out-file=" + output]
    products = dict(products, **{"cutied-daemon": bare})
    with running([kind], desktop, products, wrapper=wrapper, configuration=configuration) as [daemon]:
        time.sleep(SETTLED)
        for first in range(0, count, chunk):
            time.sleep(0 if configuration else PAUSE)
            daemon.server.send(b"".join(
                daemon.server.message("conv_%d" % (number % CONVERSATIONS), "callgrind %d" % number)
                for number in range(first, first + chunk)))
            if configuration:
                daemon.wait_until_stored(first + chunk, limit=120)
            else:
                desktop.wait_for("callgrind %d" % (first + chunk - 1), limit=120)
    with open(output) as file:
        return file.readlines()


def instructions(desktop, products, directory, counts, chunk, configuration="", kind=Cutied):
    """Returns the instructions per event according to callgrind. The difference of two runs excludes the startup."""
    totals = []
    for count in counts:
        account = under_callgrind(desktop, products, directory, count, chunk, configuration, kind)
        totals += [int(line.split()[1]) for line in account if line.startswith("summary:")]
    return (totals[1] - totals[0]) / (counts[1] - counts[0])


def herd(program):
    """Runs the simulation. Returns {scenario: [arrivals per second]}."""
    lines = subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()
    scenarios = {}
    for line in lines[1:]:
        name, _, count = line.split(";")
        scenarios.setdefault(name, []).append(int(count))
    return scenarios
