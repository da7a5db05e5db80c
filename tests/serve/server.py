"""A `callcost view` that runs, and ways to talk to it: plain sockets, so that what is wrong can be said, too."""

import contextlib
import http.client
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import time

SECONDS = 60  # nothing takes so long
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROFILE = ROOT / "tests/profiles/callgrind/default.out"


def environment(**more):
    """Without a display, an SSH connection or a browser, unless they are given."""
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "SSH_CONNECTION", "BROWSER")
    return {name: value for name, value in os.environ.items() if name not in hidden} | {"LC_ALL": "C.UTF-8"} | more


class Viewer:
    def __init__(self, program, *arguments, cwd=None, env=None, stdin=subprocess.DEVNULL, opens=False):
        command = [program, "view", *map(str, arguments), *([] if opens else ["--no-open"])]
        self.process = subprocess.Popen(
            command, cwd=cwd, env=env or environment(), stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.address = self.process.stdout.readline().rstrip("\n")
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/", self.address)
        self.port, self.token = (int(found[1]), found[2]) if found else (None, None)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()

    def end(self, signal_number=signal.SIGINT):
        """(exit status, seconds that it took, what it has said on standard error)"""
        begin = time.monotonic()
        self.process.send_signal(signal_number)
        _, said = self.process.communicate(timeout=SECONDS)
        return self.process.returncode, time.monotonic() - begin, said

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=SECONDS)

    def request(self, method="GET", path=None, body=None, **headers):
        """(status, headers, body) of a request on a connection of its own; a header that is None is not sent."""
        wanted = {"Host": f"127.0.0.1:{self.port}"}
        if body is not None:
            wanted |= {"Content-Type": "application/json", "Content-Length": str(len(body))}
        wanted |= {name.replace("_", "-"): value for name, value in headers.items()}
        lines = [f"{method} {path or f'/{self.token}/'} HTTP/1.1"]
        lines += [f"{name}: {value}" for name, value in wanted.items() if value is not None]
        return self.raw("\r\n".join([*lines, "Connection: close", "", ""]).encode("latin-1") + (body or b""))

    def raw(self, data):
        """Sends it, and reads to the end: (status, headers, body); no status if nothing came back."""
        with self.connect() as connection:
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                connection.sendall(data)
            return read_answer(connection)

    def ask(self, question, **headers):
        status, _, body = self.request("POST", f"/{self.token}/ask", json.dumps(question).encode(), **headers)
        assert status == 200, f"{question}: status {status}"
        return json.loads(body)

    def client(self):
        return Client(self)

    def memory(self, kind="VmRSS"):
        """Bytes; resident ones, if it does not say otherwise."""
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(rf"{kind}:\s+(\d+)", text)[1]) * 1024


class Client:
    """Asks over one connection, as a browser does."""

    def __init__(self, viewer):
        self.viewer = viewer
        self.connection = http.client.HTTPConnection("127.0.0.1", viewer.port, timeout=SECONDS)

    def ask(self, question):
        headers = {"Content-Type": "application/json", "Accept-Encoding": "identity"}
        self.connection.request("POST", f"/{self.viewer.token}/ask", json.dumps(question), headers)
        return json.loads(self.connection.getresponse().read())


def read_answer(connection):
    received = bytearray()
    with contextlib.suppress(ConnectionResetError):
        while block := connection.recv(1 << 16):
            received += block
    head, _, body = bytes(received).partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    if not lines[0].startswith("HTTP/1.1 "):
        return None, {}, bytes(received)
    headers = dict(line.split(": ", 1) for line in lines[1:])
    return int(lines[0].split()[1]), headers, body
