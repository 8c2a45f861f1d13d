"""Section 4: chunks and connections of HTTP/1.1."""

import re

import http1
import server
from flows import Rejected
from subjects import fault

HANDLE, CHUNKS = (server.Gateway, "handle"), (http1, "read_chunks")


class Lines:
    """A reader whose lines are changed."""

    def __init__(self, reader, change):
        self.reader, self.change = reader, change

    def __getattr__(self, name):
        return getattr(self.reader, name)

    async def readuntil(self, end):
        return self.change(await self.reader.readuntil(end))


def lines(change):
    return lambda was, reader, *rest: was(Lines(reader, change), *rest)


fault("chunk-capitals", "4", "chunk sizes with capital letters are refused", *CHUNKS,
      lines(lambda line: b"?\r\n" if re.match(rb"[0-9]*[A-F]", line) else line))


@fault("chunk-first", "4", "only the first chunk of a body is read", *CHUNKS)
async def _(was, reader, limit):
    count = 0

    class First:
        async def readuntil(self, end):
            return await reader.readuntil(end)

        async def readexactly(self, size):
            nonlocal count
            count += size > 2
            data = await reader.readexactly(size)
            return data if size == 2 or count == 1 else b""

    return await was(First(), limit)


@fault("chunk-trailer-left", "4", "a trailer is left on the connection, so that the next request is refused", *CHUNKS)
async def _(was, reader, limit):
    class Left:
        ended = False

        async def readuntil(self, end):
            if self.ended:
                return b"\r\n"
            line = await reader.readuntil(end)
            self.ended = line.rstrip() == b"0"
            return line

        async def readexactly(self, size):
            return await reader.readexactly(size)

    return await was(Left(), limit)


@fault("refused-body-left", "4", "the body of a refused request is read as the next request", *HANDLE)
async def _(was, self, route, request, reader, writer):
    try:
        return await was(self, route, request, reader, writer)
    except Rejected:
        request.body_pending = False
        raise


@fault("connection-two", "4", "the second request of a connection is handled with the headers of the first", *HANDLE)
async def _(was, self, route, request, reader, writer):
    kept = getattr(writer, "kept", None)
    writer.kept = request.headers
    if kept:
        for name in ("authorization", server.SECRET_HEADER):
            request.headers.pop(name, None)
            if name in kept:
                request.headers[name] = kept[name]
    return await was(self, route, request, reader, writer)
