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
fault("list-25", "4", "list_flows shows 25 flows at most", *LIST, listed(lambda shown: shown[:25]))
fault(
    "list-failed", "4", "list_flows leaves out failed flows", *LIST,
    listed(lambda shown: [flow for flow in shown if flow["status"] != "failed"]),
)
fault(
    "list-cancel-requested", "4", "list_flows leaves out flows whose cancellation is requested", *LIST,
    listed(lambda shown: [flow for flow in shown if not flow["cancelRequested"]]),
)
fault(
    "list-by-goal", "4", "list_flows shows one of several flows with the same goal", *LIST,
    listed(lambda shown: list({flow["goal"]: flow for flow in shown}.values())),
)
fault(
    "list-twice-waiting", "4", "list_flows shows waiting flows twice", *LIST,
    listed(lambda shown: shown + [flow for flow in shown if flow["status"] == "waiting"]),
)
fault(
    "list-old-revision", "4", "list_flows shows each revision one too low after the second change", *LIST,
    listed(lambda shown: [{**flow, "revision": flow["revision"] - (flow["revision"] > 2)} for flow in shown]),
)
fault(
    "list-id-short", "4", "list_flows shows flowId without dashes", *LIST,
    listed(lambda shown: [{**flow, "flowId": flow["flowId"].replace("-", "")} for flow in shown]),
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
    "latest-milliseconds", "4",
    "find_latest_flow compares milliseconds, and shows the older of two of the same", *LATEST,
    latest_by(lambda flow: flow.fields["updatedAt"]),
)
fault(
    "latest-created", "4", "find_latest_flow shows the flow that was created last", *LATEST,
    lambda was, store, route, body: (
        (200, {"flow": next((flow.view() for flow in reversed(store.of(route.session))), None)})
    ),
)
fault(
    "latest-text", "4", "find_latest_flow compares the numbers of changes as text", *LATEST,
    latest_by(lambda flow: str(flow.updated)),
)
fault(
    "latest-open", "4", "find_latest_flow leaves out ended flows", *LATEST,
    latest_by(lambda flow: flow.updated, lambda flow: not flow.ended),
)
fault(
    "latest-not-waiting", "4", "find_latest_flow leaves out waiting flows", *LATEST,
    latest_by(lambda flow: flow.updated, lambda flow: flow.fields["status"] != "waiting"),
)
fault(
    "latest-revision", "4", "find_latest_flow shows the flow with the highest revision", *LATEST,
    latest_by(lambda flow: (flow.fields["revision"], flow.updated)),
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
    "id-case", "4", "flowId is compared without regard to capitals", *FIND,
    finds(lambda id, sent: id.lower() == sent.lower()),
)
fault(
    "id-strip", "4", "blanks around flowId do not count", *FIND, finds(lambda id, sent: id == sent.strip()),
)
fault(
    "id-prefix", "4", "the first eight characters of a flowId are enough", *FIND,
    finds(lambda id, sent: len(sent) >= 8 and id.startswith(sent)),
)
fault(
    "id-longer", "4", "a flowId with something behind it finds the flow", *FIND,
    finds(lambda id, sent: sent.startswith(id)),
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


@fault("get-touches", "4", "get_flow makes the flow the latest", flows, "get_flow")
def _(was, store, route, body):
    answer = was(store, route, body)
    store.by_id[body["flowId"]].updated = next(store.ticks)
    return answer


@fault(
    "resolve-old", "4", "resolve_flow shows the flow without its last change of status", flows, "resolve_flow",
)
def _(was, store, route, body):
    http, result = was(store, route, body)
    flow = result["flow"]
    return http, {"flow": {**flow, "status": "queued", "revision": 1}}


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
