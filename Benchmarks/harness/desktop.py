"""A private session bus with a recording notification server."""
import os
import queue
import subprocess
import tempfile
import threading
import time

CONFIGURATION = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path=%s</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
<allow own="*"/></policy></busconfig>
"""


class Desktop:
    """A desktop that records the calls of Notify. `wait_for` waits for a specific call."""

    def __init__(self, recorder):
        self._directory = tempfile.TemporaryDirectory(prefix="bench-bus-")
        path = os.path.join(self._directory.name, "bus")
        configuration = path + ".conf"
        with open(configuration, "w") as file:
            file.write(CONFIGURATION % path)
        self.address = "unix:path=" + path
        self._bus = subprocess.Popen(
            ["dbus-daemon", "--nofork", "--print-address=1", "--config-file=" + configuration],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self._bus.stdout.readline()
        self._recorder = subprocess.Popen(
            [recorder], stdout=subprocess.PIPE, text=True,
            env={"PATH": os.environ["PATH"], "DBUS_SESSION_BUS_ADDRESS": self.address})
        self._recorder.stdout.readline()
        self.count = 0
        self._shown = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self._recorder.stdout:
            at, _, text = line.rstrip("\n").partition(" ")
            self.count += 1
            self._shown.put((int(at), text))

    def wait_for(self, text, limit=30):
        """Waits for a notification whose last line is `text`. Returns the time of its call: CLOCK_MONOTONIC, nanoseconds."""
        deadline = time.monotonic() + limit
        while True:
            at, shown = self._shown.get(timeout=max(0.001, deadline - time.monotonic()))
            if shown == text:
                return at

    def close(self):
        for process in (self._recorder, self._bus):
            process.terminate()
            process.wait()
        self._directory.cleanup()
