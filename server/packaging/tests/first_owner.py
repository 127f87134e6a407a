"""The first owner of a shop that has nobody, by the link that the server prints."""

import os
import re
import shutil
from pathlib import Path

from debian_root import run
from shop import OWNER, PASSWORD

PAGE = Path(__file__).with_name("set-up-page.mjs")


def chromium():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return found
    raise AssertionError("there is no Chromium: .ci/tools packages")


def set_up_link(log):
    """The newest link in the log; none where the build is from before there was one."""
    links = re.findall(r"https?://\S+/set-up\S+", log)
    return links[-1] if links else None


def set_up(link):
    """In Chromium, as the person does it who has just installed the package."""
    run("node", PAGE, link, OWNER, PASSWORD, env={**os.environ, "CHROMIUM": chromium()})
