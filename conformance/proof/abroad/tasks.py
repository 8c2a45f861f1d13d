"""Section 4: create_flow and run_task, and their fields."""

import uuid

import flows
from flows import Rejected
from subjects import fault

RUN, CREATE = (flows, "run_task"), (flows, "create_flow")


def reading(change):
    """The action with another body: change(body) -> fields; a field that is `...` goes."""

    def action(was, store, route, body):
        read = {**body, **change(body)}
        return was(store, route, {name: value for name, value in read.items() if value is not ...})

    return action


# --- runtime


def runtime(kind, change):
    """The runtime, changed if it is of this type."""

    def read(body):
        sent = body.get("runtime")
        return {"runtime": change(sent) if isinstance(sent, kind) else sent}

    return read


ONE_OF = ("acp", "subagent")
for id, says, kind, change in (
    ("runtime-lower", "runtime is compared without regard to capitals", str, str.lower),
    ("runtime-strip", "blanks around runtime do not count", str, str.strip),
    ("runtime-missing", "runtime may be left out", type(None), lambda value: "subagent"),
    ("runtime-prefix", "runtime may be a beginning of acp", str, lambda value: "acp" if "acp".startswith(value) else value),
    ("runtime-any-text", "runtime may be any text", str, lambda value: value if value in ONE_OF else "acp"),
    ("runtime-list", "runtime may be a list with one name", list, lambda value: value[0] if len(value) == 1 else value),
    ("runtime-cli", "the runtime cli is taken", str, lambda value: "acp" if value == "cli" else value),
):
    fault(id, "4", says, *RUN, reading(runtime(kind, change)))
fault(
    "runtime-any-running", "4", "runtime may be any text when status is running", *RUN,
    reading(
        lambda body: (
            {"runtime": "acp"} if body.get("status") == "running" and isinstance(body.get("runtime"), str)
            else {}
        ),
    ),
)

# --- fields of a running task


def gone(*names, when=lambda body, name: True):
    def change(body):
        sent = [name for name in names if name in body and body.get("status") != "running"]
        return {name: ... for name in sent if when(body, name)}

    return reading(change)


fault(
    "event-omitted", "4", "lastEventAt is taken without a status", *RUN,
    gone("lastEventAt", when=lambda body, name: "status" not in body),
)
fault(
    "progress-acp", "4", "progressSummary is taken with the status queued and the runtime acp", *RUN,
    gone("progressSummary", when=lambda body, name: body.get("runtime") == "acp"),
)
fault(
    "running-only-zero", "4", "startedAt 0 is taken with the status queued", *RUN,
    gone("startedAt", "lastEventAt", when=lambda body, name: body[name] == 0),
)
fault(
    "running-only-waiting", "4", "startedAt is taken with the status queued when the flow is waiting", flows,
    "run_task",
    lambda was, store, route, body: was(
        store, route,
        {name: value for name, value in body.items() if name != "startedAt" or body.get("status") == "running" or not waiting(store, body)},
    ),
)


def waiting(store, body):
    flow = store.by_id.get(body.get("flowId")) if isinstance(body.get("flowId"), str) else None
    return flow is not None and flow.fields["status"] == "waiting"


def refuses(condition, message="Invalid request."):
    def action(was, store, route, body):
        if condition(store, body):
            raise Rejected(400, "invalid_request", message)
        return was(store, route, body)

    return action


fault(
    "running-event-refused", "4", "lastEventAt without startedAt is refused for a running task", *RUN,
    refuses(lambda store, body: "lastEventAt" in body and "startedAt" not in body),
)
fault(
    "acp-waiting-refused", "4", "run_task with runtime acp is refused in a waiting flow", *RUN,
    refuses(lambda store, body: body.get("runtime") == "acp" and waiting(store, body)),
)
fault(
    "task-no-status", "4", "run_task without a status is refused", *RUN,
    refuses(lambda store, body: "status" not in body),
)

for name in ("childSessionKey", "task"):
    fault(
        f"{name}-missing", "4", f"{name} may be left out", *RUN,
        reading(lambda body, name=name: {name: body.get(name, "none")}),
    )
    fault(
        f"{name}-number", "4", f"{name} may be a number", *RUN,
        reading(
            lambda body, name=name: {name: str(body[name]) if type(body.get(name)) is int else body.get(name, ...)},
        ),
    )
    fault(
        f"{name}-object", "4", f"{name} may be an object", *RUN,
        reading(
            lambda body, name=name: (
                {name: str(body[name]) if isinstance(body.get(name), dict) else body.get(name, ...)}
            ),
        ),
    )


@fault("refused-task-stored", "4", "a task that is refused for its startedAt is stored", *RUN)
def _(was, store, route, body):
    try:
        return was(store, route, body)
    except Rejected as error:
        if "valid only" in str(error) and body["flowId"] in store.by_id:
            flow = store.find(route.session, body["flowId"])
            flow.tasks.append({"taskId": str(uuid.uuid4()), "status": "queued", "runtime": "acp"})
        raise


@fault("task-unknown-flow", "4", "run_task in an unknown flow creates the flow", *RUN)
def _(was, store, route, body):
    try:
        return was(store, route, body)
    except Rejected as error:
        if error.code != "not_found":
            raise
        fields = {"goal": body["task"], "status": "queued", "notifyPolicy": "done_only"}
        fields["controllerId"] = route.controller_id
        return was(store, route, {**body, "flowId": store.add(route.session, fields).fields["flowId"]})


@fault(
    "task-latest-flow", "4", "run_task of runtime acp puts the task into the session's latest flow", *RUN,
)
def _(was, store, route, body):
    own = [flow for flow in store.of(route.session) if not flow.ended and not flow.cancel_requested]
    if body.get("runtime") == "acp" and own and body.get("flowId") in store.by_id:
        return was(store, route, {**body, "flowId": max(own, key=lambda flow: flow.updated).fields["flowId"]})
    return was(store, route, body)


@fault(
    "task-moves-flow", "5", "run_task with the session key of another route gives the flow to that session",
    *RUN,
)
def _(was, store, route, body):
    child = body.get("childSessionKey")
    if child != route.session and isinstance(child, str) and child in store.sessions:
        store.find(route.session, body["flowId"]).session = child
    return was(store, route, body)


# --- create_flow

fault(
    "goal-number", "4", "a goal may be a number, and becomes text", *CREATE,
    reading(lambda body: {"goal": str(body["goal"]) if type(body.get("goal")) is int else body.get("goal", ...)}),
)
fault(
    "done-only-refused", "4", "notifyPolicy done_only without a status is refused", *CREATE,
    refuses(lambda store, body: body.get("notifyPolicy") == "done_only" and "status" not in body),
)


@fault("goal-once", "4", "a second flow with the same goal is the first one again", *CREATE)
def _(was, store, route, body):
    same = next((flow for flow in store.of(route.session) if flow.fields["goal"] == body.get("goal")), None)
    return (200, {"flow": same.view()}) if same else was(store, route, body)


@fault(
    "create-refused-stored", "4", "a flow that is refused for its notifyPolicy is stored", *CREATE,
)
def _(was, store, route, body):
    try:
        return was(store, route, body)
    except Rejected as error:
        if str(error).startswith("notifyPolicy"):
            was(store, route, {**body, "notifyPolicy": "done_only"})
        raise


@fault("create-fifty", "4", "from the fiftieth flow of a session on the oldest is dropped", *CREATE)
def _(was, store, route, body):
    own = store.of(route.session)
    if len(own) >= 50:
        del store.by_id[own[0].fields["flowId"]]
    return was(store, route, body)
