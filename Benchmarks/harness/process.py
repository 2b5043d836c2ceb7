"""Figures from /proc about a running process and its children."""
import glob
import os
import time


def family(pid):
    """Returns the ids of the process and all its descendants."""
    children = []
    for path in glob.glob("/proc/%d/task/*/children" % pid):
        try:
            with open(path) as file:
                children += [int(child) for child in file.read().split()]
        except OSError:
            pass
    return [pid] + [each for child in children for each in family(child)]


def _fields(path):
    with open(path) as file:
        for line in file:
            name, _, value = line.partition(":")
            yield name, value.split()


def memory(pid):
    """Returns the resident, anonymous and proportional memory in kB, including all descendants."""
    total = {"VmRSS": 0, "RssAnon": 0, "Pss": 0}
    for each in family(pid):
        for path in ("/proc/%d/status" % each, "/proc/%d/smaps_rollup" % each):
            for name, value in _fields(path):
                if name in total:
                    total[name] += int(value[0])
    return total


def cpu_ns(pid):
    """Returns the CPU time in nanoseconds, including descendants, ended threads and reaped children."""
    ticks = os.sysconf("SC_CLK_TCK")
    total = 0
    for each in family(pid):
        # The CPU clock ID of the process, computed in the same way as in clock_getcpuclockid(3).
        total += time.clock_gettime_ns((~each << 3) | 2)
    with open("/proc/%d/stat" % pid) as file:
        fields = file.read().rpartition(")")[2].split()
    return total + (int(fields[13]) + int(fields[14])) * 1_000_000_000 // ticks


def faults(pid):
    """Returns the number of minor page faults (without disk access) of the process itself."""
    with open("/proc/%d/stat" % pid) as file:
        return int(file.read().rpartition(")")[2].split()[7])


def switches(pid):
    """Returns the context switches of all running threads: {thread: count}."""
    counts = {}
    for each in family(pid):
        for path in glob.glob("/proc/%d/task/*/status" % each):
            counts[path] = sum(
                int(value[0]) for name, value in _fields(path) if name.endswith("voluntary_ctxt_switches"))
    return counts


def switches_since(pid, before):
    return sum(count - before.get(thread, 0) for thread, count in switches(pid).items())
