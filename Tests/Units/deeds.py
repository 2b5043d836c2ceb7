#!/usr/bin/python3
"""Tries actions ("deeds") that the options of the unit forbid. Prints one line per deed: `NAME<tab>RESULT`.

A result is `done`, the name of an error, or a value; options.py compares the results with and without an option. A call
that needs missing privileges gets invalid arguments: then the kernel returns EINVAL, but a filter returns EPERM.
"""
import ctypes, errno, mmap, os, platform, resource, socket, stat, subprocess, sys, time

libc = ctypes.CDLL(None, use_errno=True)
KEYCTL = {"x86_64": 250}.get(platform.machine(), 219)
AF_PACKET, AF_VSOCK, SCHED_FIFO, CLONE_NEWUSER = 17, 40, 1, 0x10000000
PR_CAPBSET_READ, CAP_SYS_MODULE, KEY_SPEC_SESSION_KEYRING = 23, 16, -3
MAP_PRIVATE_ANONYMOUS = 0x22


def call(name, *arguments):
    """Calls a function of libc. Returns `done` or the name of the error."""
    result = getattr(libc, name)(*arguments)
    return "done" if result != -1 else errno.errorcode[ctypes.get_errno()]


def attempt(deed):
    """Calls a Python function. Returns its result, `done` or the name of the error."""
    try:
        return deed() or "done"
    except OSError as error:
        return errno.errorcode.get(error.errno, str(error))
    except ValueError:
        return "EPERM"


