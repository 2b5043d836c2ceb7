"""What /proc tells of a running program and its children."""
import glob
import os
import time


def family(pid):
    """The process and all below it."""
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
    """Resident, anonymous and proportional size in kB, of the whole family."""
    total = {"VmRSS": 0, "RssAnon": 0, "Pss": 0}
    for each in family(pid):
        for path in ("/proc/%d/status" % each, "/proc/%d/smaps_rollup" % each):
            for name, value in _fields(path):
                if name in total:
                    total[name] += int(value[0])
    return total


def cpu_ns(pid):
    """CPU time of the process with its ended threads and children, in nanoseconds."""
    ticks = os.sysconf("SC_CLK_TCK")
    total = 0
    for each in family(pid):
        # The process-wide scheduler clock of another process, as clock_getcpuclockid(3) makes it.
        total += time.clock_gettime_ns((~each << 3) | 2)
    with open("/proc/%d/stat" % pid) as file:
        fields = file.read().rpartition(")")[2].split()
    return total + (int(fields[13]) + int(fields[14])) * 1_000_000_000 // ticks


def switches(pid):
    """Context switches of every thread that lives: {thread: count}."""
    counts = {}
    for each in family(pid):
        for path in glob.glob("/proc/%d/task/*/status" % each):
            counts[path] = sum(
                int(value[0]) for name, value in _fields(path) if name.endswith("voluntary_ctxt_switches"))
    return counts


def switches_since(pid, before):
    return sum(count - before.get(thread, 0) for thread, count in switches(pid).items())
