"""Sections 1 and 2: routes, their configuration and their sessions."""

import argparse
import json

import flows
import server
from subjects import fault, faults, named

ROUTE, LOAD, FIND = (server.Route, "__init__"), (json, "load"), (flows.Flows, "find")
LAST = []


def webhooks(config):
    return config.get("plugins", {}).get("entries", {}).get("webhooks", {})


def seen_by(same):
    def find(was, self, session, flow_id):
        flow = self.by_id.get(flow_id)
        return flow if flow is not None and same(flow, session) else was(self, session, flow_id)

    return find


faults(
    "1", *FIND,
    ("session-casefold", "sessions that differ in capitals share their flows",
     seen_by(lambda flow, session: flow.session.casefold() == session.casefold())),
    ("session-ended-open", "a finished flow can be read by every session",
     seen_by(lambda flow, session: flow.fields["status"] == "finished")),
)


@fault("session-not-found", "1", "the message that no flow is found names the session", *FIND)
def _(was, self, session, flow_id):
    if flow_id in self.by_id:
        return was(self, session, flow_id)
    raise flows.Rejected(404, "not_found", f"TaskFlow not found in {session}.")


fault("list-prefix", "1", "list_flows shows the flows of sessions whose keys begin with the route's", flows.Flows, "of",
      lambda was, self, session: [flow for flow in self.by_id.values() if flow.session.startswith(session)])


@fault("latest-of-all", "1", "find_latest_flow of a session without flows shows the latest of all sessions",
       flows, "find_latest_flow")
def _(was, store, route, body):
    if not store.of(route.session) and store.by_id:
        return 200, {"flow": max(store.by_id.values(), key=lambda flow: flow.updated).view()}
    return was(store, route, body)


def of_any_session(condition):
    """The action acts in the flow's own session."""

    def action(was, store, route, body):
        flow = named(store, body)
        if flow is None or not condition(flow, body):
            return was(store, route, body)
        other = argparse.Namespace(session=flow.session, controller_id=route.controller_id)
        return was(store, other, body)

    return action


for id, says, action, condition in (
    ("foreign-resolve", "resolve_flow reaches flows of other sessions", "resolve_flow", lambda flow, body: True),
    ("foreign-task-acp", "run_task with runtime acp reaches flows of other sessions", "run_task",
     lambda flow, body: body.get("runtime") == "acp"),
    ("foreign-finish-second", "finish_flow reaches flows of other sessions from their second revision on",
     "finish_flow", lambda flow, body: flow.fields["revision"] > 1),
):
    fault(id, "1", says, flows, action, of_any_session(condition))


# --- route entries


def sets(name, of):
    """A field of the route is what of(route, entry) gives."""

    def init(was, self, route_id, entry, secrets):
        was(self, route_id, entry, secrets)
        setattr(self, name, of(self, entry))

    return init


faults(
    "1", *ROUTE,
    ("disabled-with-path", "a disabled route with a path of its own is served",
     sets("enabled", lambda route, entry: route.enabled or "path" in entry)),
    ("default-path-slug", "the default path has dashes in place of underscores",
     sets("path", lambda route, entry: route.path if "path" in entry else route.path.replace("_", "-"))),
    ("path-default-too", "a configured path that is not below /plugins is ignored",
     sets("path", lambda route, _: route.path if route.path[:9] == "/plugins/" else f"/plugins/webhooks/{route.id}")),
    ("controller-with-path", "a configured controllerId is ignored when the route has a path of its own",
     sets("controller_id", lambda route, entry: f"webhooks/{route.id}" if "path" in entry else route.controller_id)),
    ("controller-description", "a route's description becomes the controllerId of its flows",
     sets("controller_id", lambda route, entry: entry.get("description") or route.controller_id)),
)
faults(
    "2", *ROUTE,
    ("route-id-lower", "routeId is shown in small letters", sets("id", lambda route, entry: route.id.lower())),
    ("controller-session", "the default controllerId holds the session key",
     sets("controller_id", lambda route, entry: entry.get("controllerId", f"webhooks/{route.session}"))),
)
fault("path-no-last-slash", "1", "a configured path loses its last slash", server, "read_routes",
      lambda was, file: {known.rstrip("/"): route for known, route in was(file).items()})


@fault("plugin-disabled", "1", "the plugin entry's enabled false is ignored", *LOAD)
def _(was, file):
    config = was(file)
    webhooks(config).pop("enabled", None)
    return config


@fault("same-path", "1", "of two routes with the same path the first is served without a word", *LOAD)
def _(was, file):
    config, paths = was(file), set()
    routes = webhooks(config).get("config", {}).get("routes", {})
    for route_id, entry in list(routes.items()):
        path = entry.get("path", f"/plugins/webhooks/{route_id}") if isinstance(entry, dict) else route_id
        if path in paths:
            del routes[route_id]
        paths.add(path)
    return config


@fault("controller-last", "1", "a flow's controllerId is that of the route used before", flows, "create_flow")
def _(was, store, route, body):
    LAST.append(route.controller_id)
    mixed = argparse.Namespace(session=route.session, controller_id=LAST[-2:][0])
    return was(store, mixed, body)
