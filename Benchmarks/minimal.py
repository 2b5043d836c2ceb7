"""A typical handwritten notifier: httpx and desktop-notifier, without stored state. Usage: minimal.py URL"""
import asyncio
import json
import sys

import httpx
from desktop_notifier import DesktopNotifier


async def main(url):
    notifier = DesktopNotifier(app_name="minimal.py")
    async with httpx.AsyncClient(timeout=None) as client, client.stream("GET", url) as stream:
        async for line in stream.aiter_lines():
            if line.startswith("data: "):
                message = json.loads(line[6:])["data"]["message"]
                await notifier.send(title=message["sender_name"], message=message["message"])


asyncio.run(main(sys.argv[1]))
