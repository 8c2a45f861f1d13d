"""Section 3: the revision, and requests with a stale one."""

import time

import flows
from actions import status_of
from flows import Rejected
from subjects import fault


@fault(
    "revision-kept-waiting", "2", "set_waiting of a waiting flow keeps the revision", flows.Flows, "change",
)
def _(was, self, flow, **fields):
    if flow.fields["status"] == fields.get("status") == "waiting":
        flow.fields["revision"] -= 1
    return was(self, flow, **fields)


@fault("revision-text", "2", "the revision is text after the third change", flows.Flow, "view")
def _(was, self):
    shown = was(self)
    return {**shown, "revision": str(shown["revision"])} if shown["revision"] > 3 else shown


CURRENT = (flows, "must_be_current")


def takes(condition):
    return lambda was, flow, expected: None if condition(flow, expected) else was(flow, expected)


fault(
    "stale-higher", "3", "an expectedRevision above the current one is taken", *CURRENT,
    takes(lambda flow, expected: expected > flow.fields["revision"]),
)
fault(
    "stale-one-below", "3", "an expectedRevision one below the current one is taken", *CURRENT,
    takes(lambda flow, expected: expected == flow.fields["revision"] - 1),
)
fault(
    "stale-first", "3", "the revision of the creation is taken for ever", *CURRENT,
    takes(lambda flow, expected: expected == 1),
)
fault(
    "stale-with-task", "3", "the revision of a flow with child tasks is not compared", *CURRENT,
    takes(lambda flow, expected: bool(flow.tasks)),
)
fault(
    "stale-race", "3", "of two changes within 15 milliseconds both pass with the same revision", *CURRENT,
    takes(
        lambda flow, expected: (
            expected == flow.fields["revision"] - 1 and time.time() * 1000 - flow.fields["updatedAt"] < 15
        ),
    ),
)


@fault("conflict-counts", "3", "a stale request makes the revision one higher", *CURRENT)
def _(was, flow, expected):
    if expected != flow.fields["revision"]:
        flow.fields["revision"] += 1
    return was(flow, expected)


@fault("conflict-412", "3", "a stale request is answered with 412", *CURRENT)
def _(was, flow, expected):
    try:
        was(flow, expected)
    except Rejected as error:
        raise Rejected(412, error.code, str(error)) from None


def stale_does(change, condition=lambda flow: True):
    """A stale request is refused, and does this to the flow."""

    def action(was, store, route, body):
        try:
            return was(store, route, body)
        except Rejected as error:
            flow = store.by_id.get(body.get("flowId")) if error.code == "revision_conflict" else None
            if flow and condition(flow):
                change(flow, body)
            raise

    return action


fault(
    "stale-fail-waiting", "3", "fail_flow of a waiting flow with a stale revision is refused and fails it",
    flows, "fail_flow",
    stale_does(
        lambda flow, body: flow.fields.update(status="failed"),
        lambda flow: flow.fields["status"] == "waiting",
    ),
)
fault(
    "stale-wait-touches", "3", "set_waiting with a stale revision makes the flow the latest", flows,
    "set_waiting", stale_does(lambda flow, body: setattr(flow, "updated", 1 << 40)),
)
fault(
    "stale-wait-stores", "3", "set_waiting with a stale revision stores its state and wait data", flows,
    "set_waiting",
    stale_does(
        lambda flow, body: flow.fields.update(
            (name, body[name]) for name in ("stateJson", "waitJson") if name in body
        )
    ),
)
fault(
    "stale-cancel-asks", "3", "request_cancel with a stale revision asks for the cancellation", flows,
    "request_cancel", stale_does(lambda flow, body: setattr(flow, "cancel_requested", True)),
)


@fault(
    "terminal-first", "3", "a stale revision of an ended flow is refused as terminal", flows, "must_be_current",
)
def _(was, flow, expected):
    flows.must_go_on(flow)
    return was(flow, expected)


@fault("code-conflict", "7", "a stale finish_flow has the code conflict", flows, "finish_flow")
def _(was, store, route, body):
    try:
        return was(store, route, body)
    except Rejected as error:
        raise Rejected(error.status, error.code.replace("revision_", ""), str(error), result=error.result) from None


# --- expectedRevision


def reads_revision(convert):
    def revision(was, body):
        value = convert(body.get("expectedRevision"))
        return was({**body, "expectedRevision": value})

    return revision


REVISION = (flows, "revision")
fault(
    "revision-bool", "4", "expectedRevision true is taken as 1", *REVISION,
    reads_revision(lambda value: int(value) if isinstance(value, bool) else value),
)
fault(
    "revision-digits", "4", "expectedRevision may be text of digits", *REVISION,
    reads_revision(lambda value: int(value) if isinstance(value, str) and value.isdecimal() else value),
)
fault(
    "revision-32-bits", "4", "expectedRevision is cut to 32 bits", *REVISION,
    reads_revision(lambda value: value & 0xFFFFFFFF if type(value) is int and value > 0 else value),
)


