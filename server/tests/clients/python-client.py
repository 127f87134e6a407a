"""Python's Socket.IO client, unmodified: python python-client.py URL TOKEN COUNT [TRANSPORT]

Polls first and upgrades, as it does by default, or stays with one transport.
Prints {seq} at hello, then {seqs, transport} once it heard COUNT changes.
"""

import json
import sys

import socketio

url, token, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
seqs = []
transports = sys.argv[4:] or None
client = socketio.Client()


def say(message):
    print(json.dumps(message), flush=True)


@client.on("hello")
def hello(message, _offset):
    say({"seq": message["seq"]})


@client.on("RO_MODIFIED")
def modified(message, _offset):
    seqs.append(message["seq"])
    if len(seqs) == count:
        say({"seqs": seqs, "transport": client.transport()})
        client.disconnect()


client.connect(url, auth={"token": token}, transports=transports, socketio_path="ws")
client.wait()
sys.exit(0 if len(seqs) == count else f"closed; heard {seqs}")
