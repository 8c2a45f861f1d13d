"""Section 4: methods, content types, paths, and the order of checks."""

import http1
import server
from flows import Rejected
from subjects import fault, faults, lawful
from transport import Reader

HANDLE = (server.Gateway, "handle")
NAME, TYPE = "content-type", "application/json"


def heads(change):
    """The request, changed before it is handled."""

    async def read_head(was, reader):
        request = await was(reader)
        if request is not None:
            change(request)
        return request

    return read_head


def method(read):
    return heads(lambda request: setattr(request, "method", read(request)))


def content_type(read):
    return heads(lambda request: request.headers.update({NAME: read(request.headers.get(NAME, ""))}))


faults(
    "4", http1, "read_head",
    ("method-query-taken", "the method QUERY is taken as POST",
     method(lambda request: "POST" if request.method == "QUERY" else request.method)),
    ("method-override", "X-HTTP-Method-Override: POST makes a POST of any method",
     method(lambda request: request.headers.get("x-http-method-override", request.method))),
    ("type-begins", "a content type that begins with application/json is taken",
     content_type(lambda value: TYPE if value.startswith(TYPE) else value)),
    ("type-missing", "a request without a content type is taken", content_type(lambda value: value or TYPE)),
    ("type-capitals", "Application/JSON is refused",
     content_type(lambda value: value if value.lower() == value else "text/plain")),
)


@fault("options-200", "4", "OPTIONS is answered with 200", *HANDLE)
async def _(was, self, route, request, reader, writer):
    if request.method == "OPTIONS":
        return 200, {}
    return await was(self, route, request, reader, writer)


class Routes(dict):
    """Routes that are found by other paths too."""

    def __init__(self, routes, same):
        super().__init__(routes)
        self.same = same

    def get(self, wanted, default=None):
        found = [known for known in self if self.same(known, wanted)]
        return self[max(found, key=len)] if found else default


def found_by(same):
    return lambda was, file: Routes(was(file), same)


lawful("lawful-path-below", "4", "a path below a route's path is served as the route", server, "read_routes",
       found_by(lambda known, wanted: wanted == known or wanted.startswith(known.rstrip("/") + "/")))
lawful("lawful-path-capitals", "4", "paths are compared without regard to capitals", server, "read_routes",
       found_by(lambda known, wanted: known.lower() == wanted.lower()))


# --- the order of checks


def too_large(request):
    length = request.headers.get("content-length", "0")
    return length.isdecimal() and int(length) > server.BODY_BYTES


@fault("order-secret-type", "4", "the secret is checked before the content type", *HANDLE)
async def _(was, self, route, request, reader, writer):
    if request.method == "POST" and not server.authenticated(route, request):
        raise Rejected(401, "unauthorized", "Authentication failed.")
    return await was(self, route, request, reader, writer)


@fault("order-size-first", "4", "a Content-Length over the limit is refused before the secret is checked", *HANDLE)
async def _(was, self, route, request, reader, writer):
    if request.method == "POST" and too_large(request):
        raise Rejected(413, "payload_too_large", "The body is too large.")
    return await was(self, route, request, reader, writer)


@fault("order-body-first", "4", "the body is read before the secret is checked", *HANDLE)
async def _(was, self, route, request, reader, writer):
    length = request.headers.get("content-length", "")
    if request.method != "POST" or not length.isdecimal() or too_large(request):
        return await was(self, route, request, reader, writer)
    data = await reader.readexactly(int(length))

    class Read(Reader):
        async def readexactly(self, size):
            return data

    return await was(self, route, request, Read(reader), writer)


@fault("order-full-secret", "4", "requests with a wrong secret do not count as in flight", *HANDLE)
async def _(was, self, route, request, reader, writer):
    if request.method != "POST" or server.authenticated(route, request):
        return await was(self, route, request, reader, writer)
    enter = self.in_flight
    self.in_flight = server.InFlight()
    try:
        return await was(self, route, request, reader, writer)
    finally:
        self.in_flight = enter
