"""TaskFlows in memory, and the actions on them. No action awaits, so each is atomic."""

import itertools
import time
import uuid
from datetime import datetime

ENDED = {"finished", "failed", "cancelled"}
ACTIVE_TASK = {"queued", "running"}
RUNNING_ONLY = ("startedAt", "lastEventAt", "progressSummary")


class Rejected(Exception):
    """A refusal: HTTP status, error code and message, with headers and a result if any."""

    def __init__(self, status, code, message, headers=None, result=None):
        super().__init__(message)
        self.status, self.code, self.headers, self.result = status, code, headers or {}, result or {}


def invalid(message):
    return Rejected(400, "invalid_request", message)


class Flow:
    def __init__(self, session, fields):
        self.session = session  # the owner; never shown
        self.fields = fields
        self.managed = True
        self.cancel_requested = False
        self.cancel_pending = False
        self.tasks = []
        self.updated = 0

    @property
    def ended(self):
        return self.fields["status"] in ENDED

    @property
    def active(self):
        return sum(task["status"] in ACTIVE_TASK for task in self.tasks)

    def view(self):
        return {**self.fields, "cancelRequested": self.cancel_requested}


class Flows:
    """All flows of the gateway. The actions reach them through `of` and `find` only, which take the session."""

    def __init__(self, sessions):
        self.sessions = sessions  # the session keys of all routes
        self.by_id = {}
        self.ticks = itertools.count(1)  # orders changes within one millisecond

    def of(self, session):
        return [flow for flow in self.by_id.values() if flow.session == session]

    def find(self, session, flow_id):
        flow = self.by_id.get(flow_id)
        # A flow of another session must look like one that does not exist.
        if flow is None or flow.session != session:
            raise Rejected(404, "not_found", "TaskFlow not found.")
        return flow

    def add(self, session, fields):
        now = int(time.time() * 1000)
        flow = Flow(session, {"flowId": str(uuid.uuid4()), "revision": 1, **fields, "createdAt": now, "updatedAt": now})
        flow.updated = next(self.ticks)
        self.by_id[flow.fields["flowId"]] = flow
        return flow

    def change(self, flow, **fields):
        flow.fields.update(fields, revision=flow.fields["revision"] + 1, updatedAt=int(time.time() * 1000))
        flow.updated = next(self.ticks)
        return {"flow": flow.view()}

    def complete_cancellation(self, flow):
        """Cancels a flow whose cancellation waited for child tasks, once the last one has ended."""
        if flow.cancel_pending and not flow.active and not flow.ended:
            self.change(flow, status="cancelled")


# --- the fields of a body


def text(body, name, required=True):
    value = body.get(name)
    if name not in body and not required:
        return None
    if not isinstance(value, str) or not value.strip():
        raise invalid(f"{name} must be a string that is not blank.")
    return value


def one_of(body, name, allowed, default=None):
    value = body.get(name, default)
    if not isinstance(value, str) or value not in allowed:
        raise invalid(f"{name} must be one of: {', '.join(allowed)}.")
    return value


def revision(body):
    value = body.get("expectedRevision")
    if type(value) is not int or value < 0:  # `type`, not `isinstance`: True is an int
        raise invalid("expectedRevision must be an integer.")
    return value


def timestamp(body, name):
    """Milliseconds since 1970, or a date as ISO 8601 writes it."""
    value = body.get(name, 0)
    try:
        right = value >= 0 if type(value) in (int, float) else datetime.fromisoformat(value.replace("Z", "+00:00"))
    except (AttributeError, ValueError):
        right = False
    if right is False:
        raise invalid(f"{name} must be a timestamp.")


# --- the actions: (flows, route, body) -> (HTTP status, result)


def create_flow(flows, route, body):
    fields = {
        "goal": text(body, "goal"),
        "status": one_of(body, "status", ("queued", "running"), "queued"),
        "notifyPolicy": one_of(body, "notifyPolicy", ("done_only", "silent"), "done_only"),
        "controllerId": text(body, "controllerId", required=False) or route.controller_id,
    }
    return 200, {"flow": flows.add(route.session, fields).view()}


def get_flow(flows, route, body):
    return 200, {"flow": flows.find(route.session, text(body, "flowId")).view()}


