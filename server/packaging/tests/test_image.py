"""The image, and the binary alone, where there is nothing else."""

import hashlib
import json
import os
import shutil
import stat
import subprocess
import tempfile
import unittest
from pathlib import Path

from debian_root import PACKAGES, base, run, suite
from shop import OWNER, PASSWORD, Shop

BUILD = Path(__file__).parents[1] / "build"
PORT = 18471


def newest(pattern):
    found = sorted(PACKAGES.glob(pattern), key=lambda file: file.stat().st_mtime)
    assert found, f"there is no {pattern} in {PACKAGES}: make packages"
    return found[-1]


class Image(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="dispatch-image-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.archive = newest("*.oci.tar")

    def test_the_tools_of_containers_read_it(self):
        about = json.loads(run("skopeo", "inspect", f"oci-archive:{self.archive}"))
        self.assertEqual(about["Os"], "linux")
        self.assertEqual(len(about["Layers"]), 1)
        # Reads every blob, and compares its digest.
        run("skopeo", "copy", "--quiet", f"oci-archive:{self.archive}", f"docker-archive:{self.folder}/docker.tar:dispatch:test")

    def test_a_server_runs_in_it_as_its_user(self):
        run("skopeo", "copy", "--quiet", f"oci-archive:{self.archive}", f"oci:{self.folder}/layout:dispatch")
        run("umoci", "unpack", "--image", f"{self.folder}/layout:dispatch", self.folder / "bundle")
        bundle = json.loads((self.folder / "bundle/config.json").read_text())
        process, root = bundle["process"], self.folder / "bundle/rootfs"
        user = f"{process['user']['uid']}:{process['user']['gid']}"
        self.assertEqual(user, "10001:10001")
        self.assertEqual(process["args"], ["/usr/bin/dispatch", "serve"])
        self.assertEqual((root / "var/lib/dispatch").stat().st_mode & 0o777, 0o700)

        # What each container has from whatever runs it.
        (root / "dev").mkdir(exist_ok=True)
        for name, minor in (("null", 3), ("random", 8), ("urandom", 9)):
            os.mknod(root / "dev" / name, 0o666 | stat.S_IFCHR, os.makedev(1, minor))
            (root / "dev" / name).chmod(0o666)
        environment = dict(one.split("=", 1) for one in process["env"])
        self.assertEqual(environment["DISPATCH_LISTEN"], "0.0.0.0:8080")
        environment |= {"DISPATCH_LISTEN": f"127.0.0.1:{PORT}", "DISPATCH_TIME_ZONE": "America/Chicago"}
        chroot = [shutil.which("chroot"), f"--userspec={user}", str(root)]
        server = subprocess.Popen([*chroot, *process["args"]], env=environment)
        self.addCleanup(server.wait)
        self.addCleanup(server.terminate)
        shop = Shop("127.0.0.1", PORT).wait_until_ready()
        command = ["/usr/bin/dispatch", "user", "add", OWNER, "--name", "Owner", "--role", "Owner", "--password-stdin"]
        run(*chroot, *command, env=environment, input=PASSWORD)
        self.assertEqual(shop.sign_in().status, 200)
        self.assertIn(b"<div id=\"root\">", shop.ask("GET", "/").body)

    def test_the_same_source_gives_the_same_package_and_image(self):
        made = []
        for folder in (self.folder / "one", self.folder / "two"):
            run(BUILD, folder, env={**os.environ, "PACKAGE_BINARY": str(newest("dispatch_*_linux"))})
            [package, archive] = [next(folder.glob(pattern)) for pattern in ("*.deb", "*.oci.tar")]
            image = json.loads(run("skopeo", "inspect", f"oci-archive:{archive}"))["Digest"]
            made.append((hashlib.sha256(package.read_bytes()).hexdigest(), image))
        self.assertEqual(*made)


class Binary(unittest.TestCase):
    def setUp(self):
        self.root = Path(tempfile.mkdtemp(prefix="dispatch-binary-"))
        self.addCleanup(shutil.rmtree, self.root)
        self.binary = newest("dispatch_*_linux")

    def test_it_asks_for_no_library(self):
        self.assertNotIn("INTERP", run("readelf", "--program-headers", self.binary))

    def look_up(self, root):
        """Asks for a database at a name that the root's /etc/hosts has, on a port where nothing listens."""
        shutil.copy(self.binary, root / "dispatch")
        database = "postgres://dispatch@database.example.test:1/dispatch"
        return subprocess.run(
            [shutil.which("chroot"), root, "/dispatch", "migrate", "--data-dir", "/data", "--database-url", database, "--time-zone", "America/Chicago"],
            env={}, text=True, capture_output=True)

    def test_it_looks_names_up_in_a_root_that_has_nothing_else(self):
        (self.root / "etc").mkdir()
        (self.root / "etc/hosts").write_text("127.0.0.1 database.example.test\n")
        done = self.look_up(self.root)
        self.assertIn("Connection refused", done.stderr)
        self.assertEqual(done.returncode, 2)

    def test_it_looks_names_up_where_another_c_library_has_plug_ins_for_that(self):
        """They kill a static binary of glibc that loads them."""
        release = "trixie" if suite() != "trixie" else "bookworm"
        run("cp", "-a", base("plug-ins", ["libnss-myhostname"], release), self.root / "debian")
        root = self.root / "debian"
        (root / "etc/hosts").write_text("127.0.0.1 database.example.test\n")
        (root / "etc/nsswitch.conf").write_text("hosts: myhostname files dns\n")
        done = self.look_up(root)
        self.assertIn("Connection refused", done.stderr)
        self.assertEqual(done.returncode, 2)


if __name__ == "__main__":
    unittest.main()
