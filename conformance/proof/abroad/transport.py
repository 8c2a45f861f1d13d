"""Section 4: chunks and connections of HTTP/1.1."""

import re

import http1
import server
from flows import Rejected
from subjects import fault

HANDLE, CHUNKS = (server.Gateway, "handle"), (http1, "read_chunks")


class Reader:
    """A reader that reads from another one."""

    def __init__(self, reader):
        self.reader = reader

    def __getattr__(self, name):
        return getattr(self.reader, name)


def lines(change):
    """The function, with a reader whose lines are changed."""

    class Lines(Reader):
        async def readuntil(self, end):
            return change(await self.reader.readuntil(end))

    return lambda was, reader, *rest: was(Lines(reader), *rest)


fault("header-blanks", "4", "of the blanks before a header's value only one is skipped", http1, "read_head",
      lines(lambda head: re.sub(rb"(?m)^([\w-]+: ) ", rb"\1_", head)))

fault("chunk-capitals", "4", "chunk sizes with capital letters are refused", *CHUNKS,
      lines(lambda line: b"?\r\n" if re.match(rb"[0-9]*[A-F]", line) else line))

fault("chunk-size-literal", "4", "a chunk's size is read like a number of the program's text", *CHUNKS,
      lines(lambda line: re.sub(rb"^0x|_", b"", line)))


@fault("chunk-first", "4", "only the first chunk of a body is read", *CHUNKS)
async def _(was, reader, limit):
    read = []  # in turn: a chunk, and the line feed behind it

    class First(Reader):
        async def readexactly(self, size):
            read.append(await reader.readexactly(size))
            return b"" if len(read) > 2 and len(read) % 2 else read[-1]

    return await was(First(reader), limit)


@fault("chunk-trailer-left", "4", "a trailer is left on the connection, so that the next request is refused", *CHUNKS)
async def _(was, reader, limit):
    class Left(Reader):
        ended = False

        async def readuntil(self, end):
            line = b"\r\n" if self.ended else await reader.readuntil(end)
            self.ended = self.ended or line.rstrip() == b"0"
            return line

    return await was(Left(reader), limit)


@fault("refused-body-left", "4", "the body of a refused request is read as the next request", *HANDLE)
async def _(was, self, route, request, reader, writer):
    try:
        return await was(self, route, request, reader, writer)
    except Rejected:
        request.body_pending = False
        raise


@fault("late-body-left", "8", "what comes of a body after its time is read as the next request", *HANDLE)
async def _(was, self, route, request, reader, writer):
    try:
        return await was(self, route, request, reader, writer)
    except Rejected as refusal:
        request.body_pending &= refusal.status != 408
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


@fault("length-last", "4", "of two lengths the last one is believed", http1, "read_head")
async def _(was, reader):
    request = await was(reader)
    if request and "," in request.headers.get("content-length", ""):
        request.headers["content-length"] = request.headers["content-length"].rpartition(", ")[2]
    return request


@fault("length-digits", "4", "a length is read up to its first letter", http1, "read_head")
async def _(was, reader):
    request = await was(reader)
    if request and "content-length" in request.headers:
        request.headers["content-length"] = re.match("[0-9]*", request.headers["content-length"])[0] or "0"
    return request


@fault("expect-ignored", "4", "100 Continue is never sent", http1, "read_body")
async def _(was, reader, writer, request, limit):
    request.headers.pop("expect", None)
    return await was(reader, writer, request, limit)


@fault("method-prefix", "4", "a method that begins with POST is POST", http1, "read_head")
async def _(was, reader):
    request = await was(reader)
    if request and request.method.startswith("POST"):
        request.method = "POST"
    return request


@fault("method-capitals", "4", "the method post is POST", http1, "read_head")
async def _(was, reader):
    request = await was(reader)
    if request:
        request.method = request.method.upper()
    return request