def in_child(deed):
    """Runs an irreversible deed in a child process. Returns its result, or the signal that ended the child."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writer, deed().encode())
        os._exit(0)
    os.close(writer)
    status = os.waitpid(child, 0)[1]
    text = os.read(reader, 200).decode()
    os.close(reader)
    return "signal %d" % os.WTERMSIG(status) if os.WIFSIGNALED(status) else text


def write_and_execute():
    """Maps memory that is writable and executable."""
    libc.mmap.restype = ctypes.c_void_p
    size, none = ctypes.c_size_t(4096), ctypes.c_long(0)
    page = libc.mmap(None, size, mmap.PROT_WRITE | mmap.PROT_EXEC, MAP_PRIVATE_ANONYMOUS, -1, none)
    return "done" if page != ctypes.c_void_p(-1).value else errno.errorcode[ctypes.get_errno()]


def foreign_call():
    """Makes a 32-bit system call: `mov $20, %eax; int $0x80; ret` calls getpid."""
    if platform.machine() != "x86_64":
        return "no second table"
    code = os.open(scratch + "/code", os.O_RDWR | os.O_CREAT, 0o700)
    os.write(code, b"\xb8\x14\x00\x00\x00\xcd\x80\xc3")
    libc.mmap.restype = ctypes.c_void_p
    size, none = ctypes.c_size_t(4096), ctypes.c_long(0)
    page = libc.mmap(None, size, mmap.PROT_READ | mmap.PROT_EXEC, mmap.MAP_PRIVATE, code, none)
    return "done" if ctypes.CFUNCTYPE(ctypes.c_int)(page)() == os.getpid() else "EPERM"


def setuid_program():
    """Returns the effective user of a running setuid program of root."""
    quiet = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(["su"], **quiet) as su:
        # The user of the new process changes shortly after its start, so this code waits for the change.
        deadline, user = time.monotonic() + 1, ""
        while user != "0" and time.monotonic() < deadline:
            with open("/proc/%d/status" % su.pid) as status:
                user = next(line.split()[2] for line in status if line.startswith("Uid:"))
        try:
            su.kill()
        except PermissionError:
            su.stdin.close()
    return "user " + user


def make(path, mode=0o666):
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY, mode))
    found = os.stat(path).st_mode
    os.unlink(path)
    return stat.filemode(found)


def set_user_bit():
    path = scratch + "/bit"
    os.close(os.open(path, os.O_CREAT, 0o700))
    os.chmod(path, 0o4700)


def cgroup(name):
    with open("/proc/self/cgroup") as lines:
        own = next(line for line in lines if line.startswith("0::"))[3:].strip()
    return "/sys/fs/cgroup%s/%s" % (own, name)


def limit_of(name):
    return open(cgroup(name)).read().strip() if os.path.exists(cgroup(name)) else "no controller"


def make_cgroup():
    os.mkdir(cgroup("deed"))
    os.rmdir(cgroup("deed"))


def crowd():
    """Creates 100 children that run at the same time."""
    children = []
    try:
        for _ in range(100):
            child = os.fork()
            if child == 0:
                os.read(silence[0], 1)
                os._exit(0)
            children.append(child)
        return "done"
    finally:
        for child in children:
            os.kill(child, 9)
            os.waitpid(child, 0)


def descriptors():
    """Returns the number of descriptors that can be open; `done` if there is no low limit."""
    opened = []
    try:
        while len(opened) < 20000:
            opened.append(os.dup(0))
        return "done"
    except OSError:
        return "%d" % (len(opened) + 4)
    finally:
        for descriptor in opened:
            os.close(descriptor)


def devices():
    modes = [entry.stat(follow_symlinks=False).st_mode for entry in os.scandir("/dev")]
    return "%d devices" % sum(map(stat.S_ISCHR, modes))


def connect(path):
    socket.socket(socket.AF_UNIX).connect(path)


def field(name):
    with open("/proc/self/status") as lines:
        return next(line.split()[1] for line in lines if line.startswith(name + ":"))


def mounted(path):
    return "read-only" if os.statvfs(path).f_flag & os.ST_RDONLY else "writable"


token, work = sys.argv[1], sys.argv[2]
scratch = work + "/state/cutied"
silence = os.pipe()
runtime = os.environ["XDG_RUNTIME_DIR"]
fifo = ctypes.byref(ctypes.c_int(1000))

deeds = {
    "setuid": lambda: attempt(setuid_program),
    "umask": lambda: attempt(lambda: make(scratch + "/mode")),
    "personality": lambda: in_child(lambda: call("personality", 8)),
    "write-execute": write_and_execute,
    "packet-socket": lambda: attempt(lambda: socket.socket(AF_PACKET, socket.SOCK_RAW).close()),
    "vsock-socket": lambda: attempt(lambda: socket.socket(AF_VSOCK, socket.SOCK_STREAM).close()),
    "user-namespace": lambda: in_child(lambda: call("unshare", CLONE_NEWUSER)),
    "realtime": lambda: call("sched_setscheduler", 0, SCHED_FIFO, fifo),
    "setuid-bit": lambda: attempt(set_user_bit),
    "foreign-call": lambda: in_child(foreign_call),
    "ptrace": lambda: in_child(lambda: call("ptrace", 0, 0, None, None)),
    "mount": lambda: call("mount", None, None, None, 0, None),
    "clock": lambda: call("clock_settime", 9999, ctypes.byref((ctypes.c_long * 2)())),
    "setuid-call": lambda: call("setuid", os.getuid()),
    "priority": lambda: in_child(lambda: call("setpriority", 0, 0, 1)),
    "keyring-call": lambda: call("syscall", KEYCTL, 0, KEY_SPEC_SESSION_KEYRING, 0),
    "filtered-call": lambda: in_child(lambda: call("mount", None, None, None, 0, None)),
    "session-keyring": lambda: str(libc.syscall(KEYCTL, 0, KEY_SPEC_SESSION_KEYRING, 0)),
    "descriptors": lambda: attempt(descriptors),
    "core": lambda: attempt(lambda: resource.setrlimit(resource.RLIMIT_CORE, (1 << 20, 1 << 20))),
    "memory-high": lambda: limit_of("memory.high"),
    "memory-max": lambda: limit_of("memory.max"),
    "crowd": lambda: attempt(crowd) if limit_of("pids.max") != "no controller" else "no controller",
    "owner-of-root": lambda: "user %d" % os.stat("/").st_uid,
    "bounding-set": lambda: field("CapBnd"),
    "devices": devices,
    "mount-namespace": lambda: os.readlink("/proc/self/ns/mnt"),
    "name-namespace": lambda: os.readlink("/proc/self/ns/uts"),
    "others-temporary": lambda: attempt(lambda: open("/tmp/" + token).close()),
    "make-cgroup": lambda: attempt(make_cgroup),
    "read-home": lambda: attempt(lambda: open(os.path.expanduser("~/." + token)).close()),
    "kernel-log": lambda: stat.filemode(os.stat("/proc/kmsg").st_mode),
    "modules": lambda: "allowed %d" % libc.prctl(PR_CAPBSET_READ, CAP_SYS_MODULE),
    "tunables": lambda: mounted("/proc/sys"),
    "system": lambda: mounted("/usr"),
    "others-processes": lambda: attempt(lambda: open("/proc/1/cmdline").close()),
    # The operations that the stricter tier must allow or deny. WANTED in restrictions.py contains the
    # results.
    "write-state": lambda: attempt(lambda: make(scratch + "/file")),
    "write-cache": lambda: attempt(lambda: make(work + "/cache/cutied/file")),
    "read-config": lambda: attempt(lambda: open(work + "/config/cutied/config.yaml").close()),
    "write-config": lambda: attempt(lambda: make(work + "/config/cutied/file")),
    "change-config": lambda: attempt(lambda: open(work + "/config/cutied/config.yaml", "r+").close()),
    "remove-config": lambda: attempt(lambda: os.unlink(work + "/config/cutied/config.yaml")),
    "write-runtime": lambda: attempt(lambda: make(runtime + "/file-of-" + token)),
    "write-socket-directory": lambda: attempt(lambda: make(work + "/socket/file")),
    "session-bus": lambda: attempt(lambda: connect(runtime + "/bus")),
    "manager": lambda: attempt(lambda: connect(runtime + "/systemd/private")),
    "credential": lambda: attempt(lambda: open(os.environ["CREDENTIALS_DIRECTORY"] + "/cutied").close()),
}

for name in sys.argv[3:]:
    print(name, deeds[name](), sep="\t", flush=True)
