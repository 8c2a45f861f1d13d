"""Section 4: methods, content types, paths, the order of checks, and HTTP/1.1."""

import re

import http1
import server
from flows import Rejected
from limits import Writer
from subjects import fault
from transport import Lines

HANDLE, READ = (server.Gateway, "handle"), (http1, "read_head")

# --- the head of a request


def heads(change):
    """The request, changed before it is handled."""

    async def read_head(was, reader):
        request = await was(reader)
        if request is not None:
            change(request)
        return request

    return read_head


def method_as_post(*methods):
    def change(request):
        if request.method in methods:
            request.method = "POST"

    return heads(change)


for method in ("GET", "PUT", "PATCH", "DELETE", "QUERY", "post"):
    fault(
        f"method-{method}-{'small' if method.islower() else 'taken'}", "4",
        f"the method {method} is taken as POST", *READ, method_as_post(method),
    )


def header(name, change):
    """change(value or "") -> value."""
    return heads(lambda request: request.headers.update({name: change(request.headers.get(name, ""))}))


TYPE = "application/json"
fault(
    "method-override", "4", "X-HTTP-Method-Override: POST makes a POST of any method", *READ,
    heads(
        lambda request: request.__dict__.update(
            method=request.headers.get("x-http-method-override", request.method),
        ),
    ),
)
fault(
    "type-begins", "4", "a content type that begins with application/json is taken", *READ,
    header("content-type", lambda value: TYPE if value.startswith(TYPE) else value),
)
fault(
    "type-missing", "4", "a request without a content type is taken", *READ,
    header("content-type", lambda value: value or TYPE),
)
fault(
    "type-capitals", "4", "Application/JSON is refused", *READ,
    header("content-type", lambda value: value if value.lower() == value else "text/plain"),
)

# --- paths


class Prefixes(dict):
    """Routes that are found by a longer path too."""

    def get(self, wanted, default=None):
        found = [known for known in self if wanted == known or wanted.startswith(known.rstrip("/") + "/")]
        return self[max(found, key=len)] if found else default


class Folded(dict):
    """Routes that are found without regard to capitals."""

    def get(self, wanted, default=None):
        return next((route for known, route in self.items() if known.lower() == wanted.lower()), default)


ROUTES = (server, "read_routes")
fault(
    "path-below", "4", "a path below a route's path is served as the route", *ROUTES,
    lambda was, file: Prefixes(was(file)),
)
fault(
    "path-capitals", "4", "paths are compared without regard to capitals", *ROUTES,
    lambda was, file: Folded(was(file)),
)
fault(
    "path-no-last-slash", "1", "a configured path loses its last slash", *ROUTES,
    lambda was, file: {known.rstrip("/"): route for known, route in was(file).items()},
)


class Request(http1.Request):
    """Remembers its target."""

    def __init__(self, method, target, version, headers):
        super().__init__(method, target, version, headers)
        self.target = target


http1.Request = Request


@fault("path-query-budget", "8", "the budget is kept by path with its query", *HANDLE)
async def _(was, self, route, request, reader, writer):
    address = writer.get_extra_info("peername")[0] + request.target
    return await was(self, route, request, reader, Writer(writer, [address]))


# --- the order of checks


def before(check):
    """check(gateway, route, request, key) runs before the other checks."""

    async def handle(was, self, route, request, reader, writer):
        check(self, route, request)
        return await was(self, route, request, reader, writer)

    return handle


def unauthorized(self, route, request):
    if not server.authenticated(route, request):
        raise Rejected(401, "unauthorized", "Authentication failed.")


fault(
    "order-secret-type", "4", "the secret is checked before the content type", *HANDLE,
    before(lambda self, route, request: unauthorized(self, route, request) if request.method == "POST" else None),
)


@fault(
    "order-size-first", "4", "a Content-Length over the limit is refused before the secret is checked", *HANDLE,
)
async def _(was, self, route, request, reader, writer):
    length = request.headers.get("content-length", "0")
    if request.method == "POST" and length.isdecimal() and int(length) > server.BODY_BYTES:
        raise Rejected(413, "payload_too_large", "The body is too large.")
    return await was(self, route, request, reader, writer)


@fault("order-body-first", "4", "the body is read before the secret is checked", *HANDLE)
async def _(was, self, route, request, reader, writer):
    length = request.headers.get("content-length", "0")
    if request.method != "POST" or not length.isdecimal() or int(length) > server.BODY_BYTES:
        return await was(self, route, request, reader, writer)
    data = await reader.readexactly(int(length))

    class Whole(Lines):
        async def readexactly(self, size):
            return data

    return await was(self, route, request, Whole(reader, None), writer)


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


@fault("options-200", "4", "OPTIONS is answered with 200", *HANDLE)
async def _(was, self, route, request, reader, writer):
    if request.method == "OPTIONS":
        return 200, {}
    return await was(self, route, request, reader, writer)
