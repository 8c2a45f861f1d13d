"""The parts of HTTP/1.1 that the routes need: head, bounded body, response. The caller decides when to read the body."""

import asyncio
import re
from http import HTTPStatus

HEAD_BYTES = 16 * 1024
IDLE_SECONDS = 75  # longest wait for a request's head on an open connection
WRITE_SECONDS = 15
LINGER_SECONDS = 5  # how long the rest of a refused request is read and discarded


class BadRequest(Exception):
    """Not an HTTP request, or a body whose end is ambiguous."""


class TooLarge(Exception):
    """The body is larger than the limit."""


class Request:
    def __init__(self, method, target, version, headers):
        self.method = method
        self.path = target.partition("?")[0]
        self.headers = headers  # lower-case name to value; repeated ones joined by ", "
        self.body_pending = "transfer-encoding" in headers or headers.get("content-length", "0") != "0"
        connection = headers.get("connection", "").lower()
        self.keep_alive = "close" not in connection and (version == "HTTP/1.1" or "keep-alive" in connection)


async def read_head(reader):
    """The next request of a connection, or None at its end. Raises BadRequest."""
    try:
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), IDLE_SECONDS)
    except (asyncio.IncompleteReadError, asyncio.TimeoutError, ConnectionError):
        return None
    except asyncio.LimitOverrunError:
        raise BadRequest("the head is too large") from None
    start, *lines = head[:-4].decode("latin-1").split("\r\n")
    parts = re.fullmatch(r"([!-~]+) ([!-~]+) (HTTP/1\.[01])", start)
    if not parts:
        raise BadRequest("the request line is malformed")
    headers = {}
    for line in lines:
        # Refuses a space before the colon and folded lines: two servers may parse them differently (request smuggling).
        field = re.fullmatch(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*", line)
        if not field or "\n" in line or "\r" in line:
            raise BadRequest("a header is malformed")
        name = field[1].lower()
        headers[name] = f"{headers[name]}, {field[2]}" if name in headers else field[2]
    return Request(parts[1], parts[2], parts[3], headers)


async def read_body(reader, writer, request, limit):
    """The body's bytes, at most `limit`. Raises BadRequest, TooLarge, asyncio.IncompleteReadError when the client leaves."""
    length, coding = request.headers.get("content-length"), request.headers.get("transfer-encoding")
    if coding is not None and (length is not None or coding.lower() != "chunked"):
        raise BadRequest("the body's length is unclear")
    if length is not None and not re.fullmatch(r"[0-9]{1,15}", length):
        raise BadRequest("Content-Length is not a number")
    if length is not None and int(length) > limit:
        raise TooLarge()
    # Only now: a client that waits for 100 Continue does not send a body that would be refused.
    if request.headers.get("expect", "").lower() == "100-continue":
        writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
    body = await read_chunks(reader, limit) if coding else await reader.readexactly(int(length or 0))
    request.body_pending = False
    return body


async def read_chunks(reader, limit):
    body = bytearray()
    while True:
        size = re.match(rb"([0-9A-Fa-f]{1,8})[ \t]*(;|\r\n$)", await read_line(reader))
        if not size:
            raise BadRequest("a chunk's size is malformed")
        count = int(size[1], 16)
        if len(body) + count > limit:
            raise TooLarge()
        if count == 0:
            break
        body += await reader.readexactly(count)
        if await reader.readexactly(2) != b"\r\n":
            raise BadRequest("a chunk is longer than it says")
    for _ in range(64):
        if await read_line(reader) == b"\r\n":
            return bytes(body)
    raise BadRequest("the trailer is too long")


async def read_line(reader):
    try:
        return await reader.readuntil(b"\r\n")
    except asyncio.LimitOverrunError:
        raise BadRequest("a line of the body is too long") from None


async def send(reader, writer, status, headers, body, request=None):
    """Writes one response. Returns whether the connection stays open for another request."""
    keep_open = request is not None and request.keep_alive and not request.body_pending
    lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    lines += [f"content-length: {len(body)}", f"connection: {'keep-alive' if keep_open else 'close'}", "", ""]
    writer.write("\r\n".join(lines).encode("latin-1"))
    if request is None or request.method != "HEAD":
        writer.write(body)
    await asyncio.wait_for(writer.drain(), WRITE_SECONDS)
    if not keep_open:
        await linger(reader, writer)
    return keep_open


async def linger(reader, writer):
    """Reads what still arrives before closing: an immediate close would reset the connection, and the response be lost."""

    async def discard():
        while await reader.read(65536):
            pass

    writer.write_eof()
    try:
        await asyncio.wait_for(discard(), LINGER_SECONDS)
    except (asyncio.TimeoutError, ConnectionError):
        pass
