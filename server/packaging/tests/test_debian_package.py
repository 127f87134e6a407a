"""A shop on a fresh Debian, from the installation of its package to the purge."""

import os
import re
import signal
import time
import unittest
from pathlib import Path

from debian_root import PACKAGES, DebianRoot, package, run
from first_owner import set_up, set_up_link
from shop import ORDERS, OWNER, PASSWORD, Shop, order

BUILD = Path(__file__).parents[1] / "build"
OPTIONS = "/etc/dispatch/dispatch.toml"
OLDER = "0.0.1"


def older_package():
    """The package that is upgraded: PREVIOUS_PACKAGE, of an older build, or the same binary with a lower version."""
    if named := os.environ.get("PREVIOUS_PACKAGE"):
        return Path(named)
    [binary] = PACKAGES.glob("dispatch_*_linux")
    folder = PACKAGES.parent / "package-tests" / "older"
    run(BUILD, folder, env={**os.environ, "PACKAGE_VERSION": OLDER, "PACKAGE_BINARY": str(binary)})
    return max(folder.glob("*.deb"), key=lambda file: file.stat().st_mtime)


class DebianPackage(unittest.TestCase):
    def setUp(self):
        self.debian = DebianRoot().boot()
        self.addCleanup(self.debian.stop)
        self.shop = Shop(self.debian.address, 8080)

    def test_a_shop_is_installed_set_up_backed_up_upgraded_restored_removed_and_purged(self):
        self.install()
        self.set_up()
        self.import_orders(104301, 104302)
        backup = self.back_up()
        self.upgrade()
        self.tell_root_what_the_service_cannot_use()
        self.import_orders(104303)
        self.come_back_after_a_kill()
        self.come_back_after_a_hang()
        self.restore(backup)
        self.remove_and_install_again()
        self.purge()

    def install(self):
        said = self.debian.install(older_package())
        self.assertIn("journalctl -u dispatch", said)
        self.assertEqual(self.state(), "active")
        self.assertEqual(self.debian.run("systemctl", "is-enabled", "dispatch").strip(), "enabled")
        ready = self.debian.in_network("curl", "--silent", "--fail", "http://127.0.0.1:8080/readyz")
        self.assertIn("ok", ready)
        modes = self.debian.run("stat", "--format=%U:%G %a %n", "/var/lib/dispatch", "/var/backups/dispatch", OPTIONS)
        self.assertEqual(modes.splitlines(), [
            "dispatch:dispatch 700 /var/lib/dispatch",
            "dispatch:dispatch 700 /var/backups/dispatch",
            f"root:dispatch 640 {OPTIONS}",
        ])
        self.assertEqual(self.debian.run("systemd-analyze", "verify", "--man=no", "dispatch.service"), "")
        # From 0, as closed as can be, to 10.
        exposure = self.debian.run("systemd-analyze", "security", "--no-pager", "dispatch.service")
        self.assertLess(float(re.search(r"exposure level for dispatch.service: (\S+)", exposure)[1]), 2, exposure)
        memory = Path(f"/proc/{self.server()}/maps")
        self.assertNotIn(".so", memory.read_text(), "a static server has loaded a library")

    def set_up(self):
        text = self.debian.read(OPTIONS)
        self.debian.write(OPTIONS, text.replace("#listen = ", "listen = ").replace("127.0.0.1:8080", f"{self.debian.address}:8080"))
        self.debian.run("systemctl", "restart", "dispatch")
        link = set_up_link(self.debian.log())
        if link:
            set_up(link)
        else:
            self.assertIn("PREVIOUS_PACKAGE", os.environ, "the server has printed no set-up link")
            command = ["dispatch", "user", "add", OWNER, "--name", "Owner", "--role", "Owner", "--password-stdin"]
            self.debian.as_dispatch(*command, input=PASSWORD)
        self.assertEqual(self.shop.sign_in().status, 200)

    def import_orders(self, *numbers):
        """Beside the running server."""
        self.debian.write("/srv/orders.csv", ORDERS + "".join(map(order, numbers)))
        self.debian.as_dispatch("dispatch", "import", "/srv/orders.csv")
        self.assertLessEqual(set(numbers), set(self.shop.orders()))

    def back_up(self):
        said = self.debian.as_dispatch("dispatch", "backup", "--to", "/var/backups/dispatch")
        return re.search(r"/var/backups/dispatch/\S+\.sqlite", said)[0]

    def upgrade(self):
        before, options = self.server(), self.debian.read(OPTIONS)
        self.debian.install(package())
        self.shop.wait_until_ready()
        self.assertNotEqual(self.server(), before)
        self.assertEqual(self.debian.read(OPTIONS), options)
        self.assertEqual(self.shop.sign_in().status, 200)
        self.assertEqual(self.shop.orders(), [104301, 104302])

    def tell_root_what_the_service_cannot_use(self):
        self.debian.run("mkdir", "/srv/roots-own")
        found = self.debian.run("dispatch", "doctor", "--data-dir", "/srv/roots-own", check=False)
        self.assertIn("the service of the package runs as dispatch, who cannot use it", found)
        self.debian.run("tee", "/root/orders.csv", input=ORDERS + order(104399))
        refused = self.debian.as_dispatch("dispatch", "import", "/root/orders.csv", check=False)
        self.assertIn("this runs as the user dispatch, who may not read it; copy it", refused)

    def come_back_after_a_kill(self):
        before = self.server()
        os.kill(before, signal.SIGKILL)
        self.shop.wait_until_ready()
        self.assertNotEqual(self.server(), before)
        self.assertEqual(self.shop.orders(), [104301, 104302, 104303])

    def come_back_after_a_hang(self):
        """The unit's watchdog, with shorter times."""
        shorter = "[Service]\nWatchdogSec=2\nTimeoutAbortSec=1\nRestartSec=100ms\n"
        self.debian.run("mkdir", "--parents", "/run/systemd/system/dispatch.service.d")
        self.debian.run("tee", "/run/systemd/system/dispatch.service.d/shorter.conf", input=shorter)
        self.debian.run("systemctl", "daemon-reload")
        self.debian.run("systemctl", "restart", "dispatch")
        self.shop.wait_until_ready()
        before = self.server()
        os.kill(before, signal.SIGSTOP)
        while Path(f"/proc/{before}").exists():
            time.sleep(0.1)
        self.shop.wait_until_ready()
        self.assertIn("Watchdog timeout", self.debian.log())
        self.assertEqual(self.shop.orders(), [104301, 104302, 104303])

    def restore(self, backup):
        restore = ["dispatch", "restore", backup]
        self.debian.run("systemctl", "stop", "dispatch")
        refused = self.debian.run(*restore, "--replace", check=False)
        self.assertIn("runuser -u dispatch -- dispatch", refused)
        refused = self.debian.as_dispatch(*restore, check=False)
        self.assertIn("--replace", refused)
        self.debian.as_dispatch(*restore, "--replace")
        self.debian.run("systemctl", "start", "dispatch")
        self.shop.wait_until_ready()
        self.assertEqual(self.shop.sign_in().status, 200)
        self.assertEqual(self.shop.orders(), [104301, 104302])

    def remove_and_install_again(self):
        self.apt("remove")
        self.assertFalse((self.debian.root / "usr/bin/dispatch").exists())
        self.assertTrue((self.debian.root / "etc/dispatch/dispatch.toml").exists())
        self.assertRaises(OSError, self.shop.ask, "GET", "/readyz")
        self.debian.install(package())
        self.shop.wait_until_ready()
        self.assertEqual(self.shop.sign_in(PASSWORD).status, 200)
        self.assertEqual(self.shop.orders(), [104301, 104302])

    def purge(self):
        said = self.apt("purge")
        self.assertIn("/var/lib/dispatch is kept", said)
        self.assertIn("/var/backups/dispatch is kept", said)
        self.assertIn("userdel dispatch", said)
        self.assertTrue((self.debian.root / "var/lib/dispatch/dispatch.sqlite").exists())
        left = self.debian.run("find", "/etc", "/usr", "-name", "dispatch", "-o", "-name", "dispatch.*")
        self.assertEqual(left, "")

    def apt(self, command):
        return self.debian.run("apt-get", command, "--yes", "--quiet", "dispatch")

    def state(self):
        return self.debian.run("systemctl", "is-active", "dispatch", check=False).strip()

    def server(self):
        """The server's process, as this machine numbers it."""
        for process in run("pgrep", "--full", "^/usr/bin/dispatch serve").split():
            if os.readlink(f"/proc/{process}/ns/pid") == os.readlink(f"/proc/{self.debian.leader}/ns/pid"):
                return int(process)
        raise AssertionError("no server runs in the Debian root\n" + self.debian.log())


class Lintian(unittest.TestCase):
    def test_debians_own_checker_has_nothing_against_the_package(self):
        said = run("lintian", "--allow-root", "--fail-on=error,warning", package())
        self.assertEqual(said, "")


if __name__ == "__main__":
    unittest.main()
