"""Lawful variants: what the interface leaves open, decided otherwise. None may be blamed."""

import asyncio
import itertools
import json
import re
import time
import uuid

import flows
import http1
import server
from flows import Rejected
from subjects import lawful, named
from transport import lines

NUMBERS = itertools.count(1)
REFUSED = re.compile(rb"(?is)\nhost: *other\.example|\nauthorization:.*\nauthorization:")


# --- the answers


def statuses(**codes):
    """Refusals with another HTTP status, where none is given."""

    async def send(was, reader, writer, status, headers, body, request=None):
        code = json.loads(body).get("code") if body else None
        return await was(reader, writer, codes.get(code, status), headers, body, request)

    return send


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


for id, section, says, replacement in (
    ("status-method-404", "4", "another method is answered with 404", statuses(method_not_allowed=404)),
    ("status-type-400", "4", "another content type is answered with 400", statuses(unsupported_media_type=400)),
    ("status-in-flight-503", "8", "a request over those in flight is answered with 503",
     statuses(too_many_in_flight=503)),
    ("status-body-400", "8", "a body that is too large or too slow is answered with 400",
     statuses(payload_too_large=400, body_timeout=400)),
    ("status-terminal-422", "7", "a change of an ended flow is answered with 422",
     statuses(terminal=422, mutation_rejected=422)),
    ("status-task-409", "7", "a refused child task is answered with 409", statuses(task_not_created=409)),
    ("json-pretty", "2", "answers are indented, sorted and not in ASCII", pretty),
    ("envelope-more", "2", "the envelope has more fields", more_fields),
    ("connection-closes", "4", "each answer closes its connection", closes),
):
    lawful(f"lawful-{id}", section, says, http1, "send", replacement)
lawful("lawful-messages-short", "7", "messages are German", flows.Rejected, "__str__",
       lambda was, self: f"Abgelehnt: {self.code}")

for action, change in (
    ("list_flows", lambda result: {"items": result["flows"][::-1], "count": len(result["flows"])}),
    ("get_flow", lambda result: result["flow"]),
    ("get_task_summary", lambda result: {"summary": {"tasks": result["total"], "open": result["active"]}}),
):

    @lawful(f"lawful-result-{action}", "2", f"{action} shows its result otherwise", flows, action)
    def _(was, store, route, body, change=change):
        status, result = was(store, route, body)
        return status, change(result)


# --- flows


def stores(name, value):
    def add(was, self, session, fields):
        flow = was(self, session, fields)
        del self.by_id[flow.fields["flowId"]]
        flow.fields[name] = value()
        self.by_id[flow.fields["flowId"]] = flow
        return flow

    return add


for id, says, replacement in (
    ("id-number", "flowId is a short number as text", stores("flowId", lambda: str(next(NUMBERS)))),
    ("id-long", "flowId has a hundred letters, signs and capitals",
     stores("flowId", lambda: "Flow:" + (uuid.uuid4().hex.upper() + "~.") * 3)),
    ("revision-zero", "the first revision is 0", stores("revision", lambda: 0)),
    ("revision-large", "the first revision is the time in milliseconds",
     stores("revision", lambda: int(time.time() * 1000))),
):
    lawful(f"lawful-{id}", "2", says, flows.Flows, "add", replacement)


@lawful("lawful-revision-by-ten", "2", "the revision grows by ten", flows.Flows, "change")
def _(was, self, flow, **fields):
    flow.fields["revision"] += 9
    return was(self, flow, **fields)


@lawful("lawful-resume-queued-again", "3", "a resumed flow is queued", flows.Flows, "change")
def _(was, self, flow, **fields):
    return was(self, flow, **{**fields, **({"status": "queued"} if fields.get("status") == "running" else {})})


@lawful("lawful-cancel-spelled", "3", "a cancelled flow has the status canceled", flows.Flow, "view")
def _(was, self):
    shown = was(self)
    return {**shown, "status": "canceled" if shown["status"] == "cancelled" else shown["status"]}


@lawful("lawful-cancel-again", "3", "cancel_flow of a cancelled flow succeeds", flows, "cancel_flow")
def _(was, store, route, body):
    flow = named(store, body)
    own = flow is not None and flow.session == route.session
    if own and flow.fields["status"] == "cancelled" and "expectedRevision" not in body:
        return 200, {"flow": flow.view()}
    return was(store, route, body)


lawful("lawful-create-running", "3", "a flow without a status is running", flows, "create_flow",
       lambda was, store, route, body: was(store, route, {"status": "running", **body}))
lawful("lawful-goal-default", "4", "a flow without a goal gets one", flows, "create_flow",
       lambda was, store, route, body: was(store, route, {"goal": "untitled", **body}))


@lawful("lawful-latest-none", "4", "find_latest_flow without flows is not found", flows, "find_latest_flow")
def _(was, store, route, body):
    status, result = was(store, route, body)
    if result["flow"] is None:
        raise Rejected(404, "not_found", "No TaskFlow found.")
    return status, result


# --- requests


@lawful("lawful-answers-late", "4", "each request is handled 30 milliseconds later", server.Gateway, "handle")
async def _(was, self, route, request, reader, writer):
    await asyncio.sleep(0.03)
    return await was(self, route, request, reader, writer)


@lawful("lawful-window-minute", "8", "windows are the minutes of the clock", server.RateLimit, "admit")
def _(was, self, key):
    minute = time.time() // 60
    window = self.windows.get(key)
    if window is None or window[0] != minute:
        window = self.windows[key] = [minute, 0]
    window[1] += 1
    return None if window[1] <= 120 else 60 - time.time() % 60


lawful("lawful-headers-refused", "4", "the server refuses by itself another Host, and Authorization twice", http1,
       "read_head", lines(lambda head: b"?\r\n\r\n" if REFUSED.search(head) else head))


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


lawful("lawful-secret-newline", "5", "line feeds at the end of a secret's file do not count", server.Secrets,
       "from_file", lambda was, self, name: was(self, name).rstrip("\n"))
lawful("lawful-body-256000", "8", "256 KB are 256,000 bytes", server, "BODY_BYTES", 256_000)
