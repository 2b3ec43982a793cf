"""The process in which ArcadeDB runs, with its Bolt plugin and a read-only user.

    python -m core.engines.arcadedb_server ROOT

Prints one JSON line {"bolt", "http", "admin", "reader"} when it is up, and ends when its standard input closes.
"""

from __future__ import annotations

import base64
import json
import os
import secrets
import sys
import threading
import urllib.request
from pathlib import Path
from typing import Any

from core.engines.supervisor import free_port

READER = "reader"


def _group(access: list[str], records: list[str]) -> dict[str, Any]:
    return {"resultSetLimit": -1, "readTimeout": -1, "access": access, "types": {"*": {"access": records}}}


def _write_groups(root: Path) -> None:
    admin = _group(
        ["updateSecurity", "updateSchema", "updateDatabaseSettings"],
        ["createRecord", "readRecord", "updateRecord", "deleteRecord"],
    )
    groups = {"admin": admin, "readonly": _group([], ["readRecord"]), "*": _group([], [])}
    config = root / "config"
    config.mkdir(parents=True, exist_ok=True, mode=0o700)
    (config / "server-groups.json").write_text(json.dumps({"databases": {"*": {"groups": groups}}, "version": 2}))
    # Passwords are made anew at each start, so the users of an earlier one are of no use.
    (config / "server-users.jsonl").unlink(missing_ok=True)


def command(http: int, password: str, text: str) -> None:
    """Run one server command as root."""
    token = base64.b64encode(f"root:{password}".encode()).decode()
    request = urllib.request.Request(
        f"http://127.0.0.1:{http}/api/v1/server",
        method="POST",
        data=json.dumps({"command": text}).encode(),
        headers={"Content-Type": "application/json", "Authorization": f"Basic {token}"},
    )
    # A proxy of the environment is not asked for what runs on this machine.
    urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=60).read()


def main(root: str) -> None:
    """Start, say where, and wait."""
    import arcadedb_embedded

    _write_groups(Path(root))
    password, reader = secrets.token_hex(16), secrets.token_hex(16)
    bolt, http = free_port(), free_port()
    server = arcadedb_embedded.create_server(
        root_path=root,
        root_password=password,
        config={
            "host": "127.0.0.1",
            "http_port": http,
            "bolt_host": "127.0.0.1",
            "bolt_port": bolt,
            "server_plugins": "Bolt:com.arcadedb.bolt.BoltProtocolPlugin",
        },
    )
    server.start()
    user = {"name": READER, "password": reader, "databases": {"*": ["readonly"]}}
    command(http, password, "create user " + json.dumps(user))
    ready = {"bolt": f"bolt://127.0.0.1:{bolt}", "http": http, "admin": ["root", password], "reader": [READER, reader]}
    # The engine prints to standard output too; the line must stand alone.
    sys.stdout.write("\n" + json.dumps(ready) + "\n")
    sys.stdout.flush()
    # Nobody reads the pipe from here on, and a full one would stop the engine.
    os.dup2(2, 1)
    sys.stdin.buffer.read()
    # The engine's own threads would keep the process; a clean stop gets five seconds.
    threading.Timer(5, lambda: os._exit(1)).start()
    server.stop()
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1])
