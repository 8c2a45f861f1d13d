#!/usr/bin/env python3
"""The webhooks interface on Python's standard library: server.py --config config.json --port 8080"""

import argparse
import asyncio
import hashlib
import hmac
import json
import math
import os
import re
import subprocess
import sys
import time

import http1
from control import ControlPort
from flows import ACTIONS, Flows, Rejected, invalid

RATE_REQUESTS, RATE_SECONDS = 120, 60
IN_FLIGHT_REQUESTS = 8
TRACKED_KEYS = 4096
BODY_BYTES, BODY_SECONDS = 256 * 1024, 15
SECRET_HEADER = "x-service-webhook-secret"


LOG = []


def log(line):
    """Logs a line for the operator. Never pass text from a request."""
    LOG.append(line)
    print(line, file=sys.stderr)


# --- configuration


class ConfigError(Exception):
    """The configuration is invalid; the message says where and why."""


class Route:
    def __init__(self, route_id, entry, secrets):
        where = f"plugins.entries.webhooks.config.routes.{route_id}"
        if not isinstance(entry, dict):
            raise ConfigError(f"{where} must be an object")

        def text(name, default=None):
            value = entry.get(name, default)
            if not isinstance(value, str) or not value:
                raise ConfigError(f"{where}.{name} must be a string")
            return value

        self.id = route_id
        self.enabled = entry.get("enabled", True)
        if not isinstance(self.enabled, bool):
            raise ConfigError(f"{where}.enabled must be true or false")
        self.path = text("path", f"/plugins/webhooks/{route_id}")
        self.session = text("sessionKey")
        self.controller_id = text("controllerId", f"webhooks/{route_id}")
        self.digest = secrets.digest(entry.get("secret"), f"{where}.secret")


class Secrets:
    """Resolves SecretRefs. `settings` is the configuration's `secrets`: where this gateway finds each source."""

    def __init__(self, settings):
        self.settings = settings

    def digest(self, secret, where):
        """The secret's digest; None if it cannot be resolved, and then no request authenticates. Called at startup only."""
        if isinstance(secret, str) and secret:
            return digest(secret)
        if not isinstance(secret, dict) or not isinstance(secret.get("id"), str):
            raise ConfigError(f"{where} must be a string or a SecretRef")
        try:
            value = getattr(self, f"from_{secret.get('source')}")(secret["id"])
        except (AttributeError, KeyError, TypeError, OSError, ValueError, subprocess.SubprocessError):
            value = None
        if not isinstance(value, str) or not value:
            log(f"{where} cannot be resolved; the route stays inactive")
            return None
        return digest(value)

    def from_env(self, name):
        return os.environ[name]

    def from_file(self, name):
        if not re.fullmatch(r"[A-Za-z0-9_-][A-Za-z0-9._-]*", name):  # no path traversal
            return None
        with open(os.path.join(self.settings["fileFolder"], name), encoding="utf-8") as file:
            return file.read()

    def from_exec(self, name):
        command = [*self.settings["execCommand"], name]
        return subprocess.run(command, stdout=subprocess.PIPE, timeout=10, check=True).stdout.decode("utf-8")

    def from_store(self, name):
        with open(self.settings["storeFile"], encoding="utf-8") as store:
            return json.load(store)[name]


def digest(secret):
    return hashlib.sha256(secret.encode("utf-8", "surrogateescape")).digest()


def read_routes(file):
    """The enabled routes by path. Raises ConfigError."""
    try:
        with open(file, encoding="utf-8") as text:
            config = json.load(text)
        entry = config.get("plugins", {}).get("entries", {}).get("webhooks", {})
        entries = entry.get("config", {}).get("routes", {}).items() if entry.get("enabled", True) else ()
        secrets = Secrets(config.get("secrets", {}))
    except (OSError, ValueError, AttributeError) as error:
        raise ConfigError(f"{file} cannot be used: {error}") from None
    routes = {}
    for route_id, value in entries:
        route = Route(route_id, value, secrets)
        if route.path in routes:
            raise ConfigError(f"routes {routes[route.path].id} and {route_id} have the same path {route.path}")
        routes[route.path] = route
    return {path: route for path, route in routes.items() if route.enabled}


# --- limits, each per (path, client address)


class RateLimit:
    def __init__(self):
        self.windows = {}  # key -> [end, count], ordered by end

    def admit(self, key):
        """None if the request may pass, else the seconds until the window ends."""
        now = time.monotonic()
        window = self.windows.get(key)
        if window is None or window[0] <= now:
            self.windows.pop(key, None)
            if len(self.windows) >= TRACKED_KEYS:
                del self.windows[next(iter(self.windows))]
            window = self.windows[key] = [now + RATE_SECONDS, 0]
        window[1] += 1
        return None if window[1] <= RATE_REQUESTS else window[0] - now


class InFlight:
    def __init__(self):
        self.counts = {}

    def enter(self, key):
        count = self.counts.get(key, 0)
        if count >= IN_FLIGHT_REQUESTS or (count == 0 and len(self.counts) >= TRACKED_KEYS):
            return False
        self.counts[key] = count + 1
        return True

    def leave(self, key):
        self.counts[key] -= 1
        if not self.counts[key]:
            del self.counts[key]


