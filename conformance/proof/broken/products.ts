/** Products of a way to break something and a condition that some cases have to fail, by case. */
import { products } from "../products/index.ts";
import { failingEach, type Change, type Subject } from "../subject.ts";

const chosen: Readonly<Record<string, readonly string[]>> = {
  "NOT-STORED-REFUSED": [
    "get_flow finds nothing, of a flow whose latest change could not be stored",
    "get_flow shows a flow as waiting, of a flow whose latest change could not be stored",
  ],
  "RATE-121-REFUSED": ["the rate-limit check left out, from 127.0.0.1"],
  "IN-FLIGHT-AT-ONCE": ["the in-flight check left out, from 127.0.0.1"],
  "AUTH-CLIENT-NAMED": ["the authentication check left out, from 127.0.0.1"],
  "BODY-262145-LENGTH": ["a body of any size read, for bodies of an announced length"],
  "RATE-COLD-ROUTE": ["the rate-limit check left out, on a route without its secret"],
  "RATE-EVERY-REQUEST": [
    "the rate-limit check left out, on a route with a configured path",
    "a request that method refuses is counted, for GET",
    "a request that content-type refuses is counted, without a content type",
    "the authentication before the rate limit, with Basic credentials",
  ],
  "IN-FLIGHT-EVERY-REQUEST": [
    "the in-flight check left out, on a route with a configured path",
    "a slot that is never freed, on a route with a configured path",
    "the in-flight check left out, with header names in capitals",
  ],
  "IN-FLIGHT-FREED": ["a slot that is never freed, with an empty body"],
  "ORDER-LIMITS-FIRST": [
    "the authentication before the rate limit, with an empty body",
    "the rate-limit check left out, with Expect",
  ],
  "BODY-TIME-EVERY-REQUEST": ["no time limit for a body, later on its connection", "5 s for a body, for HTTP/1.0"],
  "METHOD-PUT": ["the method check left out, for PUT"],
  "REQUEST-METHOD": [
    "the method check left out, on a route with a configured path",
    "the action done though method refused, for PUT",
    "the action done though method refused, for HEAD",
  ],
  "REQUEST-CONTENT-TYPE": [
    "the content-type check left out, on a route with a configured path",
    "the content-type check left out, without a content type",
    "the content-type check left out, later on its connection",
  ],
  "REQUEST-SECRET": [
    "the authentication check left out, on a route with a controllerId of its own",
    "the authentication check left out, for chunked bodies",
    "the body read before the authentication, with the product header",
    "the action done though authentication refused, with the product header",
  ],
  "REQUEST-BODY": ["a body of any size read, on a route with a configured path"],
  "RUN-TASK-RIGHT": ["get_task_summary counts no task, of a flow with a child"],
  "RUN-TASK-WRONG": [
    "run_task takes the fields of a running task without that status, of a flow with a running child",
    "run_task takes the fields of a running task without that status, of a flow that was resumed",
  ],
  "CREATE-FLOW-FIELDS": ["list_flows shows flows twice, always", "create_flow stores no notifyPolicy, always"],
  "SESSION-SEEDED": [
    "set_waiting refused though right, of a flow that a sibling created",
    "run_task refused though right, of a flow that a sibling created",
  ],
  "SESSION-FOREIGN-READS": ["find_latest_flow shows a flow of another session, always"],
  "SESSION-MANY-FLOWS": [
    "list_flows leaves out each flow, of a flow that a sibling created",
    "get_flow finds nothing, of a flow with 50 newer ones in the session",
    "list_flows leaves out one flow, with more than 20 flows in the session",
  ],
  "SESSION-EMPTY-READS": [
    "find_latest_flow shows a flow of another session, when every flow of the session has ended",
    "list_flows shows a flow of another session, when every flow of the session has ended",
  ],
  "STATES-CANCEL-CHILDREN": [
    "cancel_flow with active children answers 200, of a flow asked to cancel",
    "cancel_flow with active children answers 200, of a flow with a queued child",
  ],
  "STATES-SET-WAITING": ["get_task_summary counts ended children as active, of a flow that is failed"],
  "STATES-SET-BLOCKED": ["find_latest_flow takes no notice of set_waiting, always"],
  "STATES-RESUME-FLOW": [
    "resume_flow applied in any status, of a flow that is queued",
    "resume_flow applied in any status, of a flow that was resumed twice",
  ],
  "STATES-FINISH-FLOW": ["get_task_summary counts no task, of a flow that has ended"],
  "STATES-FAIL-FLOW": ["fail_flow refused though right, of a flow that is blocked"],
  "STATES-REQUEST-CANCEL": [
    "get_flow shows the revision before, always",
    "request_cancel accepted and nothing done, of a flow that is waiting",
  ],
  "ACTION-ABSENT": ["resolve_flow gives the latest flow, always"],
  "STATES-CANCEL-FLOW": [
    "cancel_flow waits for a child that is not there, always",
    "cancel_flow accepted and nothing done, of a flow that is blocked",
  ],
  "STATES-RUN-TASK": ["run_task refused though right, of a flow that is waiting"],
  "REVISION-STALE": [
    "find_latest_flow shows a flow whose last change was a conflict, always",
    "fail_flow takes any revision, of a flow that had two conflicts with this revision",
    "set_waiting takes any revision, of a flow with a child",
    "fail_flow refused though right, of a flow that had a conflict",
    "finish_flow with a stale revision is terminal, of a flow that is failed",
    "finish_flow takes any revision, always",
  ],
  "REVISION-FAR": [
    "finish_flow takes any revision, with a revision that is older and greater as a text",
    "set_waiting takes any revision, with a revision that is six behind",
    "fail_flow takes any revision, beyond the third revision",
  ],
  "FIELD-VALUES-FINISH-FLOW": ["a change takes what is no number for the current revision, of a flow that is waiting"],
  "REVISION-OTHER": ["a change takes what is no number for the current revision, of a flow that is blocked"],
  "STATES-DATA": ["set_waiting drops the data sent with it, of a flow that is waiting"],
  "REVISION-STALE-NOT-STORED": [
    "finish_flow with a stale revision is persist_failed, of a flow whose latest change could not be stored",
  ],
  "NEVER-METADATA": ["resume_flow shows the session's key as the owner, of a flow that is queued"],
  "NEVER-CONTRADICTS": ["list_flows shows the revision before, always"],
  "NEVER-FOREIGN-FLOWS": ["list_flows shows a flow of another session, with more than 20 flows in the session"],
  "PROPERTY-STATES": [
    "set_waiting accepted and nothing done, of a flow that is waiting",
    "run_task accepted and no task made, of a flow whose cancellation was requested twice",
    "set_waiting refused though right, of a flow whose cancellation was requested, at even revisions",
  ],
  "PROPERTY-REVISIONS": [
    "set_waiting takes any revision, with the revision that its route made last",
    "a change takes what is no number for the current revision, of a flow that had a conflict",
    "a change shows the revision before, of a flow of which a change was rejected",
  ],
  "PROPERTY-RUN-TASK": ["run_task takes the fields of a running task without that status, of a flow with an acp child"],
  "PROPERTY-LEAKAGE": ["a conflict names the session, of a flow that had a conflict"],
  "PROPERTY-NOT-STORED": [
    "a change wants the revision after the current one, of a flow of which two changes could not be stored",
    "cancel_flow waits for a child that is not there, of a flow of which a task could not be stored",
  ],
};

const changeOf = (id: string): Change => {
  const product = products.find((one) => one.id === id);
  if (product === undefined) throw new Error(`there is no product "${id}"`);
  return product.change;
};

export const chosenProducts: readonly Subject[] = Object.entries(chosen).flatMap(([kill, ids]) =>
  failingEach(ids, (id) => [`${kill}: ${id}`, changeOf(id)]),
);
