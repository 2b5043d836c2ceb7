"""The compared programs. Each program has its own API server."""
import os
import queue
import signal
import socket
import sqlite3
import subprocess
import tempfile
import threading
import time

from . import process
from .server import EventServer

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Contender:
    name = None

    def __init__(self, desktop, heartbeat=25.0, certificate=None):
        self.server = EventServer(heartbeat, certificate)
        self.environment = {
            "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "DBUS_SESSION_BUS_ADDRESS": desktop.address}
        if certificate:
            self.environment["CURL_CA_BUNDLE"] = certificate
        self.process = None

    def command(self):
        raise NotImplementedError

    def start(self):
        """Returns the time from the start to the request for the stream, in seconds."""
        self.server.expect_stream()
        started_at = time.monotonic_ns()
        # The batch policy of the systemd unit applies to every program, so that the comparison is fair.
        self.process = subprocess.Popen(
            ["chrt", "--batch", "0", *self.command()], env=self.environment, stdin=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True)
        self.started()
        self.server.wait_for_stream()
        return (self.server.opened_at - started_at) / 1e9

    def started(self):
        pass

    def stop(self):
        if self.process:
            ended, self.process = self.process, None
            os.killpg(ended.pid, signal.SIGTERM)
            try:
                ended.wait(timeout=60)
            except subprocess.TimeoutExpired:
                os.killpg(ended.pid, signal.SIGKILL)
                raise

    def close(self):
        self.stop()
        self.server.close()

    @property
    def pid(self):
        return self.process.pid

    def memory(self):
        return process.memory(self.pid)

    def cpu_ns(self):
        return process.cpu_ns(self.pid)


def frames(database):
    """Returns the number of pages in the write-ahead log of a database. The number only grows until the first
    checkpoint."""
    with open(database + "-wal", "rb") as file:
        page_size = int.from_bytes(file.read(12)[8:], "big")
        return (os.fstat(file.fileno()).st_size - 32) // (24 + page_size)


class CProgram(Contender):
    name = "C"

    def __init__(self, desktop, products, **options):
        super().__init__(desktop, **options)
        self._program = products["minimal"]

    def command(self):
        return [self._program, self.server.stream_url]


class DurableCProgram(Contender):
    name = "C, durable"

    def __init__(self, desktop, products, wrapper=(), configuration="", **options):
        super().__init__(desktop, **options)
        self._program, self._wrapper = products["durable"], list(wrapper)
        self._directory = tempfile.TemporaryDirectory(prefix="bench-durable-")

    def command(self):
        # Each start needs a new database, because the program always creates the tables.
        self.database = os.path.join(self._directory.name, "%d.db" % time.monotonic_ns())
        return self._wrapper + [self._program, self.server.stream_url, self.database]

    def close(self):
        super().close()
        self._directory.cleanup()


class Python(Contender):
    name = "python"

    def __init__(self, desktop, products, **options):
        super().__init__(desktop, **options)
        self._python = products["python"]

    def command(self):
        return [self._python, os.path.join(HERE, "minimal.py"), self.server.stream_url]


class Pipe(Contender):
    name = "curl | notify-send"

    def __init__(self, desktop, products, **options):
        super().__init__(desktop, **options)

    def command(self):
        return [os.path.join(HERE, "pipe.sh"), self.server.stream_url]


class Manager:
    """Receives the messages that a service sends to systemd. Reads continuously, because a full socket would
    block the service."""

    def __init__(self, path):
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(path)
        self._ready = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        with self._socket:
            while told := self._socket.recv(4096):
                if b"READY=1" in told:
                    self._ready.put(time.monotonic_ns())

    def wait_until_ready(self):
        return self._ready.get(timeout=120)

    def close(self):
        self._socket.shutdown(socket.SHUT_RDWR)


class Cutied(Contender):
    name = "cutied"

    def __init__(self, desktop, products, wrapper=(), configuration="", **options):
        super().__init__(desktop, **options)
        self._program, self._daemon, self._wrapper = products["cutied"], products["cutied-daemon"], list(wrapper)
        self.directory = tempfile.TemporaryDirectory(prefix="bench-cutied-")
        for place in ("CONFIG", "STATE", "CACHE"):
            self.environment["XDG_%s_HOME" % place] = os.path.join(self.directory.name, place)
        run = os.path.join(self.directory.name, "run")
        os.mkdir(run, 0o700)
        os.makedirs(os.path.join(self.directory.name, "CONFIG", "cutied"))
        with open(os.path.join(self.directory.name, "CONFIG", "cutied", "config.yaml"), "w") as file:
            file.write("app_id: app_bench\napi_url: %s\n%s" % (self.server.url, configuration))
            if "CURL_CA_BUNDLE" in self.environment:
                file.write("tls:\n  ca_file: %s\n" % self.environment.pop("CURL_CA_BUNDLE"))
        self.environment.update(
            HOME=self.directory.name, XDG_RUNTIME_DIR=run, WATCHDOG_USEC="120000000",
            NOTIFY_SOCKET=os.path.join(run, "notify"))
        self.database = os.path.join(self.environment["XDG_STATE_HOME"], "cutied", "cutied.db")
        self.socket = os.path.join(run, "cutied", "control.sock")
        self._manager = Manager(self.environment["NOTIFY_SOCKET"])
        self.ready_after = None
        self._count, self._newest = 0, 0

    def command(self):
        # `cutied run` replaces itself with the daemon, and valgrind does not follow that exec.
        program = self._daemon if self._wrapper else self._program
        return self._wrapper + [program, "run", "--log-level", "warning"]

    def started(self):
        started_at = time.monotonic_ns()
        self.ready_after = (self._manager.wait_until_ready() - started_at) / 1e9

    def ctl(self, *words):
        """Runs `cutied ctl` and returns its run time in seconds. The output is discarded."""
        silence = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
        started_at = time.monotonic()
        child = os.posix_spawn(
            self._program, [self._program, "ctl", *words], self.environment, file_actions=silence)
        _, status = os.waitpid(child, 0)
        if status != 0:
            raise RuntimeError("cutied ctl %s: %d" % (" ".join(words), os.waitstatus_to_exitcode(status)))
        return time.monotonic() - started_at

    def output_size(self, *words):
        """Returns the size of the output of `cutied ctl`, in bytes."""
        return len(subprocess.run(
            [self._program, "ctl", *words], env=self.environment, stdout=subprocess.PIPE, check=True).stdout)

    def stored(self):
        """Returns the number of messages that another process can read from the database."""
        database = sqlite3.connect("file:%s?mode=ro" % self.database, uri=True)
        try:
            # Counts only the messages that were stored after the previous call.
            count, newest = database.execute(
                "SELECT COUNT(*), MAX(row) FROM message WHERE row > ?", (self._newest,)).fetchone()
            self._count += count
            self._newest = newest or self._newest
            return self._count
        except sqlite3.OperationalError:
            return self._count
        finally:
            database.close()

    def wait_until_stored(self, count, limit=600):
        deadline = time.monotonic() + limit
        while self.stored() < count:
            if time.monotonic() > deadline:
                raise TimeoutError("%d of %d messages were stored" % (self.stored(), count))
            time.sleep(0.005)

    def close(self):
        super().close()
        self._manager.close()
        self.directory.cleanup()
