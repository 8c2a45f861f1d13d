"""Lawful variants: what the interface leaves open, decided otherwise. None may be blamed."""

import asyncio
import itertools
import json
import time
import uuid

import flows
import http1
import server
from flows import Rejected
from subjects import lawful

SEND, HANDLE, ADD = (http1, "send"), (server.Gateway, "handle"), (flows.Flows, "add")


def statuses(**codes):
    """Refusals with another HTTP status, where none is given."""

    async def send(was, reader, writer, status, headers, body, request=None):
        code = json.loads(body).get("code") if body else None
        return await was(reader, writer, codes.get(code, status), headers, body, request)

    return send


lawful(
    "lawful-status-method-404", "4", "another method is answered with 404", *SEND,
    statuses(method_not_allowed=404),
)
lawful(
    "lawful-status-type-400", "4", "another content type is answered with 400", *SEND,
    statuses(unsupported_media_type=400),
)
lawful(
    "lawful-status-in-flight-503", "8", "a request over those in flight is answered with 503", *SEND,
    statuses(too_many_in_flight=503),
)
lawful(
    "lawful-status-body-400", "8", "a body that is too large or too slow is answered with 400", *SEND,
    statuses(payload_too_large=400, body_timeout=400),
)
lawful(
    "lawful-status-terminal-422", "7", "a change of an ended flow is answered with 422", *SEND,
    statuses(terminal=422, mutation_rejected=422),
)
lawful(
    "lawful-status-task-409", "7", "a refused child task is answered with 409", *SEND,
    statuses(task_not_created=409),
)


async def pretty(was, reader, writer, status, headers, body, request=None):
    shown = json.loads(body) if body else {}
    try:
        text = json.dumps(shown, ensure_ascii=False, indent=2, sort_keys=True).encode()
    except UnicodeEncodeError:  # an unpaired surrogate
        text = json.dumps(shown).encode()
    return await was(reader, writer, status, headers, text if body else b"", request)


async def more_fields(was, reader, writer, status, headers, body, request=None):
    shown = {**json.loads(body), "requestId": str(uuid.uuid4()), "at": int(time.time())} if body else {}
    return await was(reader, writer, status, headers, json.dumps(shown).encode() if body else b"", request)


async def closes(was, reader, writer, status, headers, body, request=None):
    if request is not None:
        request.keep_alive = False
    return await was(reader, writer, status, headers, body, request)


async def late(was, self, route, request, reader, writer):
    await asyncio.sleep(0.03)
    return await was(self, route, request, reader, writer)


lawful("lawful-json-pretty", "2", "answers are indented, sorted and not in ASCII", *SEND, pretty)
lawful("lawful-envelope-more", "2", "the envelope has more fields", *SEND, more_fields)
lawful("lawful-connection-closes", "4", "each answer closes its connection", *SEND, closes)
lawful("lawful-answers-late", "4", "each request is handled 30 milliseconds later", *HANDLE, late)

NUMBERS = itertools.count(1)


def stores(change):
    def add(was, self, session, fields):
        flow = was(self, session, fields)
        del self.by_id[flow.fields["flowId"]]
        change(flow)
        self.by_id[flow.fields["flowId"]] = flow
        return flow

    return add


lawful(
    "lawful-id-number", "2", "flowId is a short number as text", *ADD,
    stores(lambda flow: flow.fields.update(flowId=str(next(NUMBERS)))),
)
lawful(
    "lawful-id-long", "2", "flowId has a hundred letters, signs and capitals", *ADD,
    stores(lambda flow: flow.fields.update(flowId="Flow:" + (uuid.uuid4().hex.upper() + "~.") * 3)),
)
lawful(
    "lawful-revision-zero", "2", "the first revision is 0", *ADD,
    stores(lambda flow: flow.fields.update(revision=0)),
)
lawful(
    "lawful-revision-large", "2", "the first revision is the time in milliseconds", *ADD,
    stores(lambda flow: flow.fields.update(revision=int(time.time() * 1000))),
)


@lawful("lawful-revision-by-ten", "2", "the revision grows by ten", flows.Flows, "change")
def _(was, self, flow, **fields):
    flow.fields["revision"] += 9
    return was(self, flow, **fields)


@lawful("lawful-resume-queued-again", "3", "a resumed flow is queued", flows.Flows, "change")
def _(was, self, flow, **fields):
    return was(self, flow, **{**fields, **({"status": "queued"} if fields.get("status") == "running" else {})})


@lawful(
    "lawful-cancel-spelled", "3", "a cancelled flow has the status canceled", flows.Flow, "view",
)
def _(was, self):
    shown = was(self)
    return {**shown, "status": "canceled" if shown["status"] == "cancelled" else shown["status"]}


@lawful(
    "lawful-cancel-again", "3", "cancel_flow of a cancelled flow succeeds", flows, "cancel_flow",
)
def _(was, store, route, body):
    flow = store.by_id.get(body.get("flowId")) if isinstance(body.get("flowId"), str) else None
    own = flow is not None and flow.session == route.session
    if own and flow.fields["status"] == "cancelled" and "expectedRevision" not in body:
        return 200, {"flow": flow.view()}
    return was(store, route, body)


@lawful("lawful-create-running", "3", "a flow without a status is running", flows, "create_flow")
def _(was, store, route, body):
    return was(store, route, {"status": "running", **body})


@lawful("lawful-goal-default", "4", "a flow without a goal gets one", flows, "create_flow")
def _(was, store, route, body):
    return was(store, route, {"goal": "untitled", **body})


def results(action, change):
    lawful(
        f"lawful-result-{action}", "2", f"{action} shows its result otherwise", flows, action,
        lambda was, store, route, body: (lambda answer: (answer[0], change(answer[1])))(was(store, route, body)),
    )


results("list_flows", lambda result: {"items": result["flows"][::-1], "count": len(result["flows"])})
results("get_flow", lambda result: result["flow"])
results("get_task_summary", lambda result: {"summary": {"tasks": result["total"], "open": result["active"]}})


@lawful(
    "lawful-latest-none", "4", "find_latest_flow without flows is not found", flows, "find_latest_flow",
)
def _(was, store, route, body):
    status, result = was(store, route, body)
    if result["flow"] is None:
        raise Rejected(404, "not_found", "No TaskFlow found.")
    return status, result


@lawful(
    "lawful-window-minute", "8", "windows are the minutes of the clock", server.RateLimit, "admit",
)
def _(was, self, key):
    minute = time.time() // 60
    window = self.windows.get(key)
    if window is None or window[0] != minute:
        window = self.windows[key] = [minute, 0]
    window[1] += 1
    return None if window[1] <= 120 else 60 - time.time() % 60


@lawful("lawful-names-twice", "4", "a body that has a name twice is refused", server, "parse")
def _(was, data):
    def once(pairs):
        if len(dict(pairs)) < len(pairs):
            raise flows.invalid("A name stands twice.")
        return dict(pairs)

    try:
        json.loads(data.decode(), object_pairs_hook=once)
    except (ValueError, RecursionError):
        pass
    return was(data)


@lawful(
    "lawful-secret-newline", "5", "line feeds at the end of a secret's file do not count", server.Secrets,
    "from_file",
)
def _(was, self, name):
    return was(self, name).rstrip("\n")


lawful("lawful-body-256000", "8", "256 KB are 256,000 bytes", server, "BODY_BYTES", 256_000)
lawful(
    "lawful-messages-short", "7", "messages are German", flows.Rejected, "__str__",
    lambda was, self: f"Abgelehnt: {self.code}",
)
