"""A model server on loopback that misbehaves on purpose; which way is chosen by the model's name."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

KEY_IN_ERROR = "sk-leaked0123456789abcdef"


@dataclass
class Misbehaving:
    """What the server was asked; `reply` is what its well-behaved models say.

    Models, each named `openai/NAME` for litellm: good, rate_once, rate, rate_long, no_schema, no_schema_ever,
    broken, unavailable, not_json, not_chat, cut_body, silent, drip, unknown, overflow, bad_key, cut_reply, thinker.
    """

    base: str
    reply: str = "SELECT 1"
    requests: list[dict[str, Any]] = field(default_factory=list)
    released: threading.Event = field(default_factory=threading.Event)

    def asked(self, model: str) -> int:
        """How many requests came for one model."""
        return sum(r["model"] == model for r in self.requests)


@contextmanager
def misbehaving_server() -> Iterator[Misbehaving]:
    """The server while the block runs; requests that hang are let go at its end."""
    state = Misbehaving("")
    handler = type("Handler", (_Handler,), {"state": state})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    state.base = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        state.released.set()
        server.shutdown()
        server.server_close()


def _error(message: str, **more: object) -> str:
    return json.dumps({"error": {"message": message, "type": "invalid_request_error", **more}})


def _chat(text: str | None, reason: str = "stop") -> str:
    choice = {"index": 0, "finish_reason": reason, "message": {"role": "assistant", "content": text}}
    usage = {"prompt_tokens": 11, "completion_tokens": 3, "total_tokens": 14}
    return json.dumps(
        {"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage}
    )


class _Handler(BaseHTTPRequestHandler):
    state: ClassVar[Misbehaving]
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        """Keep test output quiet."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.state.requests.append(body)
        getattr(self, f"_{body['model']}")(body)

    def _send(self, status: int, text: str, headers: Mapping[str, str] | None = None) -> None:
        data = text.encode()
        self.send_response(status)
        for name, value in {
            "content-type": "application/json",
            "content-length": str(len(data)),
            **(headers or {}),
        }.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def _good(self, body: Mapping[str, Any]) -> None:
        self._send(200, _chat(self.state.reply))

    def _rate_once(self, body: Mapping[str, Any]) -> None:
        if self.state.asked("rate_once") == 1:
            self._send(429, _error("slow down"), {"Retry-After": "1"})
        else:
            self._good(body)

    def _rate(self, body: Mapping[str, Any]) -> None:
        self._send(429, _error("slow down"), {"Retry-After": "0.2"})

    def _rate_long(self, body: Mapping[str, Any]) -> None:
        self._send(429, _error("slow down"), {"Retry-After": "3600"})

    def _no_schema(self, body: Mapping[str, Any]) -> None:
        if "response_format" in body:
            self._send(400, _error("response_format of type json_schema is not supported"))
        else:
            self._good(body)

    def _no_temperature(self, body: Mapping[str, Any]) -> None:
        if "temperature" in body:
            self._send(400, _error("Unsupported value: 'temperature' does not support 0 with this model."))
        else:
            self._good(body)

    def _broken(self, body: Mapping[str, Any]) -> None:
        self._send(500, "oops")

    def _unavailable(self, body: Mapping[str, Any]) -> None:
        self._send(503, "oops")

    def _not_json(self, body: Mapping[str, Any]) -> None:
        self._send(200, "{not json")

    def _not_chat(self, body: Mapping[str, Any]) -> None:
        self._send(200, '{"hello": 1}')

    def _cut_body(self, body: Mapping[str, Any]) -> None:
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", "1000")
        self.end_headers()
        self.wfile.write(b'{"id":"x","choi')
        self.close_connection = True

    def _silent(self, body: Mapping[str, Any]) -> None:
        self.state.released.wait(60)
        self.close_connection = True

    def _drip(self, body: Mapping[str, Any]) -> None:
        self.send_response(200)
        self.send_header("content-length", "100000")
        self.end_headers()
        while not self.state.released.is_set():
            try:
                self.wfile.write(b" ")
                self.wfile.flush()
            except OSError:
                break
            time.sleep(0.1)
        self.close_connection = True

    def _unknown(self, body: Mapping[str, Any]) -> None:
        self._send(404, _error("The model does not exist"))

    def _overflow(self, body: Mapping[str, Any]) -> None:
        self._send(400, _error("request (900 tokens) exceeds the available context size (512 tokens)", code=400))

    def _bad_key(self, body: Mapping[str, Any]) -> None:
        said = (
            f"Incorrect API key provided: {KEY_IN_ERROR}, see https://u:hunter22@host/?key=ABCD1234EFGH or Bearer zzz"
        )
        self._send(401, _error(said))

    def _cut_reply(self, body: Mapping[str, Any]) -> None:
        self._send(200, _chat("SELECT name FROM t WHERE a = 1", "length"))

    def _thinker(self, body: Mapping[str, Any]) -> None:
        if body["max_tokens"] < 2_000:
            self._send(200, _chat("<think>first I look at the schema", "length"))
        else:
            self._send(200, _chat("<think>so</think>SELECT 2"))
