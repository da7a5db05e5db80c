#!/usr/bin/env python3
"""What `callcost view` does to those who talk to it, rightly or wrongly, and what `callcost report` writes.

    run.py EXECUTABLE [TEST...]
"""

import argparse
import base64
import concurrent.futures
import contextlib
import gzip
import hashlib
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import traceback

from server import PROFILE, ROOT, SECONDS, Client, Viewer, environment, read_answer

PROFILES = ROOT / "tests/profiles"
IS_SLOW = bool({"ASAN_OPTIONS", "TSAN_OPTIONS"} & os.environ.keys())  # a sanitizer also keeps memory that is freed

tests = []


def test(function):
    tests.append(function)
    return function


def expect(what, found, wanted):
    assert found == wanted, f"{what}: found {found!r}, expected {wanted!r}"


# --- who is let in ----------------------------------------------------------------------------------------------------


@test
def listens_on_loopback_only(program):
    with Viewer(program, PROFILE) as viewer:
        sockets = {os.readlink(path) for path in pathlib.Path(f"/proc/{viewer.process.pid}/fd").iterdir()}
        rows = set()  # of a table that changes while it is read, lines may come twice
        for table in ("tcp", "tcp6", "udp", "udp6"):
            for line in pathlib.Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
                fields = line.split()
                if f"socket:[{fields[9]}]" in sockets:
                    rows.add((table, fields[1]))
        expect("sockets", rows, {("tcp", f"0100007F:{viewer.port:04X}")})


@test
def serves_the_page_to_whoever_has_the_token(program):
    with Viewer(program, PROFILE) as viewer:
        status, headers, page = viewer.request()
        expect("status", status, 200)
        assert b'<script type="application/json" id="callcost-manifest">{"server": true}</script>' in page
        assert b"callcost:data" not in page
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert headers["Content-Security-Policy"].endswith("; frame-ancestors 'none'")
        expect("type", headers["Content-Type"], "text/html; charset=utf-8")
        expect("sniffing", headers["X-Content-Type-Options"], "nosniff")
        expect("referrer", headers["Referrer-Policy"], "no-referrer")
        expect("cache", headers["Cache-Control"], "no-store")
        assert not any(name.lower().startswith("access-control") for name in headers)
        _, headers, packed = viewer.request(Accept_Encoding="br, gzip;q=0.8")
        expect("encoding", headers["Content-Encoding"], "gzip")
        expect("unpacked", gzip.decompress(packed), page)
        assert "Content-Encoding" not in viewer.request(Accept_Encoding="gzip;q=0")[1]
    with Viewer(program, PROFILE) as first, Viewer(program, PROFILE) as second:
        assert first.token != second.token


@test
def tells_others_nothing(program):
    with Viewer(program, PROFILE) as viewer:
        token = viewer.token
        wrong = ("/", "/favicon.ico", f"/{token}", f"/{token}/x", f"/{token}//", f"/{token}?a", f"/{token}/ask?a", f"//{token}/", f"/{token[:-1]}/",
                 f"/{token}0/", f"/{token.upper()}/", f"/{'0' * 32}/", "/../", f"/{token}/../../etc/passwd", f"/{token}/..%2f..%2fetc/passwd",
                 f"/{token}/%2e%2e/ask", f"/{token}/ask/", f"/%{ord(token[0]):x}{token[1:]}/", f"http://127.0.0.1:{viewer.port}/{token}/",
                 f"/{token}/src/program/options/options.cpp", f"/{token}/{PROFILE}")  # fmt: skip
        seen = {str(viewer.request(path=path)) for path in wrong}
        seen |= {str(viewer.request(method, path)) for method in ("HEAD", "PUT", "OPTIONS", "DELETE", "TRACE") for path in ("/", f"/{token}/")}
        seen.add(str(viewer.request("POST", body=b"{}")))
        seen.add(str(viewer.request("GET", f"/{token}/ask")))
        seen.add(str(viewer.request("POST", f"/{token.upper()}/ask", b'{"ask":"profile"}')))
        assert len(seen) == 1, seen
        status, headers, body = viewer.request(path="/")
        expect("answer", (status, body), (404, b""))
        assert not re.search("callcost|server|sha256", str(headers), re.I), headers


