"""Sections 2, 3, 4 and 7: the revision, and requests with a stale one."""

import time

import flows
from subjects import coded, fault, faults, named, refused


@fault("revision-kept-waiting", "2", "set_waiting of a waiting flow keeps the revision", flows.Flows, "change")
def _(was, self, flow, **fields):
    if flow.fields["status"] == fields.get("status") == "waiting":
        flow.fields["revision"] -= 1
    return was(self, flow, **fields)


def takes(condition):
    return lambda was, flow, expected: None if condition(flow, expected) else was(flow, expected)


def just_changed(flow, expected):
    return expected == flow.fields["revision"] - 1 and time.time() * 1000 - flow.fields["updatedAt"] < 15


CURRENT = (flows, "must_be_current")
faults(
    "3", *CURRENT,
    ("stale-higher", "an expectedRevision above the current one is taken",
     takes(lambda flow, expected: expected > flow.fields["revision"])),
    ("stale-one-below", "an expectedRevision one below the current one is taken",
     takes(lambda flow, expected: expected == flow.fields["revision"] - 1)),
    ("stale-first", "the revision of the creation is taken for ever", takes(lambda flow, expected: expected == 1)),
    ("stale-with-task", "the revision of a flow with child tasks is not compared",
     takes(lambda flow, expected: bool(flow.tasks))),
    ("stale-race", "of two changes within 15 milliseconds both pass with the same revision", takes(just_changed)),
    ("conflict-412", "a stale request is answered with 412",
     refused("revision_conflict", lambda error, *args: setattr(error, "status", 412))),
)


@fault("conflict-counts", "3", "a stale request makes the revision one higher", *CURRENT)
def _(was, flow, expected):
    if expected != flow.fields["revision"]:
        flow.fields["revision"] += 1
    return was(flow, expected)


@fault("terminal-first", "3", "a stale revision of an ended flow is refused as terminal", *CURRENT)
def _(was, flow, expected):
    flows.must_go_on(flow)
    return was(flow, expected)


fault("code-conflict", "7", "a stale finish_flow has the code conflict", flows, "finish_flow",
      coded("revision_conflict", "conflict"))


def stale_does(change):
    """A stale request is refused, and does this to the flow."""
    return refused("revision_conflict", lambda error, store, route, body: change(named(store, body), body))


def fails_if_waiting(flow, body):
    if flow.fields["status"] == "waiting":
        flow.fields["status"] = "failed"


def stores_data(flow, body):
    flow.fields.update((name, body[name]) for name in ("stateJson", "waitJson") if name in body)


for id, says, action, change in (
    ("stale-fail-waiting", "fail_flow of a waiting flow with a stale revision is refused and fails it", "fail_flow",
     fails_if_waiting),
    ("stale-wait-touches", "set_waiting with a stale revision makes the flow the latest", "set_waiting",
     lambda flow, body: setattr(flow, "updated", 1 << 40)),
    ("stale-wait-stores", "set_waiting with a stale revision stores its state and wait data", "set_waiting",
     stores_data),
    ("stale-cancel-asks", "request_cancel with a stale revision asks for the cancellation", "request_cancel",
     lambda flow, body: setattr(flow, "cancel_requested", True)),
):
    fault(id, "3", says, flows, action, stale_does(change))


def reads_revision(convert):
    return lambda was, body: was({**body, "expectedRevision": convert(body.get("expectedRevision"))})


faults(
    "4", flows, "revision",
    ("revision-bool", "expectedRevision true is taken as 1",
     reads_revision(lambda value: int(value) if isinstance(value, bool) else value)),
    ("revision-digits", "expectedRevision may be text of digits",
     reads_revision(lambda value: int(value) if isinstance(value, str) and value.isdecimal() else value)),
    ("revision-32-bits", "expectedRevision is cut to 32 bits",
     reads_revision(lambda value: value & 0xFFFFFFFF if type(value) is int and value > 0 else value)),
)
