"""Section 2: the envelope, and what flows show."""

import base64
import json
import unicodedata

import flows
import http1
from subjects import fault, faults, refused

SEND, VIEW, ADD = (http1, "send"), (flows.Flow, "view"), (flows.Flows, "add")


def envelope(change, when):
    """The envelope, changed when(status, envelope)."""

    async def send(was, reader, writer, status, headers, body, request=None):
        shown = json.loads(body) if body else {}
        body = json.dumps(change(shown)).encode() if body and when(status, shown) else body
        return await was(reader, writer, status, headers, body, request)

    return send


def without(name, when):
    return envelope(lambda shown: {key: value for key, value in shown.items() if key != name}, when)


def puts(name, value, when):
    return envelope(lambda shown: {**shown, name: value(shown)}, when)


def code(name):
    return lambda status, shown: shown.get("code") == name


def http(number):
    return lambda status, shown: status == number


async def empty_401(was, reader, writer, status, headers, body, request=None):
    return await was(reader, writer, status, headers, b"" if status == 401 else body, request)


async def counts_characters(was, reader, writer, status, headers, body, request=None):
    text = json.dumps(json.loads(body), ensure_ascii=False) if body else ""
    return await was(reader, writer, status, headers, text.encode("utf-8", "surrogatepass")[: len(text)], request)


faults(
    "2", *SEND,
    ("ok-conflict", "ok is true in a conflict of revisions", puts("ok", lambda shown: True, code("revision_conflict"))),
    ("ok-202", "ok is false in an answer with 202", puts("ok", lambda shown: False, http(202))),
    ("result-null", "result is null when no flow is found", puts("result", lambda shown: None, code("not_found"))),
    ("result-missing-429", "a request over the budget gets no result", without("result", code("rate_limited"))),
    ("result-list", "result of list_flows is a list",
     puts("result", lambda shown: shown["result"]["flows"], lambda status, shown: "flows" in shown["result"])),
    ("route-missing-413", "a body that is too large is refused without routeId", without("routeId", http(413))),
    ("route-path", "routeId holds the path in an authentication failure",
     puts("routeId", lambda shown: f"/plugins/webhooks/{shown['routeId']}", http(401))),
    ("code-missing-in-flight", "a request over those in flight gets no code",
     without("code", code("too_many_in_flight"))),
    ("error-object", "error is an object when a request is invalid",
     puts("error", lambda shown: {"message": shown["error"]}, code("invalid_request"))),
    ("body-empty-401", "an authentication failure has no body", empty_401),
    ("length-characters", "an answer's length is counted in characters, so that what is not ASCII cuts it",
     counts_characters),
)


# --- owner and session


def shows(change, condition=lambda flow: True):
    """The view of a flow, with more fields: change(flow)."""
    return lambda was, flow: {**was(flow), **(change(flow) if condition(flow) else {})}


faults(
    "2", *VIEW,
    ("session-task", "a flow with child tasks shows its session as requester",
     shows(lambda flow: {"requester": {"key": flow.session}}, lambda flow: bool(flow.tasks))),
    ("session-ended", "an ended flow names its owner",
     shows(lambda flow: {"owner": f"session {flow.session}"}, lambda flow: flow.ended)),
    ("session-base64", "a flow shows its session key in base64",
     shows(lambda flow: {"token": base64.b64encode(flow.session.encode()).decode()})),
)


@fault("session-owner-task", "2", "a running child task shows the flow's session key as ownerKey", flows, "run_task")
def _(was, store, route, body):
    status, result = was(store, route, body)
    shown = {"ownerKey": route.session} if body.get("status") == "running" else {}
    return status, {**result, "task": {**result["task"], **shown}}


def with_session(error, flow, expected):
    error.result = {"flow": {**flow.view(), "session": flow.session}}


fault("session-conflict", "2", "a conflict of revisions shows the flow with its session key", flows, "must_be_current",
      refused("revision_conflict", with_session))


# --- what is stored and shown


def goal(change):
    return lambda was, self, session, fields: was(self, session, {**fields, "goal": change(fields["goal"])})


faults(
    "2", *ADD,
    ("goal-strip", "blanks around a goal are taken away", goal(str.strip)),
    ("goal-nfc", "a goal is stored in normal form C", goal(lambda text: unicodedata.normalize("NFC", text))),
    ("goal-cut-1000", "a goal is cut at 1,000 characters", goal(lambda text: text[:1000])),
    ("goal-bmp", "letters beyond U+FFFF of a goal become question marks",
     goal(lambda text: "".join(letter if ord(letter) < 0x10000 else "?" for letter in text))),
)


@fault("goal-changed-wait", "2", "set_waiting makes the goal end in (waiting)", flows.Flows, "change")
def _(was, self, flow, **fields):
    if fields.get("status") == "waiting":
        fields["goal"] = flow.fields["goal"] + " (waiting)"
    return was(self, flow, **fields)


@fault("notify-silent", "2", "notifyPolicy done_only is stored as silent when status is sent", flows, "create_flow")
def _(was, store, route, body):
    both = body.get("notifyPolicy") == "done_only" and "status" in body
    return was(store, route, {**body, "notifyPolicy": "silent"} if both else body)
