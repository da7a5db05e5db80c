#!/usr/bin/python3
"""Opens profiles in the real KCachegrind, one after the other, and prints what it shows about each as a line of JSON.

    read_kcachegrind.py FILE...

Runs inside `dbus-run-session xvfb-run`, see run.py. What KCachegrind shows is asked for through the accessibility bus
(AT-SPI), by which programs for the blind read windows: the status bar with the total and the number of parts, the list of
functions with their self costs, and what it complains about. This is Debian's own Python, as it has the bindings.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import pyatspi

SECONDS = 60
STATUS = re.compile(r"\[(\d+)\] - Total (.*) Cost: (.*)$")
SETTINGS = "[TipOfDay]\nRunOnStart=false\n[GeneralSettings]\nShowPercentage=false\nShowCycles=false\nMaxListCount=100000\n"


def start_accessibility():
    """The bus, and the registry in which programs enter themselves."""
    subprocess.Popen(["/usr/libexec/at-spi-bus-launcher", "--launch-immediately"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(1)
    pyatspi.Registry.getDesktop(0).childCount  # starts the registry


def names_below(widget, depth=0):
    """Names of labels. Not of what is in tables: there may be many thousands of cells."""
    if widget.getRoleName() == "label":
        yield widget.name
    if depth < 6 and "table" not in widget.getRoleName():
        for i in range(min(widget.childCount, 100)):
            child = widget.getChildAtIndex(i)
            if child is not None:
                yield from names_below(child, depth + 1)


def look():
    """Prints the labels of KCachegrind's windows. In a process of its own: the bindings remember what they saw."""
    for application in pyatspi.Registry.getDesktop(0):
        if application is not None and application.name == "kcachegrind":
            for name in names_below(application):
                print(name)


def status():
    """What the status bar says, if it does already."""
    try:
        labels = subprocess.run([sys.executable, __file__, "--look"], capture_output=True, timeout=20).stdout.decode("utf-8", "replace")
    except subprocess.TimeoutExpired:
        return None
    return next(filter(None, map(STATUS.search, labels.splitlines())), None)


def number(text):
    return int(re.sub(r"[^\d-]", "", text))


def observe(path, home):
    log = home / "log.txt"
    environment = os.environ | {"HOME": str(home), "XDG_CONFIG_HOME": str(home), "XDG_RUNTIME_DIR": str(home), "LC_ALL": "C.UTF-8",
                                "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1", "QT_ACCESSIBILITY": "1"}
    with log.open("wb") as errors:
        process = subprocess.Popen(["kcachegrind", path], env=environment, stdout=errors, stderr=errors)
    seen, end = None, time.monotonic() + SECONDS
    try:
        while seen is None and time.monotonic() < end and process.poll() is None:
            time.sleep(1.5)
            seen = status()
        answer = {"file": path, "loaded": seen is not None, "exit": process.poll()}
        if seen:
            answer |= {"parts": int(seen[1]), "event": seen[2], "total": number(seen[3])}
    finally:
        process.kill()
        process.wait()
    lines = log.read_text("utf-8", "replace").splitlines()
    answer["complaints"] = [line for line in lines if re.search(r"error|warning|fatal|redefinition|invalid|unknown|mismatch", line, re.I)
                            and "QStandardPaths" not in line]
    return answer


def main():
    if sys.argv[1:] == ["--look"]:
        look()
        return
    start_accessibility()
    with tempfile.TemporaryDirectory() as name:
        home = pathlib.Path(name)
        home.chmod(0o700)
        (home / "kcachegrindrc").write_text(SETTINGS)
        for path in sys.argv[1:]:
            print(json.dumps(observe(path, home)), flush=True)
            time.sleep(0.5)


if __name__ == "__main__":
    main()
