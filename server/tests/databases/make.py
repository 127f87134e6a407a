#!/usr/bin/env python3
"""Keeps a small shop as a build of the product left it, to be opened by every later one.

    make.py BINARY NAME                 writes NAME.sqlite.gz and NAME.sqlite.json
    make.py BINARY NAME POSTGRES_URL    writes NAME.postgres.gz and NAME.postgres.json; the database must be empty

NAME is the newest migration's (m0029) or, once there are releases, the version. The .json file is what that build
answers about the shop. Run with no other server on the machine's port 8099; the data is made up.
"""

import gzip
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

HERE = Path(__file__).parent
URL = "http://127.0.0.1:8099"
OWNER = "owner@example.com"
PASSWORD = "a long password"

# What is asked of the shop, then and now; no answer depends on the time at which it is asked.
ASKED = {
    "orders": "/api/repair-orders",
    "history": "/api/repair-orders/1/history",
    "closed": "/api/repair-orders/8",
    "stories": "/api/repair-orders/1/jobs/1/stories",
    "skills": "/api/repair-orders/skills",
    "entries": "/api/technicians/11/clock/entries?from=2026-01-01&to=2026-01-31",
    "organisation": "/api/organisation",
    "rules": "/api/opcode-rules",
    "boards": "/api/boards",
    "users": "/api/users",
}


def orders():
    for number in range(1, 9):
        yield {
            "repairOrderNumber": number,
            "customer": f"Customer {number}",
            "vehicle": "2024 Subaru Outback",
            "vin": f"4S4BTACC0R3{number:06}",
            "advisor": "Ann Advisor",
            "openDateTime": "2026-01-05T08:30:00Z",
            "promisedDateTime": "2026-01-06T17:00:00Z",
            "jobs": [
                {"jobNumber": 1, "opcode": "BRK1", "concern": "Brakes squeal when cold", "soldHours": 1.5},
                {"jobNumber": 2, "opcode": "LOF", "concern": "Oil change", "soldHours": 0.5},
            ],
        }


class Shop:
    def __init__(self):
        self.token = None

    def call(self, method, path, body=None):
        request = urllib.request.Request(URL + path, method=method)
        request.add_header("Content-Type", "application/json")
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        data = None if body is None else json.dumps(body).encode()
        try:
            with urllib.request.urlopen(request, data) as answer:
                answered = json.load(answer)
        except urllib.error.HTTPError as error:
            sys.exit(f"{method} {path}: {error.code} {error.read().decode()}")
        if not answered.get("ok"):
            sys.exit(f"{method} {path}: {answered}")
        return answered.get("result", answered)

    def work(self):
        signed_in = self.call("POST", "/api/auth/sign-in", {"email": OWNER, "password": PASSWORD})
        self.token = signed_in["idToken"]
        skills = [{"skillName": "Brakes", "skillLevel": 3}, {"skillName": "Oil change", "skillLevel": 1}]
        self.call("POST", "/api/repair-orders/skills", {"data": skills})
        ids = [skill["idSkill"] for skill in self.call("GET", "/api/repair-orders/skills")]
        for number, name in [(11, "Ann Kowalczyk"), (14, "Jean-Luc Fournier")]:
            self.call("POST", "/api/technicians", {"idTechnician": number, "displayName": name})
        self.call("PUT", f"/api/technicians/11/skills/{ids[0]}", {})
        self.call("POST", "/api/opcode-rules", {"pattern": "BRK*", "idSkill": ids[0], "level": 2})
        self.call("POST", "/api/organisation/levels", {"name": "Main shop"})
        self.call("POST", "/api/boards", {"name": "By the gate", "layout": "shop-floor"})
        for number, status in [(1, 10), (2, 11), (3, 12), (4, 13)]:
            entry = {"repairOrderNumber": number, "idStatus": status}
            self.call("POST", "/api/repair-orders/update-status", {"data": [entry]})
            entry = {"roNumber": number, "priorityLevel": number % 3 + 1}
            self.call("POST", "/api/repair-orders/update-priority", {"data": [entry]})
        for number, technician in [(1, 11), (1, 14), (2, 14), (8, 11)]:
            assignment = {"repairOrderNumber": number, "idTechnician": technician}
            self.call("POST", "/api/repair-orders/technicians/assign", assignment)
        self.call(
            "POST",
            "/api/technicians/11/clock/entries",
            {"startedAt": "2026-01-05T14:00:00Z", "endedAt": "2026-01-05T15:30:00Z", "reason": "Forgotten"},
        )
        texts = {"cause": "Pads at 2 mm", "briefTechNotes": "Replaced pads", "techStory": "Replaced the pads."}
        self.call("PATCH", "/api/repair-orders/1/jobs/1", texts)
        self.call("PATCH", "/api/repair-orders/1/jobs/1", {"techStory": "Replaced the front pads."})
        self.call("POST", "/api/repair-orders/8/close", {})


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    binary, name, *postgres = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        place = ["--data-dir", folder, "--time-zone", "America/Chicago"]
        for url in postgres:
            place += ["--database-url", url]
        add = [binary, "user", "add", OWNER, "--role", "Owner", "--password-stdin", *place]
        subprocess.run(add, input=PASSWORD.encode(), check=True)
        take = [binary, "import", "-", "--format", "json", *place]
        subprocess.run(take, input=json.dumps(list(orders())).encode(), check=True)
        server = subprocess.Popen([binary, "serve", "--listen", URL.removeprefix("http://"), *place])
        try:
            wait_until_ready()
            shop = Shop()
            shop.work()
            answers = {what: {"path": path, "result": shop.call("GET", path)} for what, path in ASKED.items()}
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait()
        # A trial write fills it with random bytes.
        empty = "UPDATE write_probe SET payload = ''"
        if postgres:
            subprocess.run(["psql", "--quiet", "--command", empty, postgres[0]], check=True)
            dump = ["pg_dump", "--inserts", "--no-owner", "--no-privileges", postgres[0]]
            sql = subprocess.run(dump, capture_output=True, check=True, text=True).stdout
            # psql's own commands are for psql alone.
            sql = "".join(line for line in sql.splitlines(True) if not line.startswith("\\"))
            keep(f"{name}.postgres", sql.encode(), answers)
        else:
            copy = os.path.join(folder, "copy.sqlite")
            with sqlite3.connect(os.path.join(folder, "dispatch.sqlite")) as database:
                database.execute(empty)
                database.commit()
                database.execute("VACUUM INTO ?", (copy,))
            keep(f"{name}.sqlite", Path(copy).read_bytes(), answers)


def wait_until_ready():
    for _ in range(200):
        try:
            urllib.request.urlopen(f"{URL}/readyz").close()
            return
        except OSError:
            time.sleep(0.1)
    sys.exit("the server does not start")


def keep(name, database, answers):
    (HERE / f"{name}.gz").write_bytes(gzip.compress(database, mtime=0))
    (HERE / f"{name}.json").write_text(json.dumps(answers, indent=1, ensure_ascii=False) + "\n")


main()
