"""SPARQL over HTTP: requests that stay at their host, and answers read within bounds."""

from __future__ import annotations

import contextlib
import http.client
import os
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from core.errors import QueryFailed, QueryRejected, SourceUnavailable
from core.sources.base import Limits

CHUNK = 1 << 16
MARGIN_SECONDS = 0.5
"""What the engine's own timeout gets before this program stops it."""


class Connection(Exception):
    """The server went away before the answer was whole."""


class StoppedByEngine(TimeoutError):
    """The engine kept to its own timeout, so it need not be restarted."""


def fetch(address: str, query: str, accept: str, limits: Limits) -> tuple[bytes, bool]:
    """The reply to `query` in the media type `accept`, and whether it is whole.

    Raises:
        TimeoutError: It ran past `limits.seconds`; `StoppedByEngine` when the engine itself stopped it.
        Connection: The server went away.
        QueryRejected: The engine can't parse it.
        QueryFailed: The engine reports another error.
    """
    from SPARQLWrapper import POST, SPARQLWrapper

    patience = limits.seconds + MARGIN_SECONDS
    deadline = time.monotonic() + patience
    client = SPARQLWrapper(address, agent="OmniRetrieval-Explorer/0.1")
    client.setQuery(query)
    client.setMethod(POST)
    client.setOnlyConneg(True)
    request = client._createRequest()
    request.remove_header("Accept")
    request.add_header("Accept", accept)
    try:
        with contextlib.closing(open_request(request, patience)) as reply:
            return read_bounded(reply, limits.max_bytes, deadline)
    except urllib.error.HTTPError as error:
        raise _http_error(error) from error
    except TimeoutError:
        raise
    except urllib.error.URLError as error:
        if isinstance(error.reason, TimeoutError):
            raise TimeoutError from error
        raise Connection(str(error.reason)) from error
    except (http.client.HTTPException, OSError) as error:
        raise Connection(str(error) or type(error).__name__) from error


class _StaysHere(urllib.request.HTTPRedirectHandler):
    """Follows a redirect to the same host only."""

    def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> Any:
        if urlsplit(newurl).netloc != urlsplit(req.full_url).netloc:
            raise urllib.error.URLError(
                f"redirected to another host, {urlsplit(newurl).hostname}, which is not followed"
            )
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def open_request(request: urllib.request.Request, seconds: float) -> Any:
    """Open an http or https request, following no redirect to another host.

    Raises:
        SourceUnavailable: The address has another scheme.
    """
    if urlsplit(request.full_url).scheme not in ("http", "https"):
        raise SourceUnavailable(f"{request.full_url} is not an http or https address.")
    # A proxy of the environment is not asked for what runs on this machine.
    return urllib.request.build_opener(urllib.request.ProxyHandler({}), _StaysHere).open(request, timeout=seconds)


def read_bounded(reply: Any, most: int, deadline: float) -> tuple[bytes, bool]:
    """Read at most `most` bytes before `deadline`; False when there were more.

    Raises:
        TimeoutError: The deadline passed, however slowly the bytes drip.
    """
    parts: list[bytes] = []
    size = 0
    with _ends_at(reply, deadline):
        while True:
            try:
                part = reply.read1(CHUNK)
            except (OSError, http.client.HTTPException) as error:
                if time.monotonic() >= deadline:
                    raise TimeoutError from error
                raise
            if time.monotonic() >= deadline:
                raise TimeoutError
            if not part:
                length = reply.headers.get("Content-Length")
                if length and size < int(length):
                    raise http.client.IncompleteRead(b"", int(length) - size)
                return b"".join(parts), True
            parts.append(part)
            size += len(part)
            if size > most:
                return b"".join(parts), False


@contextlib.contextmanager
def _ends_at(reply: Any, deadline: float) -> Iterator[None]:
    """Shut the connection down at `deadline`, so that a read that waits comes back."""
    with socket.socket(fileno=os.dup(reply.fileno())) as line:

        def shut() -> None:
            with contextlib.suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)

        timer = threading.Timer(max(0.0, deadline - time.monotonic()), shut)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()


def _http_error(error: urllib.error.HTTPError) -> Exception:
    said = " ".join(error.read(2_000).decode("utf-8", "replace").split())[:300]
    if "timeout" in said.lower() or error.code == 504:
        return StoppedByEngine()
    if "variable that is unbound" in said:
        return QueryRejected(
            "A variable is neither grouped nor aggregated, or an aggregate stands in ORDER BY without a GROUP BY. "
            "Group by what is shown, or put it into SAMPLE(...)."
        )
    if error.code == 400:
        return QueryRejected(f"The engine can't parse it: {said}")
    return QueryFailed(f"The engine reports (HTTP {error.code}): {said}")
