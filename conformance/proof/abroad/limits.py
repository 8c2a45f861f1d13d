"""Section 8: rate, requests in flight, body size and time; section 4: which requests count."""

import asyncio
import collections
import time

import http1
import server
from subjects import fault, faults

for number, id, says, value in (
    ("RATE_REQUESTS", "rate-121", "121 requests pass in a window", 121),
    ("RATE_REQUESTS", "rate-119", "119 requests pass in a window", 119),
    ("RATE_SECONDS", "window-50", "a window lasts 50 seconds", 50),
    ("RATE_SECONDS", "window-90", "a window lasts 90 seconds", 90),
    ("IN_FLIGHT_REQUESTS", "in-flight-7", "7 requests may be in flight", 7),
    ("IN_FLIGHT_REQUESTS", "in-flight-9", "9 requests may be in flight", 9),
    ("BODY_BYTES", "body-64k", "bodies over 64 KB are refused", 64 * 1024),
    ("BODY_BYTES", "body-300k", "bodies up to 300 KB are taken", 300 * 1024),
    ("BODY_SECONDS", "body-5s", "a body may take 5 seconds", 5),
    ("BODY_SECONDS", "body-30s", "a body may take 30 seconds", 30),
    ("TRACKED_KEYS", "tracked-64", "only 64 keys are tracked", 64),
):
    fault(id, "8", says, server, number, value)

ADMIT, ENTER, HANDLE = (server.RateLimit, "admit"), (server.InFlight, "enter"), (server.Gateway, "handle")
LOGS, COUNTS = collections.defaultdict(collections.deque), collections.Counter()


def keyed(change):
    return lambda was, self, key: was(self, change(key))


def key_of(route, writer):
    return route.path, writer.get_extra_info("peername")[0]


faults(
    "8", *ADMIT,
    ("rate-by-net", "addresses of the same /24 net share their budget",
     keyed(lambda key: (key[0], key[1].rpartition(".")[0]))),
    ("rate-by-folder", "routes below the same folder share their budget",
     keyed(lambda key: (key[0].rpartition("/")[0], key[1]))),
)


@fault("rate-sliding", "8", "the window slides: 120 in any 60 seconds", *ADMIT)
def _(was, self, key):
    now, log = time.monotonic(), LOGS[key]
    while log and log[0] <= now - 60:
        log.popleft()
    if len(log) >= 120:
        return 1
    log.append(now)


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


@fault("rate-all-cleared", "8", "when a second address comes the budget of the first begins again", *ADMIT)
def _(was, self, key):
    if key not in self.windows:
        self.windows.clear()
    return was(self, key)


@fault("in-flight-by-address", "8", "requests in flight are counted for all routes together", *ENTER)
def _(was, self, key):
    return sum(count for other, count in self.counts.items() if other[1] == key[1]) < 8 and was(self, key)


@fault("in-flight-high-water", "8", "a key that has reached 8 in flight may have 12 afterwards", *ENTER)
def _(was, self, key):
    if was(self, key):
        return True
    COUNTS[key] += 1
    if COUNTS[key] > 1 and self.counts.get(key, 0) < 12:
        self.counts[key] += 1
        return True
    return False


FIRST = {}


@fault("in-flight-window", "8", "those in flight are forgotten 60 seconds after a key's first request", *ENTER)
def _(was, self, key):
    now = time.monotonic()
    if now - FIRST.setdefault(key, now) >= 60:
        FIRST[key] = now
        self.counts = collections.Counter(self.counts)
        self.counts[key] = 0
    return was(self, key)


def when_refused(then, condition):
    """then(gateway, key) when a request ends with an error for which the condition holds."""

    async def handle(was, self, route, request, reader, writer):
        try:
            return await was(self, route, request, reader, writer)
        except BaseException as error:
            if condition(error):
                then(self, key_of(route, writer))
            raise

    return handle


def stays(self, key):
    self.in_flight.enter(key)


def given_back(self, key):
    self.rate.windows[key][1] -= 1


def stays_a_while(self, key):
    if self.in_flight.enter(key):
        asyncio.get_running_loop().call_later(30, self.in_flight.leave, key)


GONE = (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError)
faults(
    "8", *HANDLE,
    ("leak-timeout", "a request whose body timed out stays in flight",
     when_refused(stays, lambda error: getattr(error, "status", 0) == 408)),
    ("leak-client-gone", "a request whose client leaves before its body stays in flight",
     when_refused(stays, lambda error: isinstance(error, GONE))),
)
faults(
    "4", *HANDLE,
    ("rate-after-secret", "requests with a wrong secret do not count in the budget",
     when_refused(given_back, lambda error: getattr(error, "status", 0) == 401)),
    ("rate-gives-back", "requests whose body is refused are given back to the budget",
     when_refused(given_back, lambda error: getattr(error, "status", 0) == 400)),
    ("rate-takes-slot", "requests that the rate limit refuses are in flight for 30 seconds",
     when_refused(stays_a_while, lambda error: getattr(error, "code", "") == "rate_limited")),
    ("rate-in-flight-free", "requests refused for those in flight do not count in the budget",
     when_refused(given_back, lambda error: getattr(error, "code", "") == "too_many_in_flight")),
)


@fault("rate-before-method", "4", "requests with another method count in the budget", *HANDLE)
async def _(was, self, route, request, reader, writer):
    if request.method != "POST":
        self.rate.admit(key_of(route, writer))
    return await was(self, route, request, reader, writer)


@fault("chunked-unlimited", "8", "a chunked body has no limit of size", http1, "read_body")
async def _(was, reader, writer, request, limit):
    return await was(reader, writer, request, 1 << 30 if "transfer-encoding" in request.headers else limit)


@fault("chunked-slow", "8", "a chunked body may take any time", server.asyncio, "wait_for")
async def _(was, waits, timeout):
    chunked = getattr(getattr(waits, "cr_frame", None), "f_locals", {}).get("request")
    return await was(waits, 600 if timeout == 15 and chunked and "transfer-encoding" in chunked.headers else timeout)


class Request(http1.Request):
    """Remembers its target."""

    def __init__(self, method, target, version, headers):
        super().__init__(method, target, version, headers)
        self.target = target


http1.Request = Request


class Writer:
    """A writer whose client has another address."""

    def __init__(self, writer, address):
        self.writer, self.address = writer, address

    def __getattr__(self, name):
        return getattr(self.writer, name)

    def get_extra_info(self, name):
        return [self.address]  # asked for the peer's name only


def address_from(choose):
    async def handle(was, self, route, request, reader, writer):
        address = choose(request, writer.get_extra_info("peername"))
        return await was(self, route, request, reader, Writer(writer, address))

    return handle


faults(
    "8", *HANDLE,
    ("forwarded-for", "the client's address is taken from X-Forwarded-For",
     address_from(lambda request, peer: request.headers.get("x-forwarded-for", peer[0]))),
    ("by-connection", "each connection has a budget of its own", address_from(lambda request, peer: peer)),
    ("by-secret", "each Authorization has a budget of its own",
     address_from(lambda request, peer: peer[0] + request.headers.get("authorization", ""))),
    ("path-query-budget", "the budget is kept by path with its query",
     address_from(lambda request, peer: peer[0] + request.target)),
)
