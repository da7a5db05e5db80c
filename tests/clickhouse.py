"""A ClickHouse server of one's own, on a free loopback port and in a directory of its own."""

import os
import pathlib
import shutil
import socket
import subprocess
import time
import urllib.request

USER = "tester"
PASSWORD = "pass-word'with\"signs"  # of nothing else

CONFIGURATION = """<yandex>
<logger><level>trace</level><log>{folder}/log.txt</log><errorlog>{folder}/errors.txt</errorlog></logger>
<http_port>{port}</http_port><listen_host>127.0.0.1</listen_host>
<path>{folder}/data/</path><tmp_path>{folder}/tmp/</tmp_path>
<users_config>{folder}/users.xml</users_config><default_profile>default</default_profile>
<default_database>default</default_database><mark_cache_size>67108864</mark_cache_size>
</yandex>
"""
USERS = """<yandex><profiles><default/></profiles><quotas><default/></quotas><users>
<default><password>{other}</password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default>
<{user}><password>{password}</password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></{user}>
</users></yandex>
"""


class Server:
    """Runs until it is left: `with Server(folder) as server`."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder).resolve()
        self.folder.mkdir(parents=True, exist_ok=True)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        (self.folder / "config.xml").write_text(CONFIGURATION.format(folder=self.folder, port=self.port))
        escaped = PASSWORD.replace('"', "&quot;")
        (self.folder / "users.xml").write_text(USERS.format(user=USER, password=escaped, other=escaped[::-1].replace(";touq&", "x")))
        self.process = None

    # Debian's place is not in the PATH of all users.
    program = shutil.which("clickhouse-server", path=os.environ.get("PATH", os.defpath) + ":/usr/sbin")

    @classmethod
    def is_installed(cls):
        return cls.program is not None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.kill()

    def start(self):
        environment = {**os.environ, "TZ": "UTC"}
        self.process = subprocess.Popen([self.program, f"--config-file={self.folder}/config.xml"], cwd=self.folder, env=environment,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=open(self.folder / "stderr.txt", "ab"))
        for _ in range(600):
            if self.process.poll() is not None:
                break
            try:
                self.query("SELECT 1")
                return
            except OSError:
                time.sleep(0.1)
        raise SystemExit(f"clickhouse-server does not start: {(self.folder / 'stderr.txt').read_text()[-2000:]}")

    def signal(self, number):
        self.process.send_signal(number)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def address(self, database):
        return f"clickhouse://{USER}@127.0.0.1:{self.port}/{database}"

    def query(self, sql, body=b""):
        """The answer of the server, as text."""
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/", data=sql.encode() + body, headers={"X-ClickHouse-User": USER, "X-ClickHouse-Key": PASSWORD})
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=120) as answer:
            return answer.read().decode("utf-8", "surrogateescape")
