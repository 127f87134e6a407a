"""A Debian of its own: made from Debian's packages, booted with systemd, in a network of its own with this machine."""

import atexit
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

PACKAGES = Path(os.environ["PACKAGES"])
BASES = PACKAGES.parent / "package-tests"
NEEDED = ["systemd-sysv", "ca-certificates"]


def run(*command, check=True, **options):
    """The output of a command; what it says is shown where it fails."""
    done = subprocess.run([str(part) for part in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    if check and done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


def package(version=None):
    """The Debian package that was built, or that of a version."""
    found = sorted(PACKAGES.glob(f"dispatch_{version or '*'}_*.deb"), key=lambda file: file.stat().st_mtime)
    assert found, f"there is no package in {PACKAGES}: make packages"
    return found[-1]


def suite():
    """The release of Debian that is installed on: DEBIAN_SUITE, or this machine's."""
    if named := os.environ.get("DEBIAN_SUITE"):
        return named
    release = dict(line.split("=", 1) for line in Path("/etc/os-release").read_text().splitlines() if "=" in line)
    return release["VERSION_CODENAME"]


def base(name, packages, release=None):
    """A root with these packages. It is made once and then copied, since that takes a minute."""
    assert os.geteuid() == 0, "a Debian root can be made and booted by root alone"
    folder = BASES / f"{release or suite()}-{name}"
    if not folder.exists():
        unfinished = folder.with_name(folder.name + ".unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        BASES.mkdir(parents=True, exist_ok=True)
        run("mmdebstrap", "--quiet", "--variant=minbase", f"--include={','.join(packages)}", release or suite(), unfinished)
        unfinished.rename(folder)
    return folder


class DebianRoot:
    """Running from `boot` to `stop`. Commands run in it as its root."""

    # Of each root of this process its own.
    count = 0

    def __init__(self, name="plain", packages=()):
        DebianRoot.count += 1
        self.folder = Path(tempfile.mkdtemp(prefix="dispatch-debian-"))
        self.root = self.folder / "root"
        self.machine = f"dsp{os.getpid() % 100000}x{DebianRoot.count}"
        subnet = f"10.213.{os.getpid() % 250}"
        self.here, self.address = (f"{subnet}.{4 * DebianRoot.count + host}" for host in (1, 2))
        run("cp", "-a", base(name, [*NEEDED, *packages]), self.root)
        (self.root / "etc/resolv.conf").unlink(missing_ok=True)
        (self.root / "etc/hosts").write_text("127.0.0.1 localhost\n::1 localhost\n")
        atexit.register(self.stop)

    def boot(self):
        with (self.folder / "boot.log").open("w") as log:
            self.process = subprocess.Popen(
                ["systemd-nspawn", "--quiet", f"--directory={self.root}", f"--machine={self.machine}", "--boot", "--register=no",
                 "--keep-unit", "--console=pipe", "--network-veth", "--resolv-conf=off"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self._wait("its first process", lambda: self._children())
        self.leader = self._children()[0]
        self._wait("systemd", lambda: self.run("systemctl", "is-system-running", check=False).strip() in ("running", "degraded"))
        run("ip", "address", "add", f"{self.here}/30", "dev", f"ve-{self.machine}")
        run("ip", "link", "set", f"ve-{self.machine}", "up")
        self.in_network("ip", "address", "add", f"{self.address}/30", "dev", "host0")
        self.in_network("ip", "link", "set", "host0", "up")
        return self

    def _children(self):
        return run("pgrep", "--parent", str(self.process.pid), check=False).split()

    def _wait(self, what, ready):
        end = time.monotonic() + 120
        while not ready():
            assert self.process.poll() is None and time.monotonic() < end, (
                f"the Debian root did not start: {what}\n{(self.folder / 'boot.log').read_text()}")
            time.sleep(0.2)

    def run(self, *command, **options):
        return run("nsenter", "--target", self.leader, "--all", *command, **options)

    def in_network(self, *command, **options):
        """A program of this machine in the root's network."""
        return run("nsenter", "--target", self.leader, "--net", *command, **options)

    def as_dispatch(self, *command, **options):
        return self.run("runuser", "-u", "dispatch", "--", *command, **options)

    def install(self, file):
        """By apt, as a person does it who wants to answer no questions."""
        shutil.copy(file, self.root / "root" / file.name)
        return self.run("env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "--yes", "--quiet", f"/root/{file.name}")

    def write(self, path, text):
        """Keeps whose the file is, where there is one."""
        (self.root / path.lstrip("/")).write_text(text)

    def read(self, path):
        return (self.root / path.lstrip("/")).read_text()

    def log(self):
        return self.run("journalctl", "--unit=dispatch", "--output=cat", "--no-pager")

    def stop(self):
        atexit.unregister(self.stop)
        if hasattr(self, "process"):
            self.process.terminate()
            try:
                self.process.wait(timeout=60)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
