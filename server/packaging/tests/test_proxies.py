"""The examples for Caddy and nginx, in front of the installed server."""

import re
import unittest

import trustme

from debian_root import DebianRoot, package
from shop import OWNER, PASSWORD, Shop, order

EXAMPLES = "/usr/share/doc/dispatch/examples"
NAME = "desk.example.test"
CERTIFICATE = "/etc/ssl/desk.pem"


class Proxies(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.debian = DebianRoot("proxies", ["caddy", "nginx-light"]).boot()
        cls.addClassCleanup(cls.debian.stop)
        cls.debian.run("systemctl", "stop", "caddy", "nginx")
        cls.debian.install(package())
        options = cls.debian.read("/etc/dispatch/dispatch.toml").replace("desk.example.com", NAME)
        cls.debian.write("/etc/dispatch/dispatch.toml", re.sub(r"^#(public-url|trusted-proxy)", r"\1", options, flags=re.MULTILINE))
        cls.debian.run("systemctl", "restart", "dispatch")
        cls.debian.as_dispatch("dispatch", "user", "add", OWNER, "--name", "Owner", "--role", "Owner", "--password-stdin", input=PASSWORD)
        authority = trustme.CA()
        cls.authority = cls.debian.folder / "authority.pem"
        authority.cert_pem.write_to_path(str(cls.authority))
        certificate = authority.issue_cert(NAME)
        cls.debian.write(CERTIFICATE, certificate.private_key_and_cert_chain_pem.bytes().decode())

    def test_caddy(self):
        text = self.debian.read(f"{EXAMPLES}/Caddyfile").replace("desk.example.com", NAME)
        tls = f"tls {CERTIFICATE} {CERTIFICATE}"
        self.debian.write("/etc/caddy/Caddyfile", text.replace(f"\n{NAME} {{\n", f"\n{NAME} {{\n\t{tls}\n"))
        self.through("caddy")

    def test_nginx(self):
        text = self.debian.read(f"{EXAMPLES}/nginx.conf").replace("desk.example.com", NAME)
        self.debian.write("/etc/nginx/sites-enabled/dispatch", re.sub(r"/etc/letsencrypt/\S+\.pem", CERTIFICATE, text))
        (self.debian.root / "etc/nginx/sites-enabled/default").unlink(missing_ok=True)
        self.through("nginx")

    def through(self, proxy):
        started = self.debian.run("systemctl", "start", proxy, check=False)
        self.assertEqual(started, "", self.debian.run("journalctl", "--unit", proxy, "--output=cat", "--no-pager"))
        self.addCleanup(self.debian.run, "systemctl", "stop", proxy)
        self.shop = Shop(self.debian.address, 443, NAME, self.authority).wait_until_ready()
        self.page()
        self.sign_in()
        self.stream()
        self.bodies()
        self.client_address()

    def page(self):
        page = self.shop.ask("GET", "/")
        self.assertIn(b"<div id=\"root\">", page.body)
        self.assertIn("max-age", page.headers["Strict-Transport-Security"])
        asset = re.search(rb"/assets/[^\"]+\.js", page.body)[0].decode()
        for _ in range(2):
            answer = self.shop.ask("GET", asset, headers={"Accept-Encoding": "gzip"})
            self.assertEqual((answer.status, answer.headers["Content-Encoding"]), (200, "gzip"))
            self.assertIn("immutable", answer.headers["Cache-Control"])
        plain = Shop(self.debian.address, 80, NAME).ask("GET", "/")
        self.assertEqual(plain.headers["Location"], f"https://{NAME}/")

    def sign_in(self):
        answer = self.shop.sign_in()
        self.assertEqual(answer.status, 200)
        for word in ("Secure", "HttpOnly", "SameSite=Strict"):
            self.assertIn(word, answer.headers["Set-Cookie"])

    def stream(self):
        key = self.shop.intake_key()
        first = max(self.shop.orders(), default=500_000) + 1
        for number, transport in enumerate(["websocket", "polling"], first):
            heard = self.shop.hear(transport, lambda: self.shop.take_in(order(number), key))
            self.assertEqual(heard, number)

    def bodies(self):
        answer = self.shop.ask("POST", "/api/repair-orders/update-status", {"data": [], "padding": "x" * 300_000})
        self.assertEqual((answer.status, answer.json()["ok"]), (413, False))
        # More than a proxy lets through by itself.
        answer = self.shop.take_in(order(600_001) * 40_000, self.shop.intake_key())
        self.assertEqual(answer.status, 200, answer.body[:500])

    def client_address(self):
        """This machine's in the root's network; what it says itself is not believed."""
        answer = self.shop.sign_in("wrong-" + PASSWORD, headers={"X-Forwarded-For": "203.0.113.9"})
        self.assertEqual(answer.status, 401)
        refused = [line for line in self.debian.log().splitlines() if "reason=wrong-password" in line]
        self.assertIn(f"address={self.debian.here} ", refused[-1])


if __name__ == "__main__":
    unittest.main()
