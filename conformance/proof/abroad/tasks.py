"""Section 4: create_flow and run_task, and their fields."""

import uuid

import flows
from actions import was_in
from flows import Rejected
from subjects import fault, faults, lawful, named, refused

RUN, CREATE = (flows, "run_task"), (flows, "create_flow")


def field(name, kind, change):
    """The action with a changed field, if the field is of this type."""

    def action(was, store, route, body):
        sent = body.get(name)
        return was(store, route, {**body, name: change(sent)} if type(sent) is kind else body)

    return action


def gone(name, when):
    """A task that is not running loses a field of a running one, when(store, body)."""

    def action(was, store, route, body):
        if name in body and body.get("status") != "running" and when(store, body):
            body = {key: value for key, value in body.items() if key != name}
        return was(store, route, body)

    return action


def refuses(condition):
    def action(was, store, route, body):
        if condition(store, body):
            raise Rejected(400, "invalid_request", "Invalid request.")
        return was(store, route, body)

    return action


def any_runtime(was, store, route, body):
    text = body.get("status") == "running" and isinstance(body.get("runtime"), str)
    return was(store, route, {**body, "runtime": "acp"} if text else body)


waiting = was_in("waiting")
lawful("lawful-runtime-missing", "4", "runtime may be left out", *RUN,
       lambda was, store, route, body: was(store, route, {"runtime": "subagent", **body}))
faults(
    "4", *RUN,
    ("runtime-any-running", "runtime may be any text when status is running", any_runtime),
    ("task-cut", "a task's text is cut after 127 characters", field("task", str, lambda text: text[:127])),
    ("runtime-first", "every child has the runtime subagent",
     field("runtime", str, lambda runtime: "subagent" if runtime == "acp" else runtime)),
    ("child-number", "childSessionKey may be a number", field("childSessionKey", int, str)),
    ("event-omitted", "lastEventAt is taken without a status",
     gone("lastEventAt", lambda store, body: "status" not in body)),
    ("progress-acp", "progressSummary is taken with the status queued and the runtime acp",
     gone("progressSummary", lambda store, body: body.get("runtime") == "acp")),
    ("running-only-waiting", "startedAt is taken with the status queued when the flow is waiting",
     gone("startedAt", waiting)),
    ("running-event-refused", "lastEventAt without startedAt is refused for a running task",
     refuses(lambda store, body: "lastEventAt" in body and "startedAt" not in body)),
    ("acp-waiting-refused", "run_task with runtime acp is refused in a waiting flow",
     refuses(lambda store, body: body.get("runtime") == "acp" and waiting(store, body))),
    ("task-no-status", "run_task without a status is refused", refuses(lambda store, body: "status" not in body)),
)


def store_task(error, store, route, body):
    flow = named(store, body)
    if "valid only" in str(error) and flow and flow.session == route.session:
        flow.tasks.append({"taskId": str(uuid.uuid4()), "status": "queued", "runtime": "acp"})


fault("refused-task-stored", "4", "a task that is refused for its startedAt is stored", *RUN,
      refused("invalid_request", store_task))


@fault("task-latest-flow", "4", "run_task of runtime acp puts the task into the session's latest flow", *RUN)
def _(was, store, route, body):
    own = [flow for flow in store.of(route.session) if not flow.ended and not flow.cancel_requested]
    if body.get("runtime") == "acp" and own and body.get("flowId") in store.by_id:
        return was(store, route, {**body, "flowId": max(own, key=lambda flow: flow.updated).fields["flowId"]})
    return was(store, route, body)


faults(
    "4", *CREATE,
    ("goal-number", "a goal may be a number, and becomes text", field("goal", int, str)),
    ("done-only-refused", "notifyPolicy done_only without a status is refused",
     refuses(lambda store, body: body.get("notifyPolicy") == "done_only" and "status" not in body)),
)


@fault("goal-once", "4", "a second flow with the same goal is the first one again", *CREATE)
def _(was, store, route, body):
    same = next((flow for flow in store.of(route.session) if flow.fields["goal"] == body.get("goal")), None)
    return (200, {"flow": same.view()}) if same else was(store, route, body)


def store_flow(error, store, route, body):
    if str(error).startswith("notifyPolicy"):
        fields = {"goal": body["goal"], "status": "queued", "notifyPolicy": "done_only"}
        store.add(route.session, {**fields, "controllerId": route.controller_id})


fault("create-refused-stored", "4", "a flow that is refused for its notifyPolicy is stored", *CREATE,
      refused("invalid_request", store_flow))


@fault("create-fifty", "4", "from the fiftieth flow of a session on the oldest is dropped", *CREATE)
def _(was, store, route, body):
    own = store.of(route.session)
    if len(own) >= 50:
        del store.by_id[own[0].fields["flowId"]]
    return was(store, route, body)
