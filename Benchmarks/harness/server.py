"""A server with the parts of the API that the daemon needs. The benchmark decides which events the server sends."""
import json
import random
import socket
import ssl
import threading
import time
import uuid

STREAM = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"


class EventServer:
    """The server of one contender, which sends events to the stream that was opened last."""

    def __init__(self, heartbeat=25.0, certificate=None):
        """Starts the server. Uses TLS if `certificate` is the path of a file with a certificate and its key."""
        self._tls = None
        if certificate:
            self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self._tls.load_cert_chain(certificate)
        self.heartbeat = heartbeat
        self.conversations = {}
        self.events = 0
        self.opened_at = None
        self._stream = None
        self._open = threading.Event()
        self._sending = threading.Lock()
        self._closed = threading.Event()
        self._chance = random.Random(1)
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.url = "http%s://127.0.0.1:%d" % ("s" if self._tls else "", self._listener.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()
        threading.Thread(target=self._beat, daemon=True).start()

    @property
    def stream_url(self):
        return self.url + "/v1/events/stream"

    def expect_stream(self):
        self._open.clear()

    def wait_for_stream(self, limit=30):
        if not self._open.wait(limit):
            raise TimeoutError("nobody opened the stream of " + self.url)

    def close(self):
        self._closed.set()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        if self._stream:
            self._stream.close()

    def message(self, conversation, text):
        """Returns the encoded event for a new reply."""
        self.events += 1
        held = self.conversations.setdefault(conversation, {"unread": 0, "messages": []})
        held["unread"] += 1
        now = int(time.time() * 1000)
        message_id = "msg_%s" % uuid.UUID(int=self._chance.getrandbits(128), version=4)
        return self._event("message.created", now, {
            "conversation_id": conversation,
            "message": {
                "message_id": message_id, "conversation_id": conversation, "sender_type": "admin",
                "sender_name": "Ann", "message": text, "message_type": "text",
                "is_internal_note": False, "created_at": now},
            "unread_count": held["unread"],
            "total_unread": sum(each["unread"] for each in self.conversations.values())
            if len(self.conversations) < 10 else None,
            "conversation": {"title": "Rotating crashes", "category": "bug", "status": "waiting_user"}})

    def read(self, conversation):
        """Returns the encoded event for a conversation that another device has read."""
        self.events += 1
        self.conversations.setdefault(conversation, {"messages": []})["unread"] = 0
        return self._event("conversation.read", int(time.time() * 1000), {
            "conversation_id": conversation, "unread_count": 0})

    def _event(self, kind, now, data):
        event = {"id": "evt_%012d" % self.events, "type": kind, "created_at": now, "data": data}
        text = json.dumps(event, separators=(",", ":"))
        return ("id: %s\nevent: %s\ndata: %s\n\n" % (event["id"], kind, text)).encode()

    def send(self, chunk):
        """Sends `chunk`. Returns the time before the first byte was sent, CLOCK_MONOTONIC in nanoseconds."""
        with self._sending:
            sent_at = time.monotonic_ns()
            self._stream.sendall(chunk)
            return sent_at

    def _beat(self):
        while not self._closed.wait(self.heartbeat):
            if self._open.is_set():
                try:
                    self.send(b":\n\n")
                except OSError:
                    pass

    def _accept(self):
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        try:
            connection = self._tls.wrap_socket(connection, server_side=True) if self._tls else connection
            reader = connection.makefile("rb")
            while request := reader.readline().split():
                length = 0
                while (header := reader.readline().strip()):
                    name, _, value = header.partition(b":")
                    if name.lower() == b"content-length":
                        length = int(value)
                reader.read(length)
                if self._answer(connection, request[0].decode(), request[1].decode().split("?")[0]):
                    return
        except OSError:
            pass

    def _answer(self, connection, method, path):
        """Responds to a request. Returns True if the connection is now the event stream."""
        if path == "/v1/events/stream":
            self.opened_at = time.monotonic_ns()
            connection.sendall(STREAM + b": welcome\nretry: 1000\n\n")
            self._stream = connection
            self._open.set()
            return True
        answers = {
            ("POST", "/v1/device/register"): {"device_token": "token", "token_id": "1", "is_new": True},
            ("GET", "/v1/conversations"): {"conversations": [], "total_unread": 0}}
        answer = answers.get((method, path))
        body = json.dumps(answer or {"error": "not here"}).encode()
        status = "200 OK" if answer else "404 Not Found"
        connection.sendall(
            ("HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % (
                status, len(body))).encode() + body)
        return False
