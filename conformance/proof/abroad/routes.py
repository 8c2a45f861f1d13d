"""Section 1: routes, their configuration and their sessions."""

import json
import os

import flows
import server
from subjects import fault

ROUTE = (server.Route, "__init__")
LOAD = (json, "load")


def webhooks(config):
    return config.get("plugins", {}).get("entries", {}).get("webhooks", {})


# --- sessions


def seen_by(same):
    def find(was, self, session, flow_id):
        flow = self.by_id.get(flow_id)
        return flow if flow is not None and same(flow, session) else was(self, session, flow_id)

    return find


FIND = (flows.Flows, "find")
fault(
    "session-casefold", "1", "sessions that differ in capitals share their flows", *FIND,
    seen_by(lambda flow, session: flow.session.casefold() == session.casefold()),
)
fault(
    "session-ended-open", "1", "a finished flow can be read by every session", *FIND,
    seen_by(lambda flow, session: flow.fields["status"] == "finished"),
)


@fault(
    "list-prefix", "1", "list_flows shows the flows of sessions whose keys begin with the route's", flows.Flows,
    "of",
)
def _(was, self, session):
    return [flow for flow in self.by_id.values() if flow.session.startswith(session)]


@fault(
    "latest-of-all", "1", "find_latest_flow of a session without flows shows the latest of all sessions", flows,
    "find_latest_flow",
)
def _(was, store, route, body):
    if not store.of(route.session) and store.by_id:
        return 200, {"flow": max(store.by_id.values(), key=lambda flow: flow.updated).view()}
    return was(store, route, body)


def of_any_session(condition):
    """The action acts in the flow's own session."""

    def action(was, store, route, body):
        named = body.get("flowId", body.get("token"))
        flow = store.by_id.get(named) if isinstance(named, str) else None
        if flow is None or not condition(flow, body):
            return was(store, route, body)
        return was(store, type("Other", (), {"session": flow.session, "controller_id": route.controller_id}), body)

    return action


for action in ("resolve_flow", "get_task_summary", "request_cancel"):
    fault(
        f"foreign-{action}", "1", f"{action} reaches flows of other sessions", flows, action,
        of_any_session(lambda flow, body: True),
    )
fault(
    "foreign-task-acp", "1", "run_task with runtime acp reaches flows of other sessions", flows, "run_task",
    of_any_session(lambda flow, body: body.get("runtime") == "acp"),
)
fault(
    "foreign-finish-second", "1", "finish_flow reaches flows of other sessions from their second revision on",
    flows, "finish_flow", of_any_session(lambda flow, body: flow.fields["revision"] > 1),
)


# --- route entries


def after(change):
    """The route as read, then changed: change(route, entry)."""

    def init(was, self, route_id, entry, secrets):
        was(self, route_id, entry, secrets)
        change(self, entry)

    return init


def sets(**fields):
    return after(lambda route, entry: route.__dict__.update((name, of(route, entry)) for name, of in fields.items()))


fault(
    "disabled-with-path", "1", "a disabled route with a path of its own is served", *ROUTE,
    sets(enabled=lambda route, entry: route.enabled or "path" in entry),
)
fault(
    "default-path-slug", "1", "the default path has dashes in place of dots and underscores", *ROUTE,
    sets(
        path=lambda route,
        entry: route.path if "path" in entry else route.path.replace("_", "-").replace(".", "-"),
    ),
)
fault(
    "path-default-too", "1", "a configured path that is not below /plugins is ignored", *ROUTE,
    sets(
        path=lambda route,
        entry: route.path if route.path.startswith("/plugins") else f"/plugins/webhooks/{route.id}",
    ),
)
fault(
    "controller-id-only", "1", "the default controllerId is the route's id without webhooks/", *ROUTE,
    sets(controller_id=lambda route, entry: entry.get("controllerId", route.id)),
)
fault(
    "controller-with-path", "1", "a configured controllerId is ignored when the route has a path of its own",
    *ROUTE,
    sets(controller_id=lambda route, entry: f"webhooks/{route.id}" if "path" in entry else route.controller_id),
)
fault(
    "controller-description", "1", "a route's description becomes the controllerId of its flows", *ROUTE,
    sets(controller_id=lambda route, entry: entry.get("description") or route.controller_id),
)
fault(
    "route-id-lower", "2", "routeId is shown in small letters", *ROUTE,
    sets(id=lambda route, entry: route.id.lower()),
)
fault(
    "controller-session", "2", "the default controllerId holds the session key", *ROUTE,
    sets(controller_id=lambda route, entry: entry.get("controllerId", f"webhooks/{route.session}")),
)


def entry_defaults(**defaults):
    return lambda was, self, route_id, entry, secrets: was(self, route_id, {**defaults, **entry}, secrets)


fault(
    "secret-default", "1", "a route without a secret is served with the secret changeme", *ROUTE,
    entry_defaults(secret="changeme"),
)


@fault("plugin-disabled", "1", "the plugin entry's enabled false is ignored", *LOAD)
def _(was, file):
    config = was(file)
    if webhooks(config):
        webhooks(config)["enabled"] = True
    return config


@fault(
    "same-path", "1", "of two routes with the same path the first is served without a word", *LOAD,
)
def _(was, file):
    config, paths = was(file), set()
    routes = webhooks(config).get("config", {}).get("routes", {})
    for route_id, entry in list(routes.items()):
        path = entry.get("path", f"/plugins/webhooks/{route_id}") if isinstance(entry, dict) else route_id
        if path in paths:
            del routes[route_id]
        paths.add(path)
    return config


# --- secrets of the configuration


@fault(
    "secret-env-id", "5", "an env secret that is not set is the variable's name", server.Secrets, "from_env",
)
def _(was, self, name):
    return os.environ.get(name, name)


@fault(
    "secret-unresolved-exit", "5", "the gateway does not start when a secret cannot be resolved",
    server.Secrets, "digest",
)
def _(was, self, secret, where):
    found = was(self, secret, where)
    if found is None:
        raise server.ConfigError(f"{where} cannot be resolved")
    return found


@fault(
    "secret-unresolved-gone", "5", "a route whose secret cannot be resolved is not registered", server,
    "read_routes",
)
def _(was, file):
    return {path: route for path, route in was(file).items() if route.digest is not None}


@fault(
    "secret-unresolved-all", "5", "when one secret cannot be resolved, the routes after it stay inactive too",
    server, "read_routes",
)
def _(was, file):
    routes, broken = was(file), False
    for route in routes.values():
        broken = broken or route.digest is None
        route.digest = None if broken else route.digest
    return routes


