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
fault("window-30", "8", "a window lasts 30 seconds", server, "RATE_SECONDS", 30)
fault("window-90", "8", "a window lasts 90 seconds", server, "RATE_SECONDS", 90)
fault("window-50", "8", "a window lasts 50 seconds", server, "RATE_SECONDS", 50)
for value in (7, 9, 16):
    fault(
        f"in-flight-{value}", "8", f"{value} requests may be in flight", server, "IN_FLIGHT_REQUESTS", value,
    )
fault("body-64k", "8", "bodies over 64 KB are refused", server, "BODY_BYTES", 64 * 1024)
fault("body-512k", "8", "bodies up to 512 KB are taken", server, "BODY_BYTES", 512 * 1024)
fault("body-300k", "8", "bodies up to 300 KB are taken", server, "BODY_BYTES", 300 * 1024)
fault("body-5s", "8", "a body may take 5 seconds", server, "BODY_SECONDS", 5)
fault("body-30s", "8", "a body may take 30 seconds", server, "BODY_SECONDS", 30)
fault("tracked-4", "8", "only 4 keys are tracked", server, "TRACKED_KEYS", 4)
fault("tracked-64", "8", "only 64 keys are tracked", server, "TRACKED_KEYS", 64)

ADMIT, ENTER, LEAVE = (server.RateLimit, "admit"), (server.InFlight, "enter"), (server.InFlight, "leave")


def keyed(change):
    return lambda was, self, key: was(self, change(key))


fault("rate-by-path", "8", "the budget is one for all addresses", *ADMIT, keyed(lambda key: key[0]))
fault("rate-by-address", "8", "the budget is one for all routes", *ADMIT, keyed(lambda key: key[1]))
fault(
    "rate-by-net", "8", "addresses of the same /24 net share their budget", *ADMIT,
    keyed(lambda key: (key[0], key[1].rpartition(".")[0])),
)
fault(
    "rate-by-folder", "8", "routes below the same folder share their budget", *ADMIT,
    keyed(lambda key: (key[0].rpartition("/")[0], key[1])),
)
fault(
    "rate-by-lower-path", "8", "routes whose paths differ in capitals share their budget", *ADMIT,
    keyed(lambda key: (key[0].lower(), key[1])),
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


@fault("rate-idle", "8", "the window ends 60 seconds after the last request", *ADMIT)
def _(was, self, key):
    wait = was(self, key)
    self.windows[key][0] = time.monotonic() + 60
    return wait


@fault("rate-second-window", "8", "the second window of a key lets 240 requests pass", *ADMIT)
def _(was, self, key):
    before = self.windows.get(key)
    wait = was(self, key)
    if before is not None and self.windows[key] is not before:
        self.windows[key][1] -= 120
    return wait


@fault("rate-every-third", "8", "of requests over the budget every third passes", *ADMIT)
def _(was, self, key):
    wait = was(self, key)
    return None if wait is not None and self.windows[key][1] % 3 == 0 else wait


@fault(
    "rate-all-cleared", "8", "when a second address comes the budget of the first begins again", *ADMIT,
)
def _(was, self, key):
    if key not in self.windows:
        self.windows.clear()
    return was(self, key)


fault(
    "in-flight-by-path", "8", "requests in flight are counted for all addresses together", *ENTER,
    lambda was, self, key: (
        sum(self.counts.values()) - sum(count for other, count in self.counts.items() if other[0] != key[0]) < 8
        and was(self, key)
    ),
)
fault(
    "in-flight-by-address", "8", "requests in flight are counted for all routes together", *ENTER,
    lambda was, self, key: (
        sum(count for other, count in self.counts.items() if other[1] == key[1]) < 8 and was(self, key)
    ),
)
fault(
    "in-flight-none", "8", "requests in flight are not limited", *ENTER,
    lambda was, self, key: was(self, key) or self.counts.__setitem__(key, self.counts[key] + 1) or True,
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
    "leak-too-large", "8", "a request whose body is too large stays in flight", *HANDLE,
    leaks(lambda error: getattr(error, "status", 0) == 413),
)
fault(
    "leak-client-gone", "8", "a request whose client leaves before its body stays in flight", *HANDLE,
    leaks(lambda error: isinstance(error, (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError))),
)
fault(
    "leak-unauthorized", "8", "a request with a wrong secret stays in flight", *HANDLE,
    leaks(lambda error: getattr(error, "status", 0) == 401),
)
fault(
    "leak-not-json", "8", "a request whose body is not JSON stays in flight", *HANDLE,
    leaks(lambda error: str(error) == "The body is not JSON."),
)
fault(
    "leak-not-found", "8", "a request that finds no flow stays in flight", *HANDLE,
    leaks(lambda error: getattr(error, "code", "") == "not_found"),
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
    "real-ip", "8", "the client's address is taken from X-Real-IP", *HANDLE,
    address_from(
        lambda request, peer: [request.headers.get("x-real-ip")] if "x-real-ip" in request.headers else None,
    ),
)
fault(
    "by-connection", "8", "each connection has a budget of its own", *HANDLE,
    address_from(lambda request, peer: [peer]),
)
fault(
    "by-agent", "8", "each User-Agent has a budget of its own", *HANDLE,
    address_from(lambda request, peer: [peer[0] + request.headers.get("user-agent", "")]),
)
fault(
    "by-secret", "8", "each Authorization has a budget of its own", *HANDLE,
    address_from(lambda request, peer: [peer[0] + request.headers.get("authorization", "")]),
)
fault(
    "by-host", "8", "each Host has a budget of its own", *HANDLE,
    address_from(lambda request, peer: [peer[0] + request.headers.get("host", "")]),
)