@test
def lets_no_other_site_in(program):
    with Viewer(program, PROFILE) as viewer:
        ask, question, port = f"/{viewer.token}/ask", b'{"ask":"profile"}', viewer.port
        good = f"127.0.0.1:{port}"
        for host in (None, "", "evil.example", f"evil.example:{port}", "127.0.0.1", "127.0.0.1:1", f"127.0.0.1.evil.example:{port}",
                     f"localhost.:{port}", f"[::1]:{port}", f"{good}, {good}"):  # fmt: skip
            expect(f"page for host {host}", viewer.request(Host=host)[0], 404)
            expect(f"answer for host {host}", viewer.request("POST", ask, question, Host=host)[0], 404)
        twice = f"GET /{viewer.token}/ HTTP/1.1\r\nHost: {good}\r\nHost: {good}\r\n\r\n"
        expect("two hosts", viewer.raw(twice.encode())[0], 404)
        for origin in ("null", "http://evil.example", f"https://{good}", f"http://{good}.evil.example", "http://127.0.0.1", f"http://{good}/", "", "file://"):
            expect(f"answer for origin {origin}", viewer.request("POST", ask, question, Origin=origin)[0], 404)
        for name in (good, f"localhost:{port}"):
            expect(name, viewer.request("POST", ask, question, Host=name, Origin=f"http://{name}")[0], 200)
        for content_type in (None, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/jsonp"):
            expect(f"answer to {content_type}", viewer.request("POST", ask, question, Content_Type=content_type)[0], 404)
        expect("JSON with its characters", viewer.request("POST", ask, question, Content_Type="application/json; charset=utf-8")[0], 200)
        expect("compressed", viewer.request("POST", ask, gzip.compress(question), Content_Encoding="gzip")[0], 404)


# --- answers ----------------------------------------------------------------------------------------------------------


@test
def answers_as_the_protocol_says(program):
    with Viewer(program, PROFILE) as viewer:
        profile = viewer.ask({"ask": "profile"})
        expect("total", profile["events"][0]["total"], 1962662)
        expect("files", [file["name"] for file in profile["files"]], [str(PROFILE)])
        expect("wrong JSON", json.loads(viewer.request("POST", f"/{viewer.token}/ask", b"{")[2])["error"]["id"], "bad-request")
        expect("no question", viewer.ask({"ask": "nothing"})["error"]["id"], "unknown-question")
        deep = b'{"ask":' + b"[" * 100_000 + b"]" * 100_000 + b"}"
        assert "error" in json.loads(viewer.request("POST", f"/{viewer.token}/ask", deep)[2])
        _, headers, body = viewer.request("POST", f"/{viewer.token}/ask", b'{"ask":"tree","direction":"callees"}', Accept_Encoding="gzip")
        expect("type", headers["Content-Type"], "application/json")
        if "Content-Encoding" in headers:
            body = gzip.decompress(body)
        assert "frames" in json.loads(body)


@test
def sends_large_answers_compressed(program):
    with Viewer(program, PROFILES / "callgrind/python-instr-jumps.out") as viewer:
        question = b'{"ask":"functions","limit":5000}'
        path = f"/{viewer.token}/ask"
        _, plain_headers, plain = viewer.request("POST", path, question)
        _, headers, packed = viewer.request("POST", path, question, Accept_Encoding="gzip, deflate, br")
        assert "Content-Encoding" not in plain_headers and len(plain) > 100_000, len(plain)
        expect("encoding", headers["Content-Encoding"], "gzip")
        expect("unpacked", gzip.decompress(packed), plain)


@test
def answers_several_questions_over_a_connection(program):
    with Viewer(program, PROFILE) as viewer:
        client = Client(viewer)
        first = client.ask({"ask": "profile"})
        for _ in range(50):
            expect("again", client.ask({"ask": "profile"}), first)
        question = f"POST /{viewer.token}/ask HTTP/1.1\r\nHost: localhost:{viewer.port}\r\nContent-Type: application/json\r\nContent-Length: 16\r\n"
        together = f'{question}\r\n{{"ask":"status"}}' * 3 + f'{question}Connection: close\r\n\r\n{{"ask":"status"}}'
        _, _, rest = viewer.raw(together.encode())
        expect("sent together", rest.count(b"HTTP/1.1 200 OK"), 3)


@test
def serves_two_clients_at_a_time(program):
    with Viewer(program, PROFILE) as viewer:
        wanted = viewer.ask({"ask": "functions"})

        def ask_often():
            client = Client(viewer)
            return all(client.ask({"ask": "functions"}) == wanted for _ in range(200))

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            assert all(pool.map(lambda _: ask_often(), range(8)))


# --- clients that mean no good, or no longer mean anything --------------------------------------------------------------


@test
def refuses_what_is_no_request(program):
    with Viewer(program, PROFILE) as viewer:
        host = f"Host: 127.0.0.1:{viewer.port}"
        page, ask = f"/{viewer.token}/", f"/{viewer.token}/ask"
        json_type = "Content-Type: application/json"
        wrong = (
            "\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/2.0\r\n\r\n", "GET / HTTP/1.1 \r\n\r\n", f"GET  {page} HTTP/1.1\r\n{host}\r\n\r\n",
            f"GET {page} HTTP/1.1\r\n{host}\r\n folded\r\n\r\n", f"GET {page} HTTP/1.1\r\n{host}\r\nno colon\r\n\r\n",
            f"GET {page} HTTP/1.1\r\nHost : x\r\n\r\n", f"GET {page} HTTP/1.1\r\n{host}\r\nX: a\0b\r\n\r\n", f"GET {page}\x01 HTTP/1.1\r\n{host}\r\n\r\n",
            f"GET {page} HTTP/1.1\n{host}\n\r\n\r\n", f"GET /{'a' * 20_000} HTTP/1.1\r\n{host}\r\n\r\n",
            f"GET {page} HTTP/1.1\r\n{host}\r\n" + "X: y\r\n" * 10_000 + "\r\n", f"GET {page} HTTP/1.1\r\n{host}\r\nX: {'y' * 20_000}\r\n\r\n",
            f"POST {ask} HTTP/1.1\r\n{host}\r\n{json_type}\r\nContent-Length: -1\r\n\r\n",
            f"POST {ask} HTTP/1.1\r\n{host}\r\n{json_type}\r\nContent-Length: 99999999999999999999999\r\n\r\n",
            f"POST {ask} HTTP/1.1\r\n{host}\r\n{json_type}\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n{{}}",
            f"POST {ask} HTTP/1.1\r\n{host}\r\n{json_type}\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{{}}\r\n0\r\n\r\n",
        )  # fmt: skip
        for text in wrong:
            expect(repr(text[:80]), viewer.raw(text.encode("latin-1"))[0], 400)
        huge = f"POST {ask} HTTP/1.1\r\n{host}\r\n{json_type}\r\nContent-Length: 1000000000\r\n\r\n".encode() + b" " * 1_000_000
        expect("a huge question", viewer.raw(huge)[0], 413)
        random = os.urandom(50_000)
        assert viewer.raw(random)[0] in (400, None)
        # What follows a request that leads nowhere is none, whatever it looks like.
        inner = f"GET {page} HTTP/1.1\r\n{host}\r\n\r\n"
        smuggled = f"POST /x HTTP/1.1\r\n{host}\r\nContent-Length: {len(inner)}\r\n\r\n{inner}"
        status, _, rest = viewer.raw(smuggled.encode())
        expect("smuggled", (status, b"HTTP/1.1" in rest), (404, False))
        status, _, rest = viewer.raw(f"GET {page} HTTP/1.1\r\n{host}\r\nContent-Length: {len(inner)}\r\n\r\n{inner}".encode())
        expect("with a body", (status, b"HTTP/1.1" in rest), (200, False))
        expect("still there", viewer.request()[0], 200)


@test
def waits_for_nobody_for_ever(program):
    with Viewer(program, PROFILE) as viewer, contextlib.ExitStack() as stack:
        begin = time.monotonic()
        half_sent = (b"", b"G", f"GET /{viewer.token}/ HTTP/1.1\r\nHost:".encode(),
                     f"POST /{viewer.token}/ask HTTP/1.1\r\nHost: 127.0.0.1:{viewer.port}\r\nContent-Type: application/json\r\n"
                     "Content-Length: 100\r\n\r\n{".encode())  # fmt: skip
        silent = []
        for data in half_sent * 2:
            connection = stack.enter_context(viewer.connect())
            connection.sendall(data)
            silent.append(connection)
        dribbling = stack.enter_context(viewer.connect())
        stop = threading.Event()

        def dribble():
            with contextlib.suppress(OSError):
                while not stop.wait(0.5):
                    dribbling.sendall(b"G")

        thread = threading.Thread(target=dribble)
        thread.start()
        expect("others are served", viewer.ask({"ask": "status"})["changed"], False)
        assert time.monotonic() - begin < 4, "others had to wait"
        for connection in silent:
            status, _, _ = read_answer(connection)
            assert status in (None, 400), status
        read_answer(dribbling)
        stop.set()
        thread.join()
        assert time.monotonic() - begin < (40 if IS_SLOW else 16), time.monotonic() - begin
        expect("still there", viewer.request()[0], 200)


@test
def is_not_held_up_by_thousands_of_connections_without_the_token(program):
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limits[1], limits[1]))
    with Viewer(program, PROFILE) as viewer, contextlib.ExitStack() as stack:
        kept = Client(viewer)
        sent = (b"", b"G", b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{viewer.port}\r\nX: ".encode())
        seconds = []
        for number in range(3_000):
            connection = stack.enter_context(viewer.connect())
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                connection.sendall(sent[number % len(sent)])
            if number % 50:
                continue
            for ask in (viewer.ask, kept.ask):
                begin = time.monotonic()
                expect("is served", ask({"ask": "status"})["changed"], False)
                seconds.append(time.monotonic() - begin)
        assert statistics.median(seconds) < (1 if IS_SLOW else 0.1) and max(seconds) < 5, sorted(seconds)[-9:]  # tests run beside each other
        files = len(list(pathlib.Path(f"/proc/{viewer.process.pid}/fd").iterdir()))
        assert files < 530, f"{files} open files"
    resource.setrlimit(resource.RLIMIT_NOFILE, limits)


@test
def answers_fifty_clients_at_a_time(program):
    with Viewer(program, PROFILE) as viewer:
        seconds = 3

        def ask_for_a_while(_):
            client, end, count = Client(viewer), time.monotonic() + seconds, 0
            while time.monotonic() < end:
                expect("functions", "rows" in client.ask({"ask": "functions"}), True)
                count += 1
            return count

        with concurrent.futures.ThreadPoolExecutor(50) as pool:
            counts = list(pool.map(ask_for_a_while, range(50)))
        assert min(counts) > 0 and 20 * min(counts) > max(counts), counts


@test
def takes_no_harm_from_clients_that_go_away(program):
    with Viewer(program, PROFILES / "callgrind/python-instr-jumps.out") as viewer:
        question = b'{"ask":"tree","direction":"callees"}'
        head = f"POST /{viewer.token}/ask HTTP/1.1\r\nHost: 127.0.0.1:{viewer.port}\r\nContent-Type: application/json\r\nContent-Length: {len(question)}\r\n\r\n"
        for keep in range(40):
            connection = viewer.connect()
            connection.sendall((head.encode() + question)[: None if keep % 2 else 30 + keep])
            if keep % 4 == 1:
                connection.recv(100)
            if keep % 3 == 0:  # with a reset
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            connection.close()
        expect("still there", "frames" in viewer.ask({"ask": "tree", "direction": "callees"}), True)


@test
def does_not_grow(program):
    requests = 1_000 if IS_SLOW else 10_000
    with Viewer(program, PROFILE) as viewer:
        questions = [{"ask": "functions", "offset": 10}, {"ask": "profile"}, {"ask": "status"}, {"ask": "function", "id": 3},
                     {"ask": "functions", "search": "o"}, {"ask": "nothing"}]  # fmt: skip

        def ask_often(count):
            client = Client(viewer)
            for number in range(count):
                if number % 100 == 99:
                    client = Client(viewer)
                client.ask(questions[number % len(questions)])

        def ask_by_two(count):
            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                list(pool.map(ask_often, [count // 2] * 2))

        ask_by_two(requests // 5)
        before = viewer.memory()
        ask_by_two(requests)
        grown = viewer.memory() - before
        assert IS_SLOW or grown < 4_000_000, f"{grown} bytes more after {requests} requests, with {before} before"
        files = len(list(pathlib.Path(f"/proc/{viewer.process.pid}/fd").iterdir()))
        assert files < 50, f"{files} open files"


# --- beginning and end ----------------------------------------------------------------------------------------------------


@test
def ends_when_it_is_told_to(program):
    for number in (signal.SIGINT, signal.SIGTERM):
        with Viewer(program, PROFILE) as viewer:
            expect("there", viewer.request()[0], 200)
            viewer.ask({"ask": "profile"})  # it is read; before, the signal ends it as any command
            status, seconds, said = viewer.end(number)
            expect(f"status after {number}", status, 0)
            expect("standard error", said, "callcost: note: press Ctrl-C to stop\n")
            assert seconds < (20 if IS_SLOW else 5), seconds
    with Viewer(program, PROFILES / "callgrind/python-instr-jumps.out", "--quiet") as viewer:
        busy = [threading.Thread(target=lambda: ask_until_it_ends(viewer), daemon=True) for _ in range(4)]
        for thread in busy:
            thread.start()
        viewer.ask({"ask": "profile"})  # it is read
        time.sleep(0.3)
        status, seconds, said = viewer.end()
        expect("while answering", (status, said), (0, ""))
        assert seconds < (20 if IS_SLOW else 5), seconds


def ask_until_it_ends(viewer):
    with contextlib.suppress(Exception):
        while True:
            viewer.ask({"ask": "tree", "direction": "callers", "least": 0, "frames": 20000})


@test
def shows_progress_while_it_reads(program):
    text = PROFILE.read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        pipe = pathlib.Path(folder) / "slow.out"
        os.mkfifo(pipe)
        writer = []
        opening = threading.Thread(target=lambda: writer.append(open(pipe, "wb", buffering=0)))
        opening.start()
        with Viewer(program, pipe) as viewer:
            opening.join()
            writer[0].write(text[: len(text) // 2])
            expect("page", viewer.request()[0], 200)
            status = viewer.ask({"ask": "status"})
            expect("file", status["reading"]["file"], str(pipe))
            with concurrent.futures.ThreadPoolExecutor(1) as pool:
                profile = pool.submit(viewer.ask, {"ask": "profile"})
                time.sleep(0.3)
                assert not profile.done()
                writer[0].write(text[len(text) // 2 :])
                writer[0].close()
                expect("total", profile.result(SECONDS)["events"][0]["total"], 1962662)
            assert "reading" not in viewer.ask({"ask": "status"})
        for number in (signal.SIGINT, signal.SIGTERM):
            opening = threading.Thread(target=lambda: writer.append(open(pipe, "wb", buffering=0)))
            opening.start()
            with Viewer(program, pipe) as viewer:
                opening.join()
                status, seconds, _ = viewer.end(number)
                expect("ends as it would have", status, -number)
                assert seconds < (20 if IS_SLOW else 5), seconds
                writer.pop().close()


@test
def forgets_those_who_have_gone_while_it_reads(program):
    with tempfile.TemporaryDirectory() as folder:
        pipe = pathlib.Path(folder) / "slow.out"
        os.mkfifo(pipe)
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            writer = pool.submit(open, pipe, "wb")
            with Viewer(program, pipe) as viewer, writer.result(SECONDS):
                question = b'{"ask":"profile"}'
                head = f"POST /{viewer.token}/ask HTTP/1.1\r\nHost: localhost:{viewer.port}\r\nContent-Type: application/json\r\nContent-Length: {len(question)}\r\n\r\n"
                for _ in range(3):
                    waiting = [viewer.connect() for _ in range(32)]  # as many as are served at a time
                    for connection in waiting:
                        connection.sendall(head.encode() + question)
                    time.sleep(0.3)
                    for connection in waiting:
                        connection.close()
                begin = time.monotonic()
                expect("file", viewer.ask({"ask": "status"})["reading"]["file"], str(pipe))
                assert time.monotonic() - begin < 10, time.monotonic() - begin


@test
def says_if_the_memory_is_not_enough(program):
    if IS_SLOW:
        return  # they need more than they are given
    with tempfile.TemporaryDirectory() as folder:
        pipe = pathlib.Path(folder) / "large.out"
        os.mkfifo(pipe)
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            writer = pool.submit(open, pipe, "w")
            with Viewer(program, pipe) as viewer:
                with contextlib.suppress(BrokenPipeError), writer.result(SECONDS) as file:
                    limit = viewer.memory("VmData") + 50_000_000
                    resource.prlimit(viewer.process.pid, resource.RLIMIT_DATA, (limit, limit))
                    file.write("version: 1\nevents: Ir\n")
                    for number in range(2_000_000):
                        file.write(f"fn=a function with a long name that nobody has seen before, number {number}\n1 1\n")
                status = viewer.process.wait(SECONDS)
                said = viewer.process.stderr.read()
                expect("said in the end", (status, said.splitlines()[-1]), (1, "callcost: error: out of memory"))


@test
def says_what_goes_wrong(program):
    def said(*arguments, **more):
        run = subprocess.run([program, "view", "--no-open", *map(str, arguments)], capture_output=True, text=True, timeout=SECONDS, env=environment(), **more)
        return run.returncode, run.stdout, run.stderr

    status, out, err = said("nosuch.out", cwd=PROFILES)
    expect("missing file", status, 1)  # on a slow machine the address is out before that is known
    assert "nosuch.out" in err
    expect("not a profile", said(PROFILES / "README.md")[0], 1)
    with Viewer(program, PROFILE) as viewer:
        status, out, err = said(PROFILE, "--port", viewer.port)
        expect("port in use", (status, out), (1, ""))
        assert f"cannot listen on port {viewer.port}: Address already in use" in err, err
    with Viewer(program, PROFILE, PROFILES / "nosuch.out") as viewer:
        expect("one of two", viewer.ask({"ask": "profile"})["counts"]["parts"], 1)
        expect("status", viewer.end()[0], 1)


def status_for_nobody(port, path):
    """Of a request by another user."""
    get = "import sys, http.client as h; c = h.HTTPConnection('127.0.0.1', int(sys.argv[1])); c.request('GET', sys.argv[2]); print(c.getresponse().status)"
    python = "/usr/bin/python3" if os.access("/usr/bin/python3", os.X_OK) else sys.executable  # which may lie in a home directory
    done = subprocess.run([python, "-I", "-c", get, str(port), path], user=65534, capture_output=True, text=True, timeout=SECONDS)
    return int(done.stdout)


@test
def opens_a_browser_where_there_is_one(program):
    with tempfile.TemporaryDirectory() as folder:
        seen = pathlib.Path(folder) / "seen"
        browser = pathlib.Path(folder) / "browser"
        browser.write_text(f'#!/bin/sh\nfor word; do printf "%s\\n" "$word"; done > {seen}.new\nmv {seen}.new {seen}\necho noise\n')
        browser.chmod(0o755)

        def arguments(env, opens=True):
            seen.unlink(missing_ok=True)
            with Viewer(program, PROFILE, env=environment(**env), opens=opens) as viewer:
                deadline = time.monotonic() + (20 if env.get("DISPLAY") and opens else 0.5)
                while not seen.exists() and time.monotonic() < deadline:
                    time.sleep(0.02)
                words = seen.read_text().splitlines() if seen.exists() else None
                page = None
                if words and words[-1].startswith("file:///"):  # a file leads to the page
                    page = pathlib.Path(words[-1].removeprefix("file://"))
                    expect("who may read it", page.stat().st_mode & 0o777, 0o600)
                    expect("leads to", re.search('url=([^"]*)"', page.read_text())[1], viewer.address)
                    words[-1] = "FILE"
                elif words:  # where there can be no file, an address that is good for once, and for this user
                    assert viewer.token not in words[-1], "everybody could read the token"
                    invitation = "/" + words[-1].split("/", 3)[3]
                    expect("other hosts", viewer.request(path=invitation, Host="evil.example")[0], 404)
                    if os.geteuid() == 0:
                        expect("other users", status_for_nobody(viewer.port, invitation), 404)
                    status, headers, _ = viewer.request(path=invitation)
                    expect("invitation", (status, headers["Location"]), (303, f"/{viewer.token}/"))
                    expect("second use", viewer.request(path=invitation)[0], 404)
                    words[-1] = "ADDRESS"
                viewer.end()
                assert page is None or not page.exists(), f"{page} is left"
                return words

        injected = f"nosuch-browser:{browser} --new 'a;b' $(touch {folder}/injected) %s"
        expect("display", arguments({"DISPLAY": ":9", "BROWSER": str(browser)}), ["FILE"])
        expect("no place for a file", arguments({"DISPLAY": ":9", "BROWSER": str(browser), "XDG_RUNTIME_DIR": "/nonexistent"}), ["ADDRESS"])
        expect("no shell", arguments({"WAYLAND_DISPLAY": "w", "DISPLAY": ":9", "BROWSER": injected})[:2], ["--new", "'a;b'"])
        assert not (pathlib.Path(folder) / "injected").exists()
        expect("no display", arguments({"BROWSER": str(browser)}), None)
        expect("--no-open", arguments({"DISPLAY": ":9", "BROWSER": str(browser)}, opens=False), None)
        with Viewer(program, PROFILE, env=environment(DISPLAY=":9", BROWSER="nosuch-browser"), opens=True) as viewer:
            assert "no browser found" in viewer.end()[2]
        with Viewer(program, PROFILE, env=environment(SSH_CONNECTION="10.0.0.1 5 10.0.0.2 22")) as viewer:
            said = viewer.end()[2]
            assert f"ssh -L {viewer.port}:127.0.0.1:{viewer.port} " in said, said


@test
def opens_a_report_in_the_browser(program):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        browser = folder / "browser"
        browser.write_text('#!/bin/sh\necho "$1" > "$0.new"\nmv "$0.new" "$0.seen"\n')
        browser.chmod(0o755)

        def report(*words, **variables):
            command = [program, "report", PROFILE, "--open", *words]
            return subprocess.run(command, env=environment(**variables), cwd=folder, capture_output=True, text=True, timeout=60)

        done = report("-o", "a b.html", DISPLAY=":9", BROWSER=str(browser))
        expect("status", done.returncode, 0)
        seen = folder / "browser.seen"
        deadline = time.monotonic() + 20
        while not seen.exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        expect("what is opened", seen.read_text(), f"{folder / 'a b.html'}\n")
        done = report("-o", "a.html", BROWSER=str(browser))
        assert done.returncode == 0 and "no display; open a.html in a browser" in done.stderr, done
        done = report("-o", "a.html", DISPLAY=":9", BROWSER="nosuch-browser")
        assert done.returncode == 0 and "no browser found; open a.html" in done.stderr, done
        expect("nothing to open", report("-o", "-", DISPLAY=":9").returncode, 2)


# --- files that change ------------------------------------------------------------------------------------------------------


def simple_profile(cost, name="main", file="main.c", part=None):
    heading = f"part: {part}\n" if part else ""
    return f"version: 1\ncreator: callgrind-3.19.0\npid: 4711\n{heading}cmd: ./program\npositions: line\nevents: Ir\nfl={file}\nfn={name}\n10 {cost}\n"


@test
def notices_that_files_have_changed(program):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "callgrind.out.4711"
        path.write_text(simple_profile(100))
        with Viewer(program, "callgrind.out.4711", cwd=folder) as viewer:
            total = lambda answer: answer["events"][0]["total"]  # noqa: E731
            expect("total", total(viewer.ask({"ask": "profile"})), 100)
            expect("status", viewer.ask({"ask": "status"}), {"generation": 1, "changed": False, "new_files": []})
            path.write_text(simple_profile(2500))
            expect("changed", viewer.ask({"ask": "status"})["changed"], True)
            expect("still the old one", total(viewer.ask({"ask": "profile"})), 100)
            expect("reloaded", total(viewer.ask({"ask": "reload"})), 2500)
            expect("status after", viewer.ask({"ask": "status"}), {"generation": 2, "changed": False, "new_files": []})
            # As large, at the same time, but another file.
            other = pathlib.Path(folder) / "other"
            other.write_text(simple_profile(3600))
            os.utime(other, ns=(path.stat().st_mtime_ns,) * 2)
            other.rename(path)
            expect("replaced", viewer.ask({"ask": "status"})["changed"], True)
            expect("reloaded again", total(viewer.ask({"ask": "reload"})), 3600)
            path.unlink()
            expect("gone", viewer.ask({"ask": "status"})["changed"], True)
            expect("cannot be read", viewer.ask({"ask": "reload"})["error"]["id"], "cannot-read")
            expect("what was there stays", total(viewer.ask({"ask": "profile"})), 3600)
            expect("status in the end", viewer.end()[0], 0)


@test
def answers_nobody_about_another_reading(program):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "callgrind.out.4711"
        path.write_text(simple_profile(100, name="old"))
        with Viewer(program, path) as viewer:
            old = viewer.ask({"ask": "profile"})["generation"]
            question = {"ask": "functions", "generation": old}
            name = lambda answer: answer["rows"][0]["name"]  # noqa: E731
            expect("before", name(viewer.ask(question)), "old")
            path.write_text(simple_profile(100, name="new"))
            new = viewer.ask({"ask": "reload"})["generation"]
            assert new != old, new
            expect("an old question", viewer.ask(question)["error"]["id"], "stale")
            expect("a new one", name(viewer.ask({"ask": "functions", "generation": new})), "new")
            expect("one that does not care", name(viewer.ask({"ask": "functions"})), "new")
            for question in ({"ask": "profile"}, {"ask": "status"}):
                expect(str(question), viewer.ask(question)["generation"], new)
            path.unlink()
            expect("cannot be read", viewer.ask({"ask": "reload"})["error"]["id"], "cannot-read")
            expect("still the same", viewer.ask({"ask": "status"})["generation"], new)


@test
def reads_once_for_all_who_ask_for_it(program):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "callgrind.out.4711"
        path.write_text(simple_profile(100))
        with Viewer(program, path) as viewer, concurrent.futures.ThreadPoolExecutor(5) as pool:
            expect("total", viewer.ask({"ask": "profile"})["events"][0]["total"], 100)
            path.write_text(simple_profile(2500) + "+1 0\n" * 10_000_000)  # takes its time; a pipe is not read again
            viewer.process.send_signal(signal.SIGSTOP)
            asked = [pool.submit(viewer.ask, {"ask": "reload"}) for _ in range(5)]
            time.sleep(0.5)  # for all five to have asked
            viewer.process.send_signal(signal.SIGCONT)
            answers = [one.result(SECONDS) for one in asked]
            expect("answers", [(answer["generation"], answer["events"][0]["total"]) for answer in answers], [(2, 2500)] * 5)


@test
def offers_new_parts(program):
    with tempfile.TemporaryDirectory() as folder:
        base = pathlib.Path(folder) / "callgrind.out.4711"
        for number in (1, 2):
            base.with_suffix(f".4711.{number}").write_text(simple_profile(100, part=number))
        base.write_text("")
        with Viewer(program, "callgrind.out.4711.1", cwd=folder) as viewer:
            expect("known ones are not offered", viewer.ask({"ask": "status"})["new_files"], [])
            base.with_suffix(".4711.3").write_text(simple_profile(1000, part=3))
            base.with_suffix(".4712.1").write_text(simple_profile(1, part=1))
            expect("new", viewer.ask({"ask": "status"}), {"generation": 1, "changed": False, "new_files": ["callgrind.out.4711.3"]})
            expect("added", viewer.ask({"ask": "reload"})["events"][0]["total"], 1100)
            expect("nothing new", viewer.ask({"ask": "status"})["new_files"], [])
        with Viewer(program, "callgrind.out.4711", "--with-parts", cwd=folder) as viewer:
            expect("all parts", viewer.ask({"ask": "profile"})["events"][0]["total"], 1200)
            base.write_text(simple_profile(10_000, part=4))  # the final dump
            expect("final dump", viewer.ask({"ask": "status"})["new_files"], ["callgrind.out.4711"])
            expect("all parts again", viewer.ask({"ask": "reload"})["events"][0]["total"], 11_200)


@test
def reads_what_other_commands_read(program):
    with Viewer(program, "-", stdin=open(PROFILE, "rb")) as viewer:
        expect("standard input", viewer.ask({"ask": "profile"})["events"][0]["total"], 1962662)
        expect("cannot be read again", viewer.ask({"ask": "reload"})["error"]["id"], "cannot-read")
    with Viewer(program, PROFILE, "--diff", PROFILES / "callgrind/cachesim-branch.out") as viewer:
        profile = viewer.ask({"ask": "profile"})
        assert profile["has"]["before"] and "before" in profile
    threads = PROFILES / "callgrind/threads-separate-combined-every-bb.out"
    whole = json.loads(subprocess.run([program, "info", "--parts", "--json", threads], capture_output=True, check=True).stdout)
    thread = next(part["thread"] for part in whole["rows"] if part["thread"])
    with Viewer(program, threads, "--thread", thread) as viewer:
        rows = viewer.ask({"ask": "parts"})["rows"]
        expect("one thread", {row["thread"] for row in rows}, {int(thread)})
    with tempfile.TemporaryDirectory() as folder:
        store = pathlib.Path(folder) / "h.db"
        subprocess.run([program, "history", "add", "-q", "--store", store, "--series", "s", PROFILE], check=True)
        with Viewer(program, "history:s", "--store", store, "--diff", "history:s@-1") as viewer:
            expect("an entry of a history", viewer.ask({"ask": "profile"})["events"][0]["total"], 1962662)
            expect("which does not change", viewer.ask({"ask": "status"})["changed"], False)
            expect("and is read again", viewer.ask({"ask": "reload"})["events"][0]["total"], 1962662)
        sources = pathlib.Path(folder) / "sources"
        sources.mkdir()
        (sources / "main.c").write_text("int main() {}\n" * 20)
        profile = pathlib.Path(folder) / "callgrind.out.1"
        profile.write_text(simple_profile(7, file="/build/main.c"))
        for option in (["-I", sources], ["--source-map", f"/build={sources}"], []):
            with Viewer(program, profile, *option) as viewer:
                files = viewer.ask({"ask": "files"})
                answer = viewer.ask({"ask": "source", "file": files["rows"][0]["id"]})
                expect(str(option), answer["text"] is not None, bool(option))
                if not option:
                    assert answer["problem"]["message"] and answer["problem"]["hint"]


@test
def serves_a_store(program):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        store = folder / "h.db"
        for number in range(6):
            path = folder / f"{number}.out"
            path.write_text(simple_profile(1000 if number < 4 else 1500, name="<b>main"))
            subprocess.run([program, "history", "add", "-q", "--force", "--store", store, "--series", "s", "--commit", f"{number:040x}", "--branch", "main",
                            "--time", f"@{number}", path], check=True)
        for words in (["--store", store], ["history:", "--store", store]):
            with Viewer(program, *words) as viewer:
                status, _, page = viewer.request()
                assert status == 200 and b'"history": "first"' in page
                row = viewer.ask({"ask": "history"})["rows"][0]
                expect("series", (row["series"], row["first"], row["last"], row["changes"]), ("s", 1000, 1500, 1))
                entry, before = row["change"]["entry"], row["change"]["entry_before"]
                expect("the change", (entry["commit"], before["commit"]), (f"{4:040x}", f"{3:040x}"))
                expect("pages of entries", viewer.request(path=f"/{viewer.token}/?series=s&entry={entry['entry']}")[0], 200)
                chosen = {"series": "s", "entry": entry["entry"], "entry_before": before["entry"]}
                profile = viewer.ask({"ask": "profile", **chosen})
                expect("entries of a profile", (profile["entry"], profile["entry_before"]), (entry, before))
                expect("compared", (profile["events"][0]["total"], profile["before"]["events"][0]["total"]), (1500, 1000))
                # More than are kept in memory, in turn: all of them answer, whoever came between.
                for number in [*range(1, 7), *range(1, 7)]:
                    total = viewer.ask({"ask": "functions", "series": "s", "entry": number})["total"]
                    expect(f"entry {number}", total, [1000 if number < 5 else 1500])
                # Nothing but what the store has.
                for wrong in ({"series": "s", "entry": 99}, {"series": "t", "entry": 1}, {"series": "/etc/passwd", "entry": 1},
                              {"series": "s", "entry": 1, "entry_before": 99}):
                    expect(str(wrong), viewer.ask({"ask": "profile", **wrong})["error"]["id"], "no-such-entry")
                expect("no entry", viewer.ask({"ask": "profile"})["error"]["id"], "no-profile")
                expect("no number", viewer.ask({"ask": "profile", "series": "s", "entry": "x"})["error"]["id"], "bad-request")
                expect("end", viewer.end()[0], 0)
        with Viewer(program, "history:s@-2", "--store", store) as viewer:
            assert b'"history": "beside"' in viewer.request()[2]
            profile = viewer.ask({"ask": "profile"})
            expect("the entry that was named", profile["entry"]["commit"], f"{4:040x}")
            expect("its series", viewer.ask({"ask": "history_series", "series": "s"})["entries"], 6)
        with Viewer(program, folder / "0.out", "--store", store) as viewer:
            assert "entry" not in viewer.ask({"ask": "profile"})
            expect("beside", viewer.ask({"ask": "history"})["matching"], 1)
        with Viewer(program, folder / "0.out") as viewer:
            assert b'"history"' not in viewer.request()[2].split(b"callcost-manifest", 1)[1][:200]
            expect("no store", viewer.ask({"ask": "history"})["error"]["id"], "unknown-question")
        # Entries that come and go meanwhile.
        with Viewer(program, "--store", store) as viewer:
            expect("six", viewer.ask({"ask": "history_entries", "series": "s"})["matching"], 6)
            subprocess.run([program, "history", "prune", "-q", "--store", store, "s@-1"], check=True)
            expect("five", viewer.ask({"ask": "history_entries", "series": "s"})["matching"], 5)
            expect("gone", viewer.ask({"ask": "profile", "series": "s", "entry": 6})["error"]["id"], "no-such-entry")
        no_store = subprocess.run([program, "view", "--no-open", "--store", folder / "none.db"], capture_output=True, text=True, timeout=SECONDS)
        expect("no store", no_store.returncode, 1)
        assert "none.db" in no_store.stderr, no_store.stderr


# --- report ---------------------------------------------------------------------------------------------------------------


def report(program, *arguments, output="-", **more):
    run = subprocess.run([program, "report", *map(str, arguments), "-o", output], capture_output=True, timeout=SECONDS, env=environment(), **more)
    return run.returncode, run.stdout, run.stderr.decode()


BLOCK = re.compile(rb'<script type="([^"]*)" id="([^"]*)">([^<]*)</script>\n')


def contents(page):
    """(manifest, {id: bytes}) of a report."""
    blocks = {found[2].decode(): found for found in BLOCK.finditer(page)}
    manifest = json.loads(blocks.pop("callcost-manifest")[3])
    data = {}
    for block in [entry[key] for entry in manifest["profiles"] + manifest["sources"] for key in ("block", "code") if key in entry]:
        found = blocks[block]
        assert found[1] == b"application/octet-stream;base64", found[1]
        data[block] = gzip.decompress(base64.b64decode(found[3], validate=True))
    return manifest, data


@test
def a_report_holds_the_whole_profile(program):
    status, page, said = report(program, PROFILE)
    expect("status", status, 0)
    notes = r"(callcost: note: (the report contains the (text|machine code) of|no machine code of|omitted) .*\n(  hint: .*\n)?)*"
    assert re.fullmatch(notes, said), said  # headers that this machine has
    expect("the same again", report(program, PROFILE)[1], page)
    manifest, data = contents(page)
    with Viewer(program, PROFILE) as viewer:
        diagnostics = viewer.ask({"ask": "profile"})["diagnostics"]
    entry = manifest["profiles"][0]
    expect("files", [(file["name"], file["bytes"]) for file in entry.pop("files")], [("default.out", PROFILE.stat().st_size)])
    expect("profiles", manifest["profiles"], [{"name": "default.out", "side": "after", "block": "p0", "diagnostics": diagnostics}])
    shown = lambda text, *name: subprocess.run(  # noqa: E731
        [program, "top", "--json", "--limit", "0", *name], input=text, capture_output=True, check=True, timeout=SECONDS
    ).stdout
    ours, theirs = (json.loads(text) for text in (shown(data["p0"], "-"), shown(b"", str(PROFILE))))
    for answer in (ours, theirs):
        answer["profile"].pop("files"), answer["profile"].pop("creator")
    expect("functions", ours, theirs)
    for block in ("p0",):
        expect("no time in it", base64.b64decode(re.search(rb'id="%s">([^<]*)' % block.encode(), page)[1])[4:8], b"\0\0\0\0")
    with tempfile.TemporaryDirectory() as folder:
        cut = pathlib.Path(folder) / "cut.out"
        cut.write_bytes(PROFILE.read_bytes()[:50_000])
        rows = contents(report(program, cut)[1])[0]["profiles"][0]["diagnostics"]["rows"]
        assert "truncated-file" in {row["id"] for row in rows}, rows
    threads = PROFILES / "callgrind/threads-separate-combined-every-bb.out"
    _, data = contents(report(program, threads)[1])
    assert data["p0"].count(b"\nthread: ") > 1, "threads are kept apart"


@test
def a_report_of_two_profiles_holds_both(program):
    before = PROFILES / "callgrind/cachesim-branch.out"
    manifest, data = contents(report(program, PROFILE, "--diff", before, "--no-sources")[1])
    expect("sides", [(entry["name"], entry["side"]) for entry in manifest["profiles"]], [("default.out", "after"), ("cachesim-branch.out", "before")])
    assert b"events: Ir\n" in data["p0"] and b"events: Ir Dr" in data["p1"]
    expect("sources", manifest["sources"], [])


@contextlib.contextmanager
def hostile_folder():
    """A profile whose names would like to be markup, with source files of such names."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        names = ["</script><script>alert(1)</script>.c", "<!--<script>.c", "a\u202eb\u2028.c", '"\\\'&amp;.c', "plain.c"]
        text = "version: 1\ncmd: </script><img src=x onerror=alert(1)>\nevents: Ir\n"
        for number, file in enumerate(names):
            path = folder / file
            path.parent.mkdir(parents=True, exist_ok=True)
            noise = hashlib.shake_256(file.encode()).hexdigest(1000 * (number + 1))
            path.write_text(f"// {file}\n</script> <!-- {noise}\n")
            text += f"fl={file}\nfn=</script><img src=x onerror=alert({number})>\n{number + 1} {1000 - number}\n"
        (folder / "</script>.out").parent.mkdir(exist_ok=True)
        (folder / "</script>.out").write_text(text)
        yield folder, names


@test
def no_name_breaks_out_of_a_report(program):
    with hostile_folder() as (folder, names):
        status, page, said = report(program, "</script>.out", cwd=folder)
        expect("status", (status, said), (0, "callcost: note: the report contains the text of 5 source files\n"))
        manifest, data = contents(page)
        expect("sources", [entry["name"] for entry in manifest["sources"]], names)
        for entry in manifest["sources"]:
            expect(entry["name"], data[entry["block"]], (folder / entry["name"]).read_bytes())
        template = contents_of_page(program)
        added = BLOCK.sub(b"", page)
        expect("nothing else", added, template.replace(b"<!-- callcost:data -->", b""))


def contents_of_page(program):
    """The page without data: what is served, without its manifest, and without what reads other formats."""
    with Viewer(program, PROFILE) as viewer:
        served = viewer.request()[2]
    without_importer = re.sub(rb'    <script[^>]* id="importer">[^<]*</script>\n', b"", served)
    return BLOCK.sub(b"", without_importer)


@test
def a_report_leaves_sources_out_beyond_a_size(program):
    with hostile_folder() as (folder, names):
        _, bare, _ = report(program, "</script>.out", "--no-sources", cwd=folder)
        _, whole, _ = report(program, "</script>.out", "--max-size", "0", cwd=folder)
        expect("without a limit", len(contents(whole)[0]["sources"]), 5)
        expect("by default", report(program, "</script>.out", cwd=folder)[1], whole)
        limit = (len(bare) + len(whole)) // 2
        status, page, said = report(program, "</script>.out", "--max-size", str(limit), cwd=folder)
        kept = [entry["name"] for entry in contents(page)[0]["sources"]]
        expect("status", status, 0)
        assert 0 < len(kept) < 5 and kept == names[: len(kept)], kept
        assert len(page) <= limit, (len(page), limit)
        assert f"{5 - len(kept)} of 5 source files" in said and "--max-size" in said, said
        _, page, said = report(program, "</script>.out", "--max-size", "1k", cwd=folder)
        expect("the profile comes in any case", contents(page)[0]["sources"], [])
        assert "5 of 5 source files" in said, said


@test
def a_report_holds_the_machine_code_of_what_costs_most(program):
    folder = ROOT / "tests/golden/asm_program"
    common = ("loop.out", "--no-sources", "--objdump", str(folder / "objdump"))
    status, page, said = report(program, *common, cwd=folder)
    expect("status", (status, said), (0, "callcost: note: the report contains the machine code of 1 function\n"))
    manifest, data = contents(page)
    expect("block", manifest["profiles"][0]["code"], "c0")
    (function,) = json.loads(data["c0"])["functions"]
    assert "push %r13" in function["code"], function
    status, page, said = report(program, *common, "--no-code", cwd=folder)
    expect("without", (status, said, "code" in contents(page)[0]["profiles"][0]), (0, "", False))
    status, page, said = report(program, *common, "--max-code", "10", cwd=folder)
    expect("no room", "code" in contents(page)[0]["profiles"][0], False)
    assert "omitted for its size: machine code of 1 function" in said and "--max-code" in said, said
    _, page, said = report(program, "loop.out", "--no-sources", "--objdump", "/no/objdump", cwd=folder)
    assert "code" not in contents(page)[0]["profiles"][0] and "no machine code of 1 function" in said, said


@contextlib.contextmanager
def folders_of_sources():
    """Directories with a source file each, and others with secrets; a function that writes a profile of some files."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name).resolve()
        for directory in ("here", "there", "profiles", "elsewhere"):
            (folder / directory).mkdir()
            (folder / directory / f"{directory}.c").write_text("int x;\n")
        for number in range(4):
            (folder / "elsewhere" / f"secret{number}").write_text("my key\n")
        (folder / "here/link.c").symlink_to(folder / "elsewhere/elsewhere.c")
        (folder / "here/linked").symlink_to(folder / "elsewhere")

        def profile_of(*files):
            profile = folder / "profiles/callgrind.out.1"
            profile.write_text("version: 1\nevents: Ir\n" + "".join(f"fl={file}\nfn=f{file}\n1 {100 - at}\n" for at, file in enumerate(files)))
            return profile

        yield folder, profile_of


@test
def a_report_holds_no_sources_from_elsewhere_unless_told_to(program):
    with folders_of_sources() as (folder, profile_of):

        def reported(*files, options=()):
            status, page, words = report(program, profile_of(*files), *options, cwd=folder / "here")
            expect("status", status, 0)
            return [entry["name"] for entry in contents(page)[0]["sources"]], words

        note = "callcost: note: the report contains the text of {}"
        secret = f"{folder}/elsewhere/secret0"
        expect("below the working directory", reported("here.c"), (["here.c"], note.format("1 source file") + "\n"))
        expect("beside the profile", reported("profiles.c", "here.c"), (["profiles.c", "here.c"], note.format("2 source files") + "\n"))
        expect("-I", reported("there.c", options=["-I", "../there"]), (["there.c"], note.format("1 source file") + "\n"))
        expect("-I of an absolute name", reported(secret, options=["-I", "../elsewhere"]), ([secret], note.format("1 source file") + "\n"))
        mapped = reported("/build/there.c", options=["--source-map", f"/build={folder}/there"])
        expect("--source-map", mapped, (["/build/there.c"], note.format("1 source file") + "\n"))
        for name in (secret, "link.c", "linked/secret1", "../elsewhere/secret2", "/etc/passwd", "linked/../elsewhere/secret3"):
            names, words = reported("here.c", name)
            expect(name, names, ["here.c"])
            left_out = f"callcost: note: omitted 1 source file from outside the working directory and that of the profile: {name}\n"
            hint = "  hint: -I DIR includes those below DIR, --sources=all includes all\n"
            expect(name, words, note.format("1 source file") + "\n" + left_out + hint)
        secrets = [f"{folder}/elsewhere/secret{number}" for number in range(4)]
        names, words = reported("here.c", *secrets, options=["--sources=all"])
        expect("all", names, ["here.c", *secrets])
        expect("every one is named", words.splitlines()[0], note.format("5 source files") + ", 4 from elsewhere: " + ", ".join(secrets))
        _, words = reported(*secrets)
        assert words.startswith("callcost: note: omitted 4 source files") and "secret2, ...\n" in words, words
        expect("none", reported("here.c", secret, options=["--no-sources"]), ([], ""))
        expect("quiet", reported(secret, options=["--quiet"]), ([], ""))


@test
def the_page_gets_no_sources_from_elsewhere_unless_told_to(program):
    with folders_of_sources() as (folder, profile_of):
        names = ["profiles.c", f"{folder}/elsewhere/secret0", str(folder / "here/link.c")]
        profile = profile_of(*names)

        def texts(*options):
            with Viewer(program, profile, *options, cwd=folder / "here") as viewer:
                answers = [viewer.ask({"ask": "source", "file": row["id"]}) for row in viewer.ask({"ask": "files"})["rows"]]
                return {answer["file"]["name"]: answer for answer in answers}

        answers = texts()
        expect("near", answers["profiles.c"]["text"], "int x;\n")
        for name in names[1:]:
            expect(name, (answers[name]["text"], answers[name]["path"]), (None, name))
            wanted = {
                "message": "outside the directories that source files are taken from",
                "hint": "name its directory with -I DIR, or start again with --sources=all",
            }
            expect("why", answers[name]["problem"], wanted)
        expect("-I", texts("-I", folder / "elsewhere")[names[1]]["text"], "my key\n")
        with Viewer(program, profile, cwd=folder / "here") as viewer:
            files = {row["name"]: row["id"] for row in viewer.ask({"ask": "files"})["rows"]}
            for name in names[1:]:
                offered = viewer.ask({"ask": "source", "file": files[name]})["withheld_in"]
                expect("offered", offered, os.path.realpath(folder / "elsewhere"))
                for other in ("/", str(folder), f"{offered}/", f"{offered}/..", "."):
                    expect(other, viewer.ask({"ask": "source", "file": files[name], "show_sources_in": other})["text"], None)
            expect("of another file", viewer.ask({"ask": "source", "file": files[names[0]], "show_sources_in": offered})["text"], "int x;\n")
            expect("not yet", viewer.ask({"ask": "source", "file": files[names[1]]})["text"], None)
            expect("shown", viewer.ask({"ask": "source", "file": files[names[1]], "show_sources_in": offered})["text"], "my key\n")
            shown = viewer.ask({"ask": "source", "file": files[names[2]]})
            expect("from now on", (shown["text"] is None, "withheld_in" in shown), (False, False))
        expect("all", texts("--sources", "all")[names[1]]["text"], "my key\n")


@test
def a_report_is_written_whole_or_not_at_all(program):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        output = folder / "report.html"
        expect("status", report(program, PROFILE, output=str(output))[:2], (0, b""))
        expect("as on standard output", output.read_bytes(), report(program, PROFILE)[1])
        output.write_text("old")
        expect("missing input", report(program, folder / "nosuch", output=str(output))[0], 1)
        expect("kept", output.read_text(), "old")
        profile = pathlib.Path(shutil.copy(PROFILE, folder / "profile.out"))
        status, _, said = report(program, profile, output=str(profile))
        expect("its own input", (status, profile.read_bytes() == PROFILE.read_bytes()), (1, True))
        assert "it is also an input file" in said, said
        status, _, said = report(program, PROFILE, "--diff", profile, output=str(profile))
        expect("its other input", (status, profile.read_bytes() == PROFILE.read_bytes()), (1, True))
        expect("full", report(program, PROFILE, output="/dev/full")[0], 1)


def run(function, program):
    begin = time.monotonic()
    try:
        function(program)
    except Exception:
        return function.__name__, time.monotonic() - begin, traceback.format_exc()
    return function.__name__, time.monotonic() - begin, None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("executable", type=pathlib.Path)
    parser.add_argument("tests", nargs="*")
    options = parser.parse_args()
    program = str(options.executable.resolve())
    chosen = [function for function in tests if not options.tests or function.__name__ in options.tests]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda function: run(function, program), chosen))
    for name, seconds, failure in results:
        print(f"{'FAILED' if failure else 'ok    '} {name} ({seconds:.1f} s)" + (f"\n{failure}" if failure else ""))
    return 1 if any(failure for _, _, failure in results) else 0


if __name__ == "__main__":
    sys.exit(main())
