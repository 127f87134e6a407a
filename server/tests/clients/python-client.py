"""Python's Socket.IO client, unmodified: python python-client.py URL TOKEN COUNT [TRANSPORT]

Polls first and upgrades, as it does by default, or stays with one transport.
Prints {seq} at hello, then {seqs, transport} once it heard COUNT changes.

The asyncio client: the other one hands each message to a thread of its own, so that what it
hears in order is told in any.
"""

import asyncio
import json
import sys

import socketio

url, token, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
seqs = []
transports = sys.argv[4:] or None


def say(message):
    print(json.dumps(message), flush=True)


async def listen():
    client = socketio.AsyncClient()
    heard_all = asyncio.Event()

    @client.on("hello")
    def hello(message, _offset):
        say({"seq": message["seq"]})

    @client.on("RO_MODIFIED")
    def modified(message, _offset):
        seqs.append(message["seq"])
        if len(seqs) == count:
            say({"seqs": seqs, "transport": client.transport()})
            heard_all.set()

    await client.connect(url, auth={"token": token}, transports=transports, socketio_path="ws")
    gone = asyncio.create_task(client.wait())
    await asyncio.wait(
        [gone, asyncio.create_task(heard_all.wait())], return_when=asyncio.FIRST_COMPLETED
    )
    await client.disconnect()


asyncio.run(listen())
sys.exit(0 if len(seqs) == count else f"closed; heard {seqs}")
