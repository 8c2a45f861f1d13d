"""Section 2: the envelope, and what flows show."""

import argparse
import base64
import html
import json
import re
import unicodedata

import flows
import http1
from subjects import fault

# --- the envelope


def envelope(change):
    """change(status, envelope) -> what is sent; None: as it is."""

    async def send(was, reader, writer, status, headers, body, request=None):
        if body:
            shown = json.loads(body)
            changed = change(status, shown)
            body = json.dumps(shown if changed is None else changed).encode()
        return await was(reader, writer, status, headers, body, request)

    return send


def without(name, condition):
    def change(status, shown):
        if condition(status, shown):
            del shown[name]

    return envelope(change)


def puts(name, value, condition):
    return envelope(lambda status, shown: {**shown, name: value(shown)} if condition(status, shown) else None)


SEND = (http1, "send")
fault(
    "ok-conflict", "2", "ok is true in a conflict of revisions", *SEND,
    puts("ok", lambda shown: True, lambda status, shown: status == 409),
)
fault(
    "ok-202", "2", "ok is false in an answer with 202", *SEND,
    puts("ok", lambda shown: False, lambda status, shown: status == 202),
)
fault(
    "result-null", "2", "result is null when no flow is found", *SEND,
    puts("result", lambda shown: None, lambda status, shown: shown.get("code") == "not_found"),
)
fault(
    "result-missing-429", "2", "a request over the budget gets no result", *SEND,
    without("result", lambda status, shown: shown.get("code") == "rate_limited"),
)
fault(
    "result-list", "2", "result of list_flows is a list", *SEND,
    puts("result", lambda shown: shown["result"]["flows"], lambda status, shown: "flows" in shown["result"]),
)
fault(
    "route-missing-413", "2", "a body that is too large is refused without routeId", *SEND,
    without("routeId", lambda status, shown: status == 413),
)
fault(
    "route-path", "2", "routeId holds the path in an authentication failure", *SEND,
    puts("routeId", lambda shown: f"/plugins/webhooks/{shown['routeId']}", lambda status, shown: status == 401),
)
fault(
    "code-missing-in-flight", "2", "a request over those in flight gets no code", *SEND,
    without("code", lambda status, shown: shown.get("code") == "too_many_in_flight"),
)
fault(
    "code-number", "2", "code is the number of the status when the content type is wrong", *SEND,
    puts("code", lambda shown: 415, lambda status, shown: status == 415),
)
fault(
    "error-object", "2", "error is an object when a request is invalid", *SEND,
    puts(
        "error",
        lambda shown: {"message": shown["error"]},
        lambda status, shown: shown.get("code") == "invalid_request",
    ),
)
fault(
    "body-empty-401", "2", "an authentication failure has no body", *SEND,
    lambda was, reader, writer, status, headers, body, request=None: was(
        reader, writer, status, headers, b"" if status == 401 else body, request,
    ),
)


@fault(
    "length-characters", "2", "an answer's length is counted in characters, so that what is not ASCII cuts it",
    *SEND,
)
async def _(was, reader, writer, status, headers, body, request=None):
    text = json.dumps(json.loads(body), ensure_ascii=False) if body else ""
    return await was(reader, writer, status, headers, text.encode("utf-8", "surrogatepass")[: len(text)], request)


# --- owner and session


def shows(change, condition=lambda flow: True):
    """The view of a flow, with changes: change(flow) -> fields."""
    return lambda was, flow: {**was(flow), **(change(flow) if condition(flow) else {})}


VIEW = (flows.Flow, "view")
fault(
    "session-task", "2", "a flow with child tasks shows its session as requester", *VIEW,
    shows(lambda flow: {"requester": {"key": flow.session}}, lambda flow: bool(flow.tasks)),
)
fault(
    "session-ended", "2", "an ended flow names its owner", *VIEW,
    shows(lambda flow: {"owner": f"session {flow.session}"}, lambda flow: flow.ended),
)
fault(
    "session-base64", "2", "a flow shows its session key in base64", *VIEW,
    shows(lambda flow: {"token": base64.b64encode(flow.session.encode()).decode()}),
)
fault(
    "session-not-found", "1", "the message that no flow is found names the session", flows.Flows, "find",
    lambda was, self, session, flow_id: (
        was(self, session, flow_id) if flow_id in self.by_id else not_found(session)
    ),
)
fault(
    "session-owner-task", "2", "a running child task shows the flow's session key as ownerKey", flows,
    "run_task",
    lambda was, store, route, body: shown_task(
        was(store, route, body), **({"ownerKey": route.session} if body.get("status") == "running" else {}),
    ),
)
fault(
    "session-conflict", "2", "a conflict of revisions shows the flow with its session key", flows,
    "must_be_current",
    lambda was, flow, expected: was(flow, expected) if expected == flow.fields["revision"] else conflict(flow),
)
fault(
    "session-list-name", "2", "list_flows names the session whose flows it shows", flows, "list_flows",
    lambda was, store, route, body: (200, {**was(store, route, body)[1], "scope": route.session}),
)


def not_found(session):
    raise flows.Rejected(404, "not_found", f"TaskFlow not found in {session}.")


def conflict(flow):
    shown = {**flow.view(), "session": flow.session}
    raise flows.Rejected(409, "revision_conflict", "Conflict.", result={"flow": shown})


def shown_task(answer, **fields):
    status, result = answer
    return status, {**result, "task": {**result["task"], **fields}}


# --- what is stored and shown


def stores(name, change):
    def add(was, self, session, fields):
        return was(self, session, {**fields, name: change(fields[name])})

    return add


ADD = (flows.Flows, "add")
fault("goal-strip", "2", "blanks around a goal are taken away", *ADD, stores("goal", str.strip))
fault(
    "goal-nfc", "2", "a goal is stored in normal form C", *ADD,
    stores("goal", lambda goal: unicodedata.normalize("NFC", goal)),
)
fault(
    "goal-cut-1000", "2", "a goal is cut at 1,000 characters", *ADD, stores("goal", lambda goal: goal[:1000]),
)
fault(
    "goal-bmp", "2", "letters beyond U+FFFF of a goal become question marks", *ADD,
    stores("goal", lambda goal: "".join(letter if ord(letter) < 0x10000 else "?" for letter in goal)),
)
fault(
    "goal-printable", "2", "control characters are left out of a goal", *ADD,
    stores("goal", lambda goal: "".join(letter for letter in goal if letter >= " ")),
)
fault(
    "goal-changed-wait", "2", "set_waiting makes the goal end in (waiting)", flows.Flows, "change",
    lambda was, self, flow, **fields: was(
        self, flow, **fields,
        **({"goal": flow.fields["goal"] + " (waiting)"} if fields.get("status") == "waiting" else {}),
    ),
)
fault(
    "notify-silent", "2", "notifyPolicy done_only is stored as silent when status is sent", flows,
    "create_flow",
    lambda was, store, route, body: was(
        store, route,
        {**body, "notifyPolicy": "silent"} if body.get("notifyPolicy") == "done_only" and "status" in body else body,
    ),
)
LAST = []


@fault("controller-last", "1", "a flow's controllerId is that of the route used before", flows, "create_flow")
def _(was, store, route, body):
    LAST.append(route.controller_id)
    mixed = argparse.Namespace(session=route.session, controller_id=LAST[-2:][0])
    return was(store, mixed, body)
