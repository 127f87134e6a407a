"""A running server, as a browser or a program sees it."""

import asyncio
import http.client
import json
import socket
import ssl
import time

import aiohttp
import socketio

OWNER = "owner@example.com"
PASSWORD = "a-long-password-of-the-owner"

ORDERS = "RO Number,VIN,Vehicle,Customer,Promised Date Time,Opcode,Concern\n"


def order(number):
    return f"{number},1HGCM82633A004352,2003 Honda Accord EX,Lakeside Fleet,2026-02-24T11:00:00-06:00,LOF,Oil change due\n"


class Answer:
    def __init__(self, response):
        self.status, self.headers, self.body = response.status, response.headers, response.read()

    def json(self):
        return json.loads(self.body)


class Shop:
    """At an address; with a name and an authority by HTTPS, as a browser that finds the name in the DNS."""

    def __init__(self, address, port, name=None, authority=None):
        self.address, self.port = address, port
        self.name = name or f"{address}:{port}"
        self.tls = ssl.create_default_context(cafile=authority) if authority else None
        self.token = None

    def ask(self, method, path, body=None, headers=None):
        headers = {"Host": self.name, **(headers or {})}
        if self.token:
            headers.setdefault("Authorization", f"Bearer {self.token}")
        if isinstance(body, (dict, list)):
            body = json.dumps(body)
            headers["Content-Type"] = "application/json"
        connection = http.client.HTTPConnection(self.address, self.port, timeout=30)
        connection.connect()
        if self.tls:
            connection.sock = self.tls.wrap_socket(connection.sock, server_hostname=self.name)
        try:
            connection.request(method, path, body=body, headers=headers)
            return Answer(connection.getresponse())
        finally:
            connection.close()

    def wait_until_ready(self):
        end = time.monotonic() + 60
        while True:
            try:
                if self.ask("GET", "/readyz").status == 200:
                    return self
            except OSError:
                pass
            assert time.monotonic() < end, f"no server is ready at {self.address}:{self.port}"
            time.sleep(0.1)

    def sign_in(self, password=PASSWORD, headers=None):
        answer = self.ask("POST", "/api/auth/sign-in", {"email": OWNER, "password": password}, headers)
        if answer.status == 200:
            self.token = answer.json()["result"]["idToken"]
        return answer

    def orders(self):
        """The numbers of the open orders."""
        answer = self.ask("GET", "/api/repair-orders")
        assert answer.status == 200, answer.body
        return sorted({row["repairOrderNumber"] for row in answer.json()["result"]})

    def intake_key(self):
        answer = self.ask("POST", "/api/intake/keys", {"name": "package test"})
        assert answer.status in (200, 201), answer.body
        return answer.json()["result"]["key"]

    def take_in(self, orders, key):
        headers = {"Content-Type": "text/csv", "Authorization": f"Bearer {key}"}
        return self.ask("POST", "/api/intake/repair-orders", ORDERS + orders, headers)

    def hear(self, transport, change):
        """Opens the stream by that transport, makes the change, and gives the number of the order that was heard of."""
        return asyncio.run(asyncio.wait_for(self._hear(transport, change), 60))

    async def _hear(self, transport, change):
        scheme, tls = ("https", self.tls) if self.tls else ("http", False)
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(resolver=At(self.address), ssl=tls)) as session:
            client = socketio.AsyncClient(http_session=session)
            greeted, heard = asyncio.Event(), asyncio.get_running_loop().create_future()
            client.on("hello", lambda *_: greeted.set())
            client.on("RO_MODIFIED", lambda message, *_: heard.done() or heard.set_result(message["roNumber"]))
            url = f"{scheme}://{self.name}"
            await client.connect(url, auth={"token": self.token}, transports=[transport], socketio_path="ws")
            assert client.transport() == transport
            await greeted.wait()
            await asyncio.to_thread(change)
            number = await heard
            await client.disconnect()
            return number


class At(aiohttp.abc.AbstractResolver):
    """Finds every name at one address."""

    def __init__(self, address):
        self.address = address

    async def resolve(self, host, port=0, family=socket.AF_INET):
        return [{"hostname": host, "host": self.address, "port": port, "family": socket.AF_INET, "proto": 0, "flags": 0}]

    async def close(self):
        pass
