#!/usr/bin/python3
"""Opens a profile in the real KCachegrind and prints what it shows of it as JSON.

    read_kcachegrind.py FILE

Runs inside `dbus-run-session xvfb-run`, see run.py. The status bar with the total and the number of parts is asked for
through the accessibility bus (AT-SPI), by which programs for the blind read windows; what KCachegrind complains about is on
its standard error. This is Debian's own Python, as it has the bindings.
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

SECONDS = float(os.environ.get("KCACHEGRIND_SECONDS", 45))  # for its window
STATUS = re.compile(r"\[(\d+)\] - Total (.*) Cost: (.*)$")
SETTINGS = "[TipOfDay]\nRunOnStart=false\n"


def start_accessibility():
    """The bus, and the registry in which programs enter themselves."""
    subprocess.Popen(["/usr/libexec/at-spi-bus-launcher", "--launch-immediately"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(1)
    subprocess.run([sys.executable, __file__, "--look"], capture_output=True, timeout=20)  # starts the registry


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
    environment = os.environ | {"HOME": str(home), "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1", "QT_ACCESSIBILITY": "1"}
    with log.open("wb") as errors:
        process = subprocess.Popen(["kcachegrind", path], env=environment, stdout=errors, stderr=errors)
    seen, end = None, time.monotonic() + SECONDS
    try:
        while seen is None and time.monotonic() < end and process.poll() is None:
            time.sleep(3)  # who is asked while its windows open may never answer
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
        (home / ".config").mkdir()
        (home / ".config/kcachegrindrc").write_text(SETTINGS)
        print(json.dumps(observe(sys.argv[1], home)))


if __name__ == "__main__":
    main()
