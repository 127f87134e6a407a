"""Python's Socket.IO client, unmodified: python python-client.py URL TOKEN COUNT

Prints {seq, transport} at hello, then {seqs} once it heard COUNT changes.
"""

import json
import sys

import socketio

url, token, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
seqs = []
client = socketio.Client(reconnection=False)


def say(message):
    print(json.dumps(message), flush=True)


@client.on("hello")
def hello(message, _offset):
    say({"seq": message["seq"], "transport": client.transport()})


@client.on("RO_MODIFIED")
def modified(message, _offset):
    seqs.append(message["seq"])
    if len(seqs) == count:
        say({"seqs": seqs})
        client.disconnect()


client.connect(url, auth={"token": token}, transports=["websocket"], socketio_path="ws")
client.wait()
sys.exit(0 if len(seqs) == count else f"closed; heard {seqs}")
