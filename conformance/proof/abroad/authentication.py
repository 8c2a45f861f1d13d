"""Section 5: the shared secret, and how it comes from the configuration."""

import hashlib
import os
import re

import flows
import http1
import server
from flows import Rejected
from subjects import fault, faults
from transport import lines

AUTHENTICATED = (server, "authenticated")
KNOWN = {}  # digest -> secret, of all routes
OPENED = set()


def digest_of(value):
    return hashlib.sha256(value.encode("utf-8", "surrogateescape")).digest()


def remember(secret):
    KNOWN[digest_of(secret)] = secret
    return digest_of(secret)


server.digest = remember


def authorization(request):
    return request.headers.get("authorization", "").partition(" ")[2].strip()


def sent(request):
    return [value for value in (authorization(request), request.headers.get(server.SECRET_HEADER, "")) if value]


def known(request):
    return any(digest_of(value) in KNOWN for value in sent(request))


def also(opens):
    return lambda was, route, request: was(route, request) or opens(route, request)


def alike(same):
    """Secrets that are alike are equal."""
    return also(lambda route, request: route.digest and any(same(one, KNOWN[route.digest]) for one in sent(request)))


def carries(value_of):
    """The secret is taken from elsewhere too."""
    return also(lambda route, request: route.digest is not None and digest_of(value_of(request)) == route.digest)


def answers(status, code, message, condition):
    """Authentication failures answered otherwise."""

    def authenticated(was, route, request):
        if was(route, request):
            return True
        if condition(route, request):
            raise Rejected(status, code, message)
        return False

    return authenticated


faults(
    "5", *AUTHENTICATED,
    ("secret-case", "the secret is compared without regard to capitals",
     alike(lambda value, secret: value.lower() == secret.lower())),
    ("secret-eight", "only the first eight characters of the secret count",
     alike(lambda value, secret: value[:8] == secret[:8])),
    ("secret-comma", "one of several secrets with commas between them is enough",
     alike(lambda value, secret: secret in [part.strip() for part in value.split(",")])),
    ("scheme-any", "the secret is taken after any scheme of Authorization", carries(authorization)),
    ("header-x-webhook-secret", "the secret is taken from x-webhook-secret too",
     carries(lambda request: request.headers.get("x-webhook-secret", ""))),
    ("header-bearer-in-x", "x-service-webhook-secret with Bearer before the secret is taken",
     carries(lambda request: request.headers.get(server.SECRET_HEADER, "").replace("Bearer ", "", 1))),
    ("secret-any-route", "the secret of any route opens each route", also(lambda route, request: known(request))),
    ("inactive-any-route", "a route whose secret cannot be resolved takes the secrets of the others",
     also(lambda route, request: route.digest is None and known(request))),
    ("inactive-no-secret", "a route whose secret cannot be resolved takes requests without a secret",
     also(lambda route, request: route.digest is None and not sent(request))),
    ("empty-bearer", "Authorization: Bearer with nothing behind it is taken",
     also(lambda route, request: request.headers.get("authorization", "").strip().lower() == "bearer")),
    ("wrong-403", "a wrong secret is answered with 403",
     answers(403, "forbidden", "Authentication failed.", lambda route, request: bool(sent(request)))),
    ("inactive-told", "a route whose secret cannot be resolved says so",
     answers(401, "secret_unresolved", "The secret is unresolved.", lambda route, request: route.digest is None)),
)
faults(
    "5", http1, "read_head",
    ("header-authorization", "AUTHORIZATION in capitals is not read",
     lines(lambda head: head.replace(b"\r\nAUTHORIZATION:", b"\r\nx-unread:"))),
    ("header-no-blank", "Authorization without a blank after the colon is not read",
     lines(lambda head: re.sub(rb"\r\n(?i:authorization):(?=\S)", b"\r\nx-unread:", head))),
)


@fault("remembered-route", "5", "a route that has been opened once needs no secret (but no wrong one)", *AUTHENTICATED)
def _(was, route, request):
    if was(route, request):
        OPENED.add(route.id)
        return True
    return route.id in OPENED and not sent(request)


@fault("remembered-connection", "5", "on a connection that has sent the secret later requests need none",
       server.Gateway, "handle")
async def _(was, self, route, request, reader, writer):
    if server.authenticated(route, request):
        writer.opened = route
    elif getattr(writer, "opened", None) is route and not sent(request):
        request.headers[server.SECRET_HEADER] = KNOWN[route.digest]
    return await was(self, route, request, reader, writer)


# --- secrets of the configuration


@fault("secret-each-request", "5", "a SecretRef is resolved again when a request comes with another secret",
       server.Route, "__init__")
def _(was, self, route_id, entry, secrets):
    was(self, route_id, entry, secrets)

    class Fresh(type(self)):
        digest = property(lambda route: secrets.digest(entry.get("secret"), route_id))

    del self.__dict__["digest"]
    self.__class__ = Fresh


fault("secret-env-id", "5", "an env secret that is not set is the variable's name", server.Secrets, "from_env",
      lambda was, self, name: os.environ.get(name, name))


@fault("secret-unresolved-exit", "5", "the gateway does not start when a secret cannot be resolved",
       server.Secrets, "digest")
def _(was, self, secret, where):
    found = was(self, secret, where)
    if found is None:
        raise server.ConfigError(f"{where} cannot be resolved")
    return found


fault("secret-unresolved-gone", "5", "a route whose secret cannot be resolved is not registered", server, "read_routes",
      lambda was, file: {path: route for path, route in was(file).items() if route.digest is not None})


@fault("secret-unresolved-all", "5", "when one secret cannot be resolved, the routes after it stay inactive too",
       server, "read_routes")
def _(was, file):
    routes, broken = was(file), False
    for route in routes.values():
        broken = broken or route.digest is None
        route.digest = None if broken else route.digest
    return routes


@fault("task-moves-flow", "5", "run_task with the session key of another route gives the flow to that session",
       flows, "run_task")
def _(was, store, route, body):
    child = body.get("childSessionKey")
    if child != route.session and isinstance(child, str) and child in store.sessions:
        store.find(route.session, body["flowId"]).session = child
    return was(store, route, body)
