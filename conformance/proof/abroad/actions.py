"""Sections 3, 4 and 7: what the actions do to a flow."""

import flows
from flows import Rejected, invalid
from subjects import fault, faults, lawful, named

CANCEL = (flows, "cancel_flow")


def status_of(store, body):
    flow = named(store, body)
    return flow and flow.fields["status"]


def active_of(store, body):
    flow = named(store, body)
    return [task for task in flow.tasks if task["status"] in flows.ACTIVE_TASK] if flow else []


def was_in(*statuses):
    return lambda store, body: status_of(store, body) in statuses


# --- the wrong status


def becomes(status, condition=lambda store, body: True):
    """The action, then another status than it gives."""

    def action(was, store, route, body):
        applies = condition(store, body)
        http, result = was(store, route, body)
        if applies and http == 200:
            flow = store.by_id[result["flow"]["flowId"]]
            flow.fields["status"] = status
            result = {**result, "flow": flow.view()}
        return http, result

    return action


for id, says, action, replacement in (
    ("create-queued-running", "create_flow with status queued makes a running flow", "create_flow",
     becomes("running", lambda store, body: body.get("status") == "queued")),
    ("finish-waiting", "finish_flow of a waiting flow leaves it waiting", "finish_flow",
     becomes("waiting", was_in("waiting"))),
    ("finish-done", "a finished flow has the status done", "finish_flow", becomes("done")),
    ("fail-task-running", "fail_flow of a flow with child tasks leaves it running", "fail_flow",
     becomes("running", lambda store, body: bool(active_of(store, body)))),
    ("cancel-waiting-kept", "cancel_flow of a waiting flow leaves it waiting", "cancel_flow",
     becomes("waiting", was_in("waiting"))),
):
    fault(id, "3", says, flows, action, replacement)


def only_says(*statuses):
    """The action answers as if it had changed the flow."""

    def action(was, store, route, body):
        if status_of(store, body) not in statuses:
            return was(store, route, body)
        flow = flows.current(store, route, body)
        kept, updated = dict(flow.fields), flow.updated
        answer = was(store, route, body)
        flow.fields, flow.updated = kept, updated
        return answer

    return action


for action in ("fail_flow", "set_waiting"):
    says = f"{action} of a resumed flow answers as if it had changed it, and a read shows it unchanged"
    fault(f"{action}-only-says", "3", says, flows, action, only_says("running"))


def resumes(status):
    def action(was, store, route, body):
        if status_of(store, body) != status:
            return was(store, route, body)
        flow = store.find(route.session, body["flowId"])
        flows.must_be_current(flow, flows.revision(body))
        return 200, store.change(flow, status="running")

    return action


for status in ("running", "cancelled"):
    says = f"resume_flow of a {status} flow succeeds"
    fault(f"resume-{status}", "3", says, flows, "resume_flow", resumes(status))


# --- cancel_flow


@fault("cancel-waiting-acp", "3", "cancel_flow of a waiting flow with an acp child answers 200", *CANCEL)
def _(was, store, route, body):
    applies = status_of(store, body) == "waiting" and any(task["runtime"] == "acp" for task in active_of(store, body))
    http, result = was(store, route, body)
    return (200 if applies else http), result


def ends_first(applies):
    """cancel_flow that ends the active children of some flows itself."""

    def replacement(was, store, route, body):
        active = active_of(store, body)
        if applies(status_of(store, body), active):
            for task in active:
                task["status"] = "cancelled"
        return was(store, route, body)

    return replacement


faults("3", *CANCEL,
       ("cancel-waiting-at-once", "cancel_flow waits for children, but not for those of a waiting flow",
        ends_first(lambda status, active: status == "waiting")),
       ("cancel-one-child", "cancel_flow waits for children where there are two, and ends a single one",
        ends_first(lambda status, active: len(active) == 1)))
lawful("lawful-cancel-queued", "3", "cancel_flow waits for children that run, and ends those that do not run yet", *CANCEL,
       ends_first(lambda status, active: all(task["status"] == "queued" for task in active)))


@fault("cancel-unknown", "3", "cancel_flow of an unknown flow succeeds", *CANCEL)
def _(was, store, route, body):
    return was(store, route, body) if named(store, body) or not isinstance(body.get("flowId"), str) else (200, {})


@fault("cancel-all", "3", "cancel_flow cancels all flows with the same goal", *CANCEL)
def _(was, store, route, body):
    http, result = was(store, route, body)
    for flow in store.of(route.session):
        if flow.fields["goal"] == result["flow"]["goal"] and not flow.ended:
            store.change(flow, status="cancelled")
    return http, result


# --- required fields


@fault("request_cancel-any-revision", "4", "request_cancel without expectedRevision takes the current one",
       flows, "request_cancel")
def _(was, store, route, body):
    if "expectedRevision" not in body and named(store, body):
        body = {**body, "expectedRevision": named(store, body).fields["revision"]}
    return was(store, route, body)


@fault("flow-id-missing", "4", "finish_flow without flowId finishes the latest flow", flows, "finish_flow")
def _(was, store, route, body):
    if "flowId" not in body and store.of(route.session):
        latest = max(store.of(route.session), key=lambda flow: flow.updated)
        return 200, store.change(latest, status="finished")
    return was(store, route, body)


@fault("flow-id-list-500", "4", "a flowId that is a list is answered with 500", flows, "text")
def _(was, body, name, required=True):
    if name == "flowId" and isinstance(body.get(name), list):
        raise Rejected(500, "internal_error", "unhashable type: 'list'")
    return was(body, name, required)


@fault("time-fields-422", "7", "startedAt with the status queued is refused with 422", flows, "invalid")
def _(was, message):
    return Rejected(422, "invalid_request", message) if message.startswith("startedAt") else invalid(message)


# --- what a flow keeps of state and wait data


def keeps(change):
    """set_waiting, with a change of each value inside its data."""

    def walk(value):
        if isinstance(value, dict):
            return change({name: walk(inner) for name, inner in value.items()})
        return change([walk(inner) for inner in value] if isinstance(value, list) else value)

    def set_waiting(was, store, route, body):
        data = {name: walk(body[name]) for name in ("stateJson", "waitJson") if name in body}
        return was(store, route, {**body, **data})

    return set_waiting


def without_null(value):
    return {name: inner for name, inner in value.items() if inner is not None} if isinstance(value, dict) else value


faults(
    "3", flows, "set_waiting",
    ("data-32-bits", "numbers in stored data are cut to 32 bits",
     keeps(lambda value: value & 0xFFFFFFFF if type(value) is int else value)),
    ("data-null", "null in stored data is left out", keeps(without_null)),
    ("data-sorted", "lists in stored data are sorted",
     keeps(lambda value: sorted(value, key=repr) if isinstance(value, list) else value)),
)
SHARED = {}


@fault("data-shared", "3", "all flows of the gateway share their stored data", flows, "set_waiting")
def _(was, store, route, body):
    SHARED.update((name, body[name]) for name in ("stateJson", "waitJson") if name in body)
    return was(store, route, {**SHARED, **body})