# --- one request


class Gateway:
    def __init__(self, routes):
        self.routes, self.flows = routes, Flows({route.session for route in routes.values()})
        self.rate, self.in_flight = RateLimit(), InFlight()

    async def connection(self, reader, writer):
        try:
            while await self.exchange(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.TimeoutError):
            pass  # the client is gone
        finally:
            writer.close()

    async def exchange(self, reader, writer):
        """Answers one request. Returns whether the connection stays open."""
        try:
            request = await http1.read_head(reader)
        except http1.BadRequest:
            return await http1.send(reader, writer, 400, {}, b"")
        if request is None:
            return False
        route = self.routes.get(request.path)
        if route is None:  # the gateway's own answer: without a route there is no envelope
            return await http1.send(reader, writer, 404, {}, b"", request)
        headers = {"content-type": "application/json; charset=utf-8", "cache-control": "no-store"}
        try:
            status, result = await self.handle(route, request, reader, writer)
            envelope = {"ok": True, "routeId": route.id, "result": result}
        except Rejected as rejected:
            status = rejected.status
            headers.update(rejected.headers)
            refusal = {"code": rejected.code, "error": str(rejected), "result": rejected.result}
            envelope = {"ok": False, "routeId": route.id, **refusal}
        return await http1.send(reader, writer, status, headers, json.dumps(envelope).encode(), request)

    async def handle(self, route, request, reader, writer):
        """The checks in the interface's order, then the action. Returns HTTP status and result; raises Rejected."""
        if request.method != "POST":
            raise Rejected(405, "method_not_allowed", "Only POST is allowed.", {"allow": "POST"})
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise Rejected(415, "unsupported_media_type", "Content-Type must be application/json.")
        # The address of the connection: a forwarding header is easy to forge.
        key = (route.path, writer.get_extra_info("peername")[0])
        wait = self.rate.admit(key)
        if wait is not None:
            raise Rejected(429, "rate_limited", "Too many requests.", {"retry-after": str(int(wait) + 1)})
        if not self.in_flight.enter(key):
            raise Rejected(429, "too_many_in_flight", "Too many requests in flight.")
        try:
            if not authenticated(route, request):
                raise Rejected(401, "unauthorized", "Authentication failed.", {"www-authenticate": "Bearer"})
            try:
                reading = http1.read_body(reader, writer, request, BODY_BYTES)
                body = parse(await asyncio.wait_for(reading, BODY_SECONDS))
            except http1.TooLarge:
                raise Rejected(413, "payload_too_large", "The body is too large.") from None
            except asyncio.TimeoutError:
                raise Rejected(408, "body_timeout", "The body took too long.") from None
            except http1.BadRequest as error:
                raise invalid(f"Malformed request: {error}.") from None
            return self.act(route, body)
        finally:
            self.in_flight.leave(key)

    def act(self, route, body):
        action = ACTIONS.get(body["action"])
        if action is None:
            raise invalid("Unknown action.")
        try:
            return action(self.flows, route, body)
        except Rejected:
            raise
        except Exception as error:
            log(f"{body['action']} failed: {type(error).__name__}")
            raise Rejected(500, "internal_error", "Internal error.") from None


def authenticated(route, request):
    scheme, _, bearer = request.headers.get("authorization", "").partition(" ")
    sent = [request.headers.get(SECRET_HEADER, "")]
    if scheme.lower() == "bearer":
        sent.append(bearer.strip())
    # Digests have one length, so the time taken does not reveal the secret's.
    hits = [hmac.compare_digest(hashlib.sha256(value.encode("latin-1")).digest(), route.digest or b"") for value in sent]
    return any(hits)


def finite(text):
    """A number that can be written again: NaN and Infinity are not JSON, and 1e400 is more than a float holds."""
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


def parse(data):
    """The body as an object with a string `action`. Raises Rejected."""
    try:
        body = json.loads(data.decode("utf-8"), parse_float=finite, parse_constant=finite)
    except (ValueError, RecursionError):
        raise invalid("The body is not JSON.") from None
    if not isinstance(body, dict) or not isinstance(body.get("action"), str):
        raise invalid("The body must be an object with a string `action`.")
    return body


async def serve(routes, port, control_port):
    gateway = Gateway(routes)
    servers = [await listen(gateway.connection, port)]
    if control_port is not None:
        servers.append(await listen(ControlPort(gateway.flows, LOG).connection, control_port))
    await asyncio.gather(*(server.serve_forever() for server in servers))


async def listen(connection, port):
    return await asyncio.start_server(connection, "127.0.0.1", port, limit=http1.HEAD_BYTES, backlog=1024)


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--config", required=True)
    options.add_argument("--port", type=int, required=True)
    options.add_argument("--control-port", type=int)
    given = options.parse_args()
    try:
        asyncio.run(serve(read_routes(given.config), given.port, given.control_port))
    except ConfigError as error:
        sys.exit(f"server.py: {error}")


if __name__ == "__main__":
    main()
