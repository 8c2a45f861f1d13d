"""Section 8: rate, requests in flight, body size and time."""

import asyncio
import collections
import time

import http1
import server
from subjects import fault

for number, value in (("120-121", 121), ("120-119", 119), ("120-100", 100), ("120-240", 240)):
    fault(
        f"rate-{number}", "8", f"{value} requests pass in a window", server, "RATE_REQUESTS", value,
    )
for value in (7, 9, 16):
    fault(
        f"in-flight-{value}", "8", f"{value} requests may be in flight", server, "IN_FLIGHT_REQUESTS", value,
    )

ADMIT, ENTER, LEAVE = (server.RateLimit, "admit"), (server.InFlight, "enter"), (server.InFlight, "leave")


def keyed(change):
    return lambda was, self, key: was(self, change(key))


fault(
    "rate-by-net", "8", "addresses of the same /24 net share their budget", *ADMIT,
    keyed(lambda key: (key[0], key[1].rpartition(".")[0])),
)
fault(
    "rate-by-folder", "8", "routes below the same folder share their budget", *ADMIT,
    keyed(lambda key: (key[0].rpartition("/")[0], key[1])),
)

LOGS, COUNTS = collections.defaultdict(collections.deque), collections.Counter()


@fault("rate-sliding", "8", "the window slides: 120 in any 60 seconds", *ADMIT)
def _(was, self, key):
    now, log = time.monotonic(), LOGS[key]
    while log and log[0] <= now - 60:
        log.popleft()
    if len(log) >= 120:
        return 1
    log.append(now)


@fault(
    "rate-bucket", "8", "the budget is a bucket that fills again with 2 requests a second", *ADMIT,
)
def _(was, self, key):
    now = time.monotonic()
    level, since = self.windows.get(key, (120, now))
    level = min(120, level + (now - since) * 2)
    self.windows[key] = (max(level - 1, 0) if level >= 1 else level, now)
    return None if level >= 1 else 1


@fault("rate-extended", "8", "each refused request makes the window start again", *ADMIT)
def _(was, self, key):
    wait = was(self, key)
    if wait is not None:
        self.windows[key][0] = time.monotonic() + 60
    return wait


@fault("rate-second-window", "8", "the second window of a key lets 240 requests pass", *ADMIT)
def _(was, self, key):
    before = self.windows.get(key)
    wait = was(self, key)
    if before is not None and self.windows[key] is not before:
        self.windows[key][1] -= 120
    return wait


@fault(
    "rate-all-cleared", "8", "when a second address comes the budget of the first begins again", *ADMIT,
)
def _(was, self, key):
    if key not in self.windows:
        self.windows.clear()
    return was(self, key)


fault(
    "in-flight-by-address", "8", "requests in flight are counted for all routes together", *ENTER,
    lambda was, self, key: (
        sum(count for other, count in self.counts.items() if other[1] == key[1]) < 8 and was(self, key)
    ),
)


@fault(
    "in-flight-high-water", "8", "a key that has reached 8 in flight may have 12 afterwards", *ENTER,
)
def _(was, self, key):
    if was(self, key):
        return True
    COUNTS[key] += 1
    if COUNTS[key] > 1 and self.counts.get(key, 0) < 12:
        self.counts[key] += 1
        return True
    return False


HANDLE = (server.Gateway, "handle")


def leaks(condition):
    """A refused request stays in flight."""

    async def handle(was, self, route, request, reader, writer):
        try:
            return await was(self, route, request, reader, writer)
        except BaseException as error:
            if condition(error):
                self.in_flight.enter((route.path, writer.get_extra_info("peername")[0]))
            raise

    return handle


fault(
    "leak-timeout", "8", "a request whose body timed out stays in flight", *HANDLE,
    leaks(lambda error: getattr(error, "status", 0) == 408),
)
fault(
    "leak-client-gone", "8", "a request whose client leaves before its body stays in flight", *HANDLE,
    leaks(lambda error: isinstance(error, (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError))),
)

BODY = (http1, "read_body")


@fault("chunked-unlimited", "8", "a chunked body has no limit of size", *BODY)
async def _(was, reader, writer, request, limit):
    return await was(reader, writer, request, 1 << 30 if "transfer-encoding" in request.headers else limit)


@fault("chunked-slow", "8", "a chunked body may take any time", server.asyncio, "wait_for")
async def _(was, waits, timeout):
    chunked = getattr(getattr(waits, "cr_frame", None), "f_locals", {}).get("request")
    return await was(waits, 600 if timeout == 15 and chunked and "transfer-encoding" in chunked.headers else timeout)


@fault("rate-before-method", "4", "requests with another method count in the budget", *HANDLE)
async def _(was, self, route, request, reader, writer):
    if request.method != "POST":
        self.rate.admit((route.path, writer.get_extra_info("peername")[0]))
    return await was(self, route, request, reader, writer)


@fault("rate-after-secret", "4", "requests with a wrong secret do not count in the budget", *HANDLE)
async def _(was, self, route, request, reader, writer):
    key = (route.path, writer.get_extra_info("peername")[0])
    try:
        return await was(self, route, request, reader, writer)
    except server.Rejected as error:
        if error.status == 401:
            self.rate.windows[key][1] -= 1
        raise


@fault(
    "rate-gives-back", "4", "requests whose body is refused are given back to the budget", *HANDLE,
)
async def _(was, self, route, request, reader, writer):
    try:
        return await was(self, route, request, reader, writer)
    except server.Rejected as error:
        if error.status == 400:
            self.rate.windows[route.path, writer.get_extra_info("peername")[0]][1] -= 1
        raise


@fault(
    "rate-in-flight-free", "4", "requests refused for those in flight do not count in the budget", *HANDLE,
)
async def _(was, self, route, request, reader, writer):
    try:
        return await was(self, route, request, reader, writer)
    except server.Rejected as error:
        if error.code == "too_many_in_flight":
            self.rate.windows[route.path, writer.get_extra_info("peername")[0]][1] -= 1
        raise


class Writer:
    """A writer whose client has another address."""

    def __init__(self, writer, address):
        self.writer, self.address = writer, address

    def __getattr__(self, name):
        return getattr(self.writer, name)

    def get_extra_info(self, name):
        return self.address if name == "peername" else self.writer.get_extra_info(name)


def address_from(choose):
    async def handle(was, self, route, request, reader, writer):
        peer = writer.get_extra_info("peername")
        return await was(self, route, request, reader, Writer(writer, choose(request, peer) or peer))

    return handle


fault(
    "forwarded-for", "8", "the client's address is taken from X-Forwarded-For", *HANDLE,
    address_from(
        lambda request, peer: (
            [request.headers.get("x-forwarded-for")] if "x-forwarded-for" in request.headers else None
        ),
    ),
)
fault(
    "by-connection", "8", "each connection has a budget of its own", *HANDLE,
    address_from(lambda request, peer: [peer]),
)
fault(
    "by-secret", "8", "each Authorization has a budget of its own", *HANDLE,
    address_from(lambda request, peer: [peer[0] + request.headers.get("authorization", "")]),
)
