#!/usr/bin/env python3
"""Sends a question to the developer of an app and waits for the reply. Needs `pip install varlink`."""
import os
import sys

import varlink

if len(sys.argv) < 3:
    sys.exit("usage: answers.py APP_ID WORDS [API_URL]")
app_id, words, *rest = sys.argv[1:]
directory = os.environ.get("XDG_RUNTIME_DIR", f"/run/user/{os.getuid()}")
socket = os.environ.get("CUTIED_ACCESS_SOCKET", directory + "/cutied/access/access.sock")
try:
    client = varlink.Client.new_with_address("unix:" + socket)
    # A connection handles one call at a time, and `Watch` keeps its connection busy, so `Watch` needs a second
    # connection.
    with client.open("io.cutied.Access") as access, client.open("io.cutied.Access") as stream:
        # The first call asks the user whether the app may receive replies.
        access.Configure(appId=app_id, appName="Python example", apiUrl=rest[0] if rest else None)
        for entry in stream.Watch(_more=True):
            message = entry.get("message")
            if entry["type"] == "snapshot":
                sent = access.CreateConversation(category="question", message=words)
                print("queued until the network is back" if sent["queued"] else "sent", flush=True)
            elif message and not message["own"]:
                print(f"{message.get('senderName') or 'Support'}: {message['message']}")
                access.MarkRead(conversation=message["conversationId"])
                break
except OSError:
    sys.exit(f"cutied is not running: no process listens at {socket}")
except varlink.VarlinkError as error:
    sys.exit(f"{error.error()} {error.parameters() or ''}")
