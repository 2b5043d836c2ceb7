#!/usr/bin/env python3
"""Lists the functions that the daemon calls for a reply, in the order of their first calls. `make build` passes the
list to the linker, which places these functions next to each other. See decision 90."""
import argparse
import itertools
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict

from harness import experiments
from harness.contenders import Cutied
from harness.desktop import Desktop

# The number of replies before the recording, so that caches are initialized.
WARM_UP = 10
# The number of recorded replies.
RECORDED = 10
# The maximum distance in bytes of two functions in order. Few functions are larger.
NEAR = 8192


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default=".build/bench", help="where recorder is")
    parser.add_argument("--products", default=".build/release", help="where cutied and cutied-daemon are")
    parser.add_argument("--check", action="store_true", help="checks that the daemon is linked in the order of the list")
    parser.add_argument("list", help="the file for the list")
    return parser.parse_args()


def record(desktop, products, directory):
    """Records some replies with callgrind. Returns the path of the profile."""
    profile = os.path.join(directory, "callgrind.out")
    # Strip the debug information, because older versions of valgrind fail if they cannot read it.
    daemon_program = os.path.join(directory, "cutied-daemon")
    subprocess.run(["strip", "--strip-debug", "-o", daemon_program, products["cutied-daemon"]], check=True)
    wrapper = [
        "valgrind", "-q", "--tool=callgrind", "--callgrind-out-file=" + profile, "--instr-atstart=no",
        "--dump-instr=yes", "--compress-strings=no", "--compress-pos=no", "--demangle=no"]
    products = dict(products, **{"cutied-daemon": daemon_program})
    with experiments.running([Cutied], desktop, products, wrapper=wrapper) as [daemon]:
        time.sleep(experiments.SETTLED)
        numbers = itertools.count()
        show_replies(daemon, desktop, numbers, WARM_UP)
        switch_recording(daemon, desktop, numbers, "on")
        show_replies(daemon, desktop, numbers, RECORDED)
        switch_recording(daemon, desktop, numbers, "off")
    return profile


def show_replies(daemon, desktop, numbers, count):
    for number in itertools.islice(numbers, count):
        experiments.one_event(daemon, desktop, number)
        time.sleep(experiments.PAUSE)


def switch_recording(daemon, desktop, numbers, state):
    """Switches the recording on or off. Sends replies meanwhile, because callgrind may not handle the command while the
    daemon sleeps."""
    command = subprocess.Popen(
        ["callgrind_control", "-i", state, str(daemon.pid)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(100):
        show_replies(daemon, desktop, numbers, 1)
        if command.poll() == 0:
            return
    command.kill()
    raise TimeoutError("callgrind did not switch the recording " + state)


def read_calls(profile):
    """Returns the functions of the daemon, and {caller: {callee: address of the first call}} for all functions."""
    own, calls = set(), defaultdict(dict)
    program = caller = callee = None
    is_call = False
    with open(profile) as file:
        for line in file:
            key, _, value = line.rstrip("\n").partition("=")
            # callgrind appends a quote and a number to the name of a recursive function.
            if key == "ob":
                program = os.path.basename(value)
            elif key == "fn":
                caller = value.split("'")[0]
                if program == "cutied-daemon":
                    own.add(caller)
            elif key == "cfn":
                callee = value.split("'")[0]
            elif key == "calls":
                # The next line begins with the address of the call.
                is_call = True
            elif is_call:
                calls[caller].setdefault(callee, int(line.split()[0], 16))
                is_call = False
    return own, calls


def first_calls(calls):
    """Returns all functions, each function before the functions that it calls."""
    called = {callee for callees in calls.values() for callee in callees}
    # Start with the functions that no other function calls, such as the event loop.
    waiting = sorted(calls, key=lambda function: (function not in called, function))
    order = {}
    while waiting:
        function = waiting.pop()
        if function not in order:
            order[function] = None
            waiting += sorted(calls[function], key=calls[function].get, reverse=True)
    return list(order)


def share_in_order(program, functions):
    """Returns the share of the functions that the linker placed just after the previous function of the list."""
    places = defaultdict(list)
    symbols = subprocess.run(["nm", "--defined-only", program], capture_output=True, text=True, check=True).stdout
    for line in symbols.splitlines():
        address, _, name = line.split(maxsplit=2)
        places[name].append(int(address, 16))
    # Ignore names that several local functions have.
    known = [places[name][0] for name in functions if len(places[name]) == 1]
    return sum(0 <= after - before < NEAR for before, after in zip(known, known[1:])) / max(1, len(functions))


def check(program, path):
    """Exits with an error if most of the functions in the list are not in order, as in an unordered daemon."""
    with open(path) as file:
        share = share_in_order(program, file.read().split())
    if share < 0.5:
        sys.exit("order.py: only %d %% of the functions that a reply needs are in order in %s" % (share * 100, program))


def main():
    options = arguments()
    if options.check:
        return check(os.path.join(options.products, "cutied-daemon"), options.list)
    for tool in ("dbus-daemon", "valgrind"):
        if not shutil.which(tool):
            sys.exit("order.py: %s is not installed; `make deps` installs it" % tool)
    # Exit normally on SIGTERM. The default action would skip the cleanup and leave the started programs running.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(1))
    products = {name: os.path.abspath(os.path.join(options.products, name)) for name in ("cutied", "cutied-daemon")}
    desktop = Desktop(os.path.abspath(os.path.join(options.build, "recorder")))
    try:
        with tempfile.TemporaryDirectory(prefix="order-") as directory:
            own, calls = read_calls(record(desktop, products, directory))
    finally:
        desktop.close()
    # callgrind names functions without a symbol by their address.
    functions = [name for name in first_calls(calls) if name in own and not name.startswith("0x")]
    with open(options.list, "w") as file:
        file.writelines(name + "\n" for name in functions)
    print("a reply calls %d functions of the daemon" % len(functions))


if __name__ == "__main__":
    main()
