"""Sections 4 and 7: the actions that read."""

import uuid

import flows
from flows import Rejected
from subjects import coded, fault, faults, lawful, named

CACHE = {}


@fault("get-cached", "4", "get_flow shows a waiting flow as it was at the first read", flows, "get_flow")
def _(was, store, route, body):
    http, result = was(store, route, body)
    return http, CACHE.setdefault(result["flow"]["flowId"], result) if result["flow"]["status"] == "waiting" else result


@fault("list-cached", "4", "list_flows shows changes only after the next creation", flows, "list_flows")
def _(was, store, route, body):
    key = route.session, len(store.by_id)
    if key not in CACHE:
        CACHE[key] = was(store, route, body)
    return CACHE[key]


def listed(change):
    def list_flows(was, store, route, body):
        http, result = was(store, route, body)
        return http, {"flows": change(result["flows"])}

    return list_flows


faults(
    "4", flows, "list_flows",
    ("list-cancel-requested", "list_flows leaves out flows whose cancellation is requested",
     listed(lambda shown: [flow for flow in shown if not flow["cancelRequested"]])),
    ("list-by-goal", "list_flows shows one of several flows with the same goal",
     listed(lambda shown: list({flow["goal"]: flow for flow in shown}.values()))),
)


def latest_by(key, among=lambda flow: True):
    def find_latest_flow(was, store, route, body):
        latest = max(filter(among, store.of(route.session)), key=key, default=None)
        return 200, {"flow": latest and latest.view()}

    return find_latest_flow


faults(
    "4", flows, "find_latest_flow",
    ("latest-seconds", "find_latest_flow compares whole seconds",
     latest_by(lambda flow: flow.fields["updatedAt"] // 1000)),
    ("latest-open", "find_latest_flow leaves out ended flows",
     latest_by(lambda flow: flow.updated, lambda flow: not flow.ended)),
)


@fault("latest-cancel", "4", "request_cancel does not make a flow the latest", flows, "request_cancel")
def _(was, store, route, body):
    before = {id: flow.updated for id, flow in store.by_id.items()}
    answer = was(store, route, body)
    store.by_id[body["flowId"]].updated = before[body["flowId"]]
    return answer


@lawful("lawful-id-uuid", "4", "a flowId is read as a UUID: without dashes, in braces", flows.Flows, "find")
def _(was, self, session, flow_id):
    try:
        return was(self, session, str(uuid.UUID(flow_id)))
    except ValueError:
        return was(self, session, flow_id)


@fault("summary-changes", "4", "get_task_summary makes the revision one higher", flows, "get_task_summary")
def _(was, store, route, body):
    answer = was(store, route, body)
    store.change(store.by_id[body["flowId"]])
    return answer


@fault("summary-empty", "4", "get_task_summary of a flow without tasks is not found", flows, "get_task_summary")
def _(was, store, route, body):
    http, result = was(store, route, body)
    if not result["total"]:
        raise Rejected(404, "not_found", "No tasks found.")
    return http, result


@fault("summary-absent", "7", "get_task_summary of a flow that the session does not have is that of one without tasks",
       flows, "get_task_summary")
def _(was, store, route, body):
    if isinstance(body.get("flowId"), str) and named(store, body) not in store.of(route.session):
        return 200, {"total": 0, "active": 0}
    return was(store, route, body)


@lawful("lawful-resolve-unknown-ok", "7", "resolve_flow of an unknown flow succeeds with an empty result",
        flows, "resolve_flow")
def _(was, store, route, body):
    try:
        return was(store, route, body)
    except Rejected as error:
        if error.code == "not_found":
            return 200, {}
        raise


for action, code in (
    ("run_task", "task_not_created"), ("set_waiting", "NOT_FOUND"), ("resume_flow", "revision_conflict"),
):
    says = f"{action} of an unknown flow has the code {code}"
    fault(f"{action}-{code}", "7", says, flows, action, coded("not_found", code))
