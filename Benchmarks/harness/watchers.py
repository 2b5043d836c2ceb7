"""Clients that watch the event log of the daemon. Run in a separate process, so that reading does not delay
the measurement.
Usage: watchers.py SOCKET COUNT"""
import selectors
import socket
import sys

CALL = b'{"method":"io.cutied.Control.Watch","parameters":{},"more":true}\0'


def main(path, count):
    selector = selectors.DefaultSelector()
    for _ in range(count):
        client = socket.socket(socket.AF_UNIX)
        client.connect(path)
        client.sendall(CALL)
        # The first reply confirms that the daemon has registered the client as a watcher.
        if b"snapshot" not in client.recv(1 << 16):
            sys.exit("the daemon refused to be watched")
        selector.register(client, selectors.EVENT_READ)
    print("watching", flush=True)
    while True:
        for key, _ in selector.select():
            if not key.fileobj.recv(1 << 16):
                sys.exit("the daemon closed a connection")


main(sys.argv[1], int(sys.argv[2]))
