"""Section 3: what the actions do to a flow."""

import flows
from flows import Rejected, invalid
from subjects import fault


def status_of(store, body):
    flow = store.by_id.get(body.get("flowId")) if isinstance(body.get("flowId"), str) else None
    return flow.fields["status"] if flow else None


def active_of(store, body):
    flow = store.by_id.get(body.get("flowId")) if isinstance(body.get("flowId"), str) else None
    return [task for task in flow.tasks if task["status"] in flows.ACTIVE_TASK] if flow else []


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


def was_in(*statuses):
    return lambda store, body: status_of(store, body) in statuses


fault(
    "create-queued-running", "3", "create_flow with status queued makes a running flow", flows, "create_flow",
    becomes("running", lambda store, body: body.get("status") == "queued"),
)
fault(
    "finish-waiting", "3", "finish_flow of a waiting flow leaves it waiting", flows, "finish_flow",
    becomes("waiting", was_in("waiting")),
)
fault(
    "finish-done", "3", "a finished flow has the status done", flows, "finish_flow", becomes("done"),
)
fault(
    "fail-task-running", "3", "fail_flow of a flow with child tasks leaves it running", flows, "fail_flow",
    becomes("running", lambda store, body: bool(active_of(store, body))),
)


# --- unchanged, or changed when refused


def only_says(condition):
    """The action answers as if it had changed the flow."""

    def action(was, store, route, body):
        if not condition(store, body):
            return was(store, route, body)
        flow = flows.current(store, route, body)
        kept, updated = dict(flow.fields), flow.updated
        answer = was(store, route, body)
        flow.fields, flow.updated = kept, updated
        return answer

    return action


for action, word, statuses in (
    ("finish_flow", "waiting", ("waiting",)), ("fail_flow", "resumed", ("running",)),
    ("set_waiting", "resumed", ("running",)), ("resume_flow", "waiting", ("waiting", "blocked")),
):
    fault(
        f"{action}-only-says", "3",
        f"{action} of a {word} flow answers as if it had changed it, and a read shows it unchanged", flows,
        action, only_says(was_in(*statuses)),
    )


# --- conditions that the interface names


def resumes(*statuses):
    def action(was, store, route, body):
        if status_of(store, body) in statuses:
            flow = store.find(route.session, body["flowId"])
            flows.must_be_current(flow, flows.revision(body))
            return 200, store.change(flow, status="running")
        return was(store, route, body)

    return action


fault(
    "resume-running", "3", "resume_flow of a running flow succeeds", flows, "resume_flow", resumes("running"),
)
fault(
    "resume-cancelled", "3", "resume_flow of a cancelled flow succeeds", flows, "resume_flow",
    resumes("cancelled"),
)


# --- cancel_flow


def cancels(status, condition):
    """With active children the answer has another status."""

    def action(was, store, route, body):
        applies = condition(store, body)
        http, result = was(store, route, body)
        return (status if applies else http), result

    return action


fault(
    "cancel-waiting-acp", "3", "cancel_flow of a waiting flow with an acp child answers 200", flows,
    "cancel_flow",
    cancels(
        200,
        lambda store, body: (
            status_of(store, body) == "waiting"
            and any(task["runtime"] == "acp" for task in active_of(store, body))
        ),
    ),
)
fault(
    "cancel-waiting-kept", "3", "cancel_flow of a waiting flow leaves it waiting", flows, "cancel_flow",
    becomes("waiting", was_in("waiting")),
)


@fault("cancel-unknown", "3", "cancel_flow of an unknown flow succeeds", flows, "cancel_flow")
def _(was, store, route, body):
    return was(store, route, body) if status_of(store, body) or not isinstance(body.get("flowId"), str) else (200, {})


@fault("cancel-all", "3", "cancel_flow cancels all flows with the same goal", flows, "cancel_flow")
def _(was, store, route, body):
    http, result = was(store, route, body)
    for flow in store.of(route.session):
        if flow.fields["goal"] == result["flow"]["goal"] and not flow.ended:
            store.change(flow, status="cancelled")
    return http, result


# --- required fields

for action in ("set_waiting", "resume_flow", "finish_flow", "fail_flow", "request_cancel"):

    @fault(
        f"{action}-any-revision", "4", f"{action} without expectedRevision takes the current one", flows,
        action,
    )
    def _(was, store, route, body):
        if "expectedRevision" not in body and status_of(store, body):
            body = {**body, "expectedRevision": store.by_id[body["flowId"]].fields["revision"]}
        return was(store, route, body)


@fault(
    "flow-id-missing", "4", "finish_flow without flowId finishes the latest flow", flows, "finish_flow",
)
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


@fault(
    "time-fields-422", "7", "startedAt with the status queued is refused with 422", flows, "invalid",
)
def _(was, message):
    return Rejected(422, "invalid_request", message) if message.startswith("startedAt") else invalid(message)