def list_flows(flows, route, body):
    newest_first = sorted(flows.of(route.session), key=lambda flow: -flow.updated)
    return 200, {"flows": [flow.view() for flow in newest_first]}


def find_latest_flow(flows, route, body):
    latest = max(flows.of(route.session), key=lambda flow: flow.updated, default=None)
    return 200, {"flow": latest and latest.view()}


def resolve_flow(flows, route, body):
    return 200, {"flow": flows.find(route.session, text(body, "token")).view()}


def get_task_summary(flows, route, body):
    flow = flows.find(route.session, text(body, "flowId"))
    return 200, {"flowId": flow.fields["flowId"], "total": len(flow.tasks), "active": flow.active}


def must_be_current(flow, expected):
    if expected != flow.fields["revision"]:
        result = {"flow": flow.view()}
        raise Rejected(409, "revision_conflict", "The TaskFlow has another revision.", result=result)


def must_go_on(flow):
    if not flow.managed:
        raise Rejected(409, "not_managed", "The TaskFlow is not managed.")
    if flow.ended:
        raise Rejected(409, "terminal", "The TaskFlow has ended.")


def current(flows, route, body):
    """The flow to change. Checks in this order: fields, flow, revision, state."""
    flow_id, expected = text(body, "flowId"), revision(body)
    flow = flows.find(route.session, flow_id)
    must_be_current(flow, expected)
    must_go_on(flow)
    return flow


def set_waiting(flows, route, body):
    blocked = text(body, "blockedSummary", required=False)
    flow = current(flows, route, body)
    data = {name: body[name] for name in ("stateJson", "waitJson", "blockedSummary") if name in body}
    return 200, flows.change(flow, status="blocked" if blocked else "waiting", **data)


def resume_flow(flows, route, body):
    flow = current(flows, route, body)
    if flow.fields["status"] not in ("waiting", "blocked"):
        raise Rejected(409, "mutation_rejected", "The TaskFlow is neither waiting nor blocked.")
    return 200, flows.change(flow, status="running")


def finish_flow(flows, route, body):
    return 200, flows.change(current(flows, route, body), status="finished")


def fail_flow(flows, route, body):
    return 200, flows.change(current(flows, route, body), status="failed")


def request_cancel(flows, route, body):
    flow = current(flows, route, body)
    flow.cancel_requested = True
    return 200, flows.change(flow)


def cancel_flow(flows, route, body):
    flow = flows.find(route.session, text(body, "flowId"))
    if "expectedRevision" in body:
        must_be_current(flow, revision(body))
    must_go_on(flow)
    if not flow.active:
        return 200, flows.change(flow, status="cancelled")
    if not flow.cancel_pending:
        flow.cancel_requested = flow.cancel_pending = True
        flows.change(flow)
    return 202, {"flow": flow.view(), "activeTasks": flow.active}


def run_task(flows, route, body):
    flow_id, child = text(body, "flowId"), text(body, "childSessionKey")
    task = {
        "taskId": str(uuid.uuid4()),
        "runtime": one_of(body, "runtime", ("subagent", "acp")),
        "task": text(body, "task"),
        "status": one_of(body, "status", ("queued", "running"), "queued"),
    }
    sent = [name for name in RUNNING_ONLY if name in body]
    if sent and task["status"] != "running":
        raise invalid(f"{sent[0]} is valid only when status is running.")
    timestamp(body, "startedAt")
    timestamp(body, "lastEventAt")
    text(body, "progressSummary", required=False)
    flow = flows.find(route.session, flow_id)
    must_go_on(flow)
    if flow.cancel_requested:
        raise Rejected(409, "cancel_requested", "Cancellation of the TaskFlow has been requested.")
    # Otherwise a route would act with the authority of another session.
    if child != route.session and child in flows.sessions:
        raise Rejected(403, "task_not_created", "The child task was not created.")
    task.update((name, body[name]) for name in sent)
    flow.tasks.append(task)
    return 200, {"flow": flow.view(), "task": task}


ACTIONS = {
    action.__name__: action
    for action in (
        create_flow,
        get_flow,
        list_flows,
        find_latest_flow,
        resolve_flow,
        get_task_summary,
        set_waiting,
        resume_flow,
        finish_flow,
        fail_flow,
        request_cancel,
        cancel_flow,
        run_task,
    )
}
