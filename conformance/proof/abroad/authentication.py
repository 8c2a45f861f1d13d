"""Section 5: the shared secret."""

import hashlib

import server
from flows import Rejected
from subjects import fault

AUTHENTICATED = (server, "authenticated")
KNOWN = {}  # digest -> secret, of all routes


def digest_of(value):
    return hashlib.sha256(value.encode("utf-8", "surrogateescape")).digest()


def sent(request):
    bearer = request.headers.get("authorization", "").partition(" ")[2].strip()
    return [value for value in (bearer, request.headers.get(server.SECRET_HEADER, "")) if value]


def alike(same):
    """Secrets that are alike are equal."""

    def authenticated(was, route, request):
        known = KNOWN.get(route.digest)
        return was(route, request) or known is not None and any(same(value, known) for value in sent(request))

    return authenticated


def remember(secret):
    KNOWN[digest_of(secret)] = secret
    return digest_of(secret)


server.digest = remember

fault(
    "secret-case", "5", "the secret is compared without regard to capitals", *AUTHENTICATED,
    alike(lambda value, secret: value.lower() == secret.lower()),
)
fault(
    "secret-eight", "5", "only the first eight characters of the secret count", *AUTHENTICATED,
    alike(lambda value, secret: value[:8] == secret[:8]),
)
fault(
    "secret-comma", "5", "one of several secrets with commas between them is enough", *AUTHENTICATED,
    alike(lambda value, secret: secret in [part.strip() for part in value.split(",")]),
)


def also(opens):
    return lambda was, route, request: was(route, request) or opens(route, request)


def carries(route, value):
    return route.digest is not None and digest_of(value) == route.digest


fault(
    "scheme-any", "5", "the secret is taken after any scheme of Authorization", *AUTHENTICATED,
    also(lambda route, request: carries(route, request.headers.get("authorization", "").partition(" ")[2].strip())),
)
fault(
    "header-x-webhook-secret", "5", "the secret is taken from x-webhook-secret too", *AUTHENTICATED,
    also(lambda route, request: carries(route, request.headers.get("x-webhook-secret", ""))),
)
fault(
    "header-bearer-in-x", "5", "x-service-webhook-secret with Bearer before the secret is taken",
    *AUTHENTICATED,
    also(
        lambda route, request: carries(
            route, request.headers.get(server.SECRET_HEADER, "").replace("Bearer ", "", 1),
        ),
    ),
)
fault(
    "secret-any-route", "5", "the secret of any route opens each route", *AUTHENTICATED,
    also(lambda route, request: any(digest_of(value) in KNOWN for value in sent(request))),
)
fault(
    "inactive-any-route", "5", "a route whose secret cannot be resolved takes the secrets of the others",
    *AUTHENTICATED,
    also(lambda route, request: route.digest is None and any(digest_of(value) in KNOWN for value in sent(request))),
)
fault(
    "inactive-no-secret", "5", "a route whose secret cannot be resolved takes requests without a secret",
    *AUTHENTICATED, also(lambda route, request: route.digest is None and not sent(request)),
)
fault(
    "empty-bearer", "5", "Authorization: Bearer with nothing behind it is taken", *AUTHENTICATED,
    also(lambda route, request: request.headers.get("authorization", "").strip().lower() == "bearer"),
)

OPENED, FAILED = set(), {}


@fault(
    "remembered-route", "5",
    "a route that has been opened once is open without a secret (not with a wrong one)", *AUTHENTICATED,
)
def _(was, route, request):
    if was(route, request):
        OPENED.add(route.id)
        return True
    return route.id in OPENED and not sent(request)


@fault(
    "remembered-connection", "5", "on a connection that has sent the secret later requests need none",
    server.Gateway, "handle",
)
async def _(was, self, route, request, reader, writer):
    if server.authenticated(route, request):
        writer.opened = route
    elif getattr(writer, "opened", None) is route and not sent(request):
        request.headers[server.SECRET_HEADER] = KNOWN[route.digest]
    return await was(self, route, request, reader, writer)


@fault(
    "secret-each-request", "5", "a SecretRef is resolved again when a request comes with another secret",
    server.Route, "__init__",
)
def _(was, self, route_id, entry, secrets):
    was(self, route_id, entry, secrets)

    class Fresh(type(self)):
        digest = property(lambda route: secrets.digest(entry.get("secret"), route_id))

    del self.__dict__["digest"]
    self.__class__ = Fresh


def answers(status, code, message, condition=lambda route, request: True):
    """Authentication failures answered otherwise."""

    def authenticated(was, route, request):
        if was(route, request):
            return True
        if condition(route, request):
            raise Rejected(status, code, message)
        return False

    return authenticated


fault(
    "wrong-403", "5", "a wrong secret is answered with 403", *AUTHENTICATED,
    answers(403, "forbidden", "Authentication failed.", lambda route, request: bool(sent(request))),
)
fault(
    "inactive-told", "5", "a route whose secret cannot be resolved says so", *AUTHENTICATED,
    answers(
        401, "secret_unresolved", "The route's secret cannot be resolved.",
        lambda route, request: route.digest is None,
    ),
)
