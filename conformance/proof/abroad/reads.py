"""Section 4: the actions that read."""

import uuid

import flows
from flows import Rejected
from subjects import fault

CACHE = {}


@fault(
    "get-cached", "4", "get_flow shows a waiting flow as it was at the first read", flows, "get_flow",
)
def _(was, store, route, body):
    http, result = was(store, route, body)
    return http, CACHE.setdefault(result["flow"]["flowId"], result) if result["flow"]["status"] == "waiting" else result


@fault(
    "list-cached", "4", "list_flows shows changes only after the next creation", flows, "list_flows",
)
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


LIST = (flows, "list_flows")
fault(
    "list-cancel-requested", "4", "list_flows leaves out flows whose cancellation is requested", *LIST,
    listed(lambda shown: [flow for flow in shown if not flow["cancelRequested"]]),
)
fault(
    "list-by-goal", "4", "list_flows shows one of several flows with the same goal", *LIST,
    listed(lambda shown: list({flow["goal"]: flow for flow in shown}.values())),
)


def latest_by(key, among=lambda flow: True):
    def find_latest_flow(was, store, route, body):
        latest = max(filter(among, store.of(route.session)), key=key, default=None)
        return 200, {"flow": latest and latest.view()}

    return find_latest_flow


LATEST = (flows, "find_latest_flow")
fault(
    "latest-seconds", "4", "find_latest_flow compares whole seconds", *LATEST,
    latest_by(lambda flow: flow.fields["updatedAt"] // 1000),
)
fault(
    "latest-open", "4", "find_latest_flow leaves out ended flows", *LATEST,
    latest_by(lambda flow: flow.updated, lambda flow: not flow.ended),
)


@fault(
    "latest-cancel", "4", "request_cancel does not make a flow the latest", flows, "request_cancel",
)
def _(was, store, route, body):
    before = {id: flow.updated for id, flow in store.by_id.items()}
    http, result = was(store, route, body)
    store.by_id[body["flowId"]].updated = before[body["flowId"]]
    return http, result


def finds(same):
    """A flow is found by a text that is like its id."""

    def find(was, self, session, flow_id):
        named = next((flow for flow in self.of(session) if same(flow.fields["flowId"], flow_id)), None)
        return named or was(self, session, flow_id)

    return find


FIND = (flows.Flows, "find")
fault(
    "id-prefix", "4", "the first eight characters of a flowId are enough", *FIND,
    finds(lambda id, sent: len(sent) >= 8 and id.startswith(sent)),
)


@fault("id-uuid", "4", "a flowId is read as a UUID: without dashes, in braces", *FIND)
def _(was, self, session, flow_id):
    try:
        return was(self, session, str(uuid.UUID(flow_id)))
    except ValueError:
        return was(self, session, flow_id)


for action in ("get_flow", "resolve_flow", "get_task_summary"):

    @fault(
        f"{action}-unknown-ok", "7", f"{action} of an unknown flow succeeds with an empty result", flows,
        action,
    )
    def _(was, store, route, body):
        try:
            return was(store, route, body)
        except Rejected as error:
            if error.code == "not_found":
                return 200, {}
            raise


@fault(
    "summary-changes", "4", "get_task_summary makes the revision one higher", flows, "get_task_summary",
)
def _(was, store, route, body):
    answer = was(store, route, body)
    store.change(store.by_id[body["flowId"]])
    return answer


@fault(
    "summary-empty", "4", "get_task_summary of a flow without tasks is not found", flows, "get_task_summary",
)
def _(was, store, route, body):
    http, result = was(store, route, body)
    if not result["total"]:
        raise Rejected(404, "not_found", "No tasks found.")
    return http, result


def code_of(action, code, condition=lambda error: error.code == "not_found"):
    @fault(
        f"{action}-{code}", "7", f"{action} of an unknown flow has the code {code}", flows, action,
    )
    def _(was, store, route, body):
        try:
            return was(store, route, body)
        except Rejected as error:
            if condition(error):
                raise Rejected(error.status, code, str(error)) from None
            raise


code_of("get_flow", "flow_not_found")
code_of("run_task", "task_not_created")
code_of("cancel_flow", "cancel_rejected")
code_of("set_waiting", "NOT_FOUND")
code_of("resume_flow", "revision_conflict")
