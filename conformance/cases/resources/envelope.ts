/** Section 2: the response envelope, on success and on each kind of rejection. */
import { change, createFlow, smallest } from "../../../fixtures/bodies.ts";
import { refusalIds, refusals, spoilt } from "../../../fixtures/broken-requests.ts";
import { actionNames } from "../../../fixtures/fields.ts";
import { withBody, withHeader, withMethod } from "../../../fixtures/request.ts";
import { describe, envelopeOf, isAccepted, type Exchange } from "../../http/exchange.ts";
import { NotApplicable, Unreached } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { check, flowOf, mustRefuse, setUp } from "../../harness/checks.ts";
import { flowAfter, waitingFlow } from "../../harness/flows.ts";
import { demands, provoke } from "../../harness/refusals.ts";
import { startedTask } from "../../harness/tasks.ts";
import type { Trial } from "../../harness/trial.ts";

/** Checks the fields that every answer has. */
function checkCommon(trial: Trial, exchange: Exchange, ok: boolean): void {
  const envelope = envelopeOf(exchange);
  check(envelope !== undefined, "the envelope", describe(exchange), exchange);
  check(envelope?.ok === ok, `ok: ${ok}`, describe(exchange), exchange);
  const asked = trial.routeAt(exchange.request.path)?.id;
  check(envelope?.routeId === asked, "routeId: the route's id", kindOf(envelope?.routeId), exchange);
  const { result } = envelope ?? {};
  const isObject = typeof result === "object" && result !== null && !Array.isArray(result);
  check(isObject, "result: an object", kindOf(result), exchange);
}

/** Checks the whole envelope of a rejection. */
function checkRejection(trial: Trial, exchange: Exchange): void {
  checkCommon(trial, exchange, false);
  const envelope = envelopeOf(exchange);
  check(isText(envelope?.code), "code: a text", kindOf(envelope?.code), exchange);
  check(isText(envelope?.error), "error: a text", kindOf(envelope?.error), exchange);
}

/** A success by its status alone: the envelope is what the case judges. */
function succeeded(exchange: Exchange): Exchange {
  const status = exchange.answer?.status ?? 0;
  if (status >= 200 && status < 300) return exchange;
  throw new Unreached(`a valid request had no success: ${describe(exchange)}`, [exchange]);
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}

function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "string" && value.trim() === "" ? "an empty text" : `another ${typeof value}`;
}

/** A way to be rejected. */
export interface Rejection {
  readonly id: string;
  readonly what: string;
  readonly more?: Partial<Case>;
  /** Brings the rejection about, in each of its forms; the valid request has been accepted before. */
  provoke(trial: Trial): Promise<Exchange | readonly Exchange[]>;
}

const rejections: readonly Rejection[] = [
  ...refusalIds.map((id): Rejection => ({
    id,
    what: refusals[id].what,
    ...(id in demands && { more: demands[id] }),
    provoke: (trial) => provoke(trial, id),
  })),
  {
    id: "INVALID",
    what: "a field that is missing",
    provoke: (trial) => trial.post({ action: "finish_flow", flowId: "absent" }),
  },
  {
    id: "NOT-FOUND",
    what: "an absent flow",
    provoke: (trial) => trial.post({ action: "finish_flow", flowId: "absent", expectedRevision: 0 }),
  },
  {
    id: "CONFLICT",
    what: "a stale revision",
    async provoke(trial) {
      const { flowId, revision } = await trial.flow();
      const change = { action: "set_waiting", flowId, expectedRevision: revision };
      setUp(await trial.post(change), "set_waiting");
      return trial.post(change);
    },
  },
];

/** The parts of an answer that must not depend on the Accept header. */
function shapeOf(exchange: Exchange): string {
  const { ok, routeId, code, error, result } = envelopeOf(exchange) ?? {};
  return JSON.stringify({ ok, routeId, code, error: isText(error), result: kindOf(result) });
}

const NOT_ACCEPTABLE = 406;

/** The rejected ones; other cases check which requests must be rejected. */
export function rejected(exchanges: readonly Exchange[]): Exchange[] {
  const found = exchanges.filter((exchange) => !isAccepted(exchange));
  if (found.length === 0) throw new NotApplicable("the target rejects none of these requests");
  return found;
}

/** The case that checks that such a rejection carries the whole envelope. */
export const rejectionCase = ({ id, what, more, provoke }: Rejection): Case => ({
  id: `ENVELOPE-ON-${id}`,
  title: `A rejection for ${what} carries the whole envelope`,
  clauses: ["ERROR-ENVELOPE", "ENVELOPE-OK", "ENVELOPE-ROUTE-ID", "ENVELOPE-RESULT", "ENVELOPE-CODE", "ENVELOPE-ERROR"],
  level: "must",
  requests: 12,
  ...more,
  async run(trial) {
    setUp(await trial.send(trial.right()), "the valid request");
    for (const exchange of [await provoke(trial)].flat()) {
      if (isAccepted(exchange))
        throw new Unreached("the request was not rejected, so there is no rejection to look at", [exchange]);
      checkRejection(trial, exchange);
    }
  },
});

export const envelopeCases: readonly Case[] = [
  ...rejections.map(rejectionCase),
  {
    id: "ENVELOPE-ON-SUCCESS",
    title: "A success carries ok, routeId and result",
    clauses: ["ENVELOPE-OK", "ENVELOPE-ROUTE-ID", "ENVELOPE-RESULT"],
    level: "must",
    requests: 12,
    async run(trial) {
      const created = succeeded(await trial.send(trial.right()));
      checkCommon(trial, created, true);
      const { flowId, revision } = flowOf(created);
      checkCommon(trial, succeeded(await trial.post(change("set_waiting", { flowId, revision }))), true);
      checkCommon(trial, succeeded((await startedTask(trial, flowId, { runtime: "acp" })).exchange), true);
    },
  },
  {
    id: "ENVELOPE-EVERY-ACTION",
    title: "Each of the 13 actions is answered with the whole envelope, whatever comes of it",
    clauses: ["ENVELOPE-OK", "ENVELOPE-ROUTE-ID", "ENVELOPE-RESULT", "ENVELOPE-CODE", "ENVELOPE-ERROR"],
    level: "must",
    requests: 40,
    reading: "Each action has a flow of its own that waits and has a child, so that cancel_flow is pending.",
    async run(trial) {
      for (const action of actionNames) {
        const flow = await waitingFlow(trial);
        const current = await flowAfter(trial, (await startedTask(trial, flow.flowId)).exchange, flow.flowId);
        const exchange = await trial.post(smallest(action, current, trial.profile.fields));
        if (envelopeOf(exchange)?.ok === true) checkCommon(trial, exchange, true);
        else checkRejection(trial, exchange);
      }
    },
  },
  {
    id: "ENVELOPE-ON-HTML-WANTED",
    title: "Every answer is the same envelope also with Accept: text/html",
    clauses: ["ERROR-ENVELOPE", "ENVELOPE-OK", "ENVELOPE-ROUTE-ID", "ENVELOPE-CODE", "ENVELOPE-ERROR"],
    level: "must",
    requests: 10,
    reading:
      "The envelope is the answer to every request. RFC 9110, 15.5.7: a server may refuse with 406 what it cannot give " +
      "in a form that the caller accepts. What a rejection without that header lacks is not counted here.",
    async run(trial) {
      setUp(await trial.send(trial.right()), "the valid request");
      const page = await trial.send(withHeader(trial.right(), "accept", "text/html"));
      const { status } = page.answer ?? {};
      check(status === NOT_ACCEPTABLE || isAccepted(page), "the envelope with ok: true", describe(page), page);
      let seen = 0;
      for (const id of ["METHOD", "CONTENT-TYPE", "AUTH", "BAD-JSON"] as const) {
        const request = spoilt(trial.right(), id);
        const plain = await trial.send(request);
        if (isAccepted(plain) || envelopeOf(plain) === undefined) continue;
        seen += 1;
        const wanted = await trial.send(withHeader(request, "accept", "text/html"));
        if (wanted.answer?.status === NOT_ACCEPTABLE) continue;
        const expected = `the envelope of ${describe(plain)}, also with Accept: text/html`;
        const same = wanted.answer?.status === plain.answer?.status && shapeOf(wanted) === shapeOf(plain);
        check(same, expected, `${describe(wanted)}, or another envelope`, wanted, plain);
      }
      if (seen === 0) throw new NotApplicable("no rejection had an envelope, so there is none to compare");
    },
  },
  {
    id: "ENVELOPE-ON-COLD",
    title: "The 401 of a route whose secret could not be resolved carries the whole envelope",
    clauses: ["ERROR-ENVELOPE", "COLD-ROUTE", "ENVELOPE-OK", "ENVELOPE-ROUTE-ID", "ENVELOPE-RESULT"],
    level: "must",
    requests: 2,
    async run(trial) {
      setUp(await trial.send(trial.right()), "the valid request");
      const cold = trial.special("cold");
      checkRejection(trial, mustRefuse(await trial.post(createFlow(), cold), { status: 401 }));
    },
  },
  {
    id: "ENVELOPE-SIBLING-ROUTE-ID",
    title: "routeId names the route that handled the request, not another of the same session",
    clauses: ["ENVELOPE-ROUTE-ID"],
    level: "must",
    requests: 2,
    async run(trial) {
      const exchange = setUp(await trial.post(createFlow(), trial.sibling), "create_flow");
      const { routeId } = envelopeOf(exchange) ?? {};
      check(routeId === trial.sibling.id, "routeId: the id of the route asked", kindOf(routeId), exchange);
    },
  },
  {
    id: "ENVELOPE-JSON-TYPE",
    title: "Answers are sent with the profile's media type",
    clauses: ["ENVELOPE-TYPE"],
    level: "gap",
    gaps: ["envelope.content-type"],
    requests: 4,
    async run(trial) {
      const accepted = setUp(await trial.send(trial.right()), "the valid request");
      const refused = await trial.send(spoilt(trial.right(), "AUTH"));
      for (const exchange of [accepted, refused]) {
        const [type = "none"] = exchange.answer?.headers.get("content-type") ?? [];
        const media = type.split(";")[0]?.trim().toLowerCase();
        check(
          media === trial.gap("envelope.content-type"),
          trial.gap("envelope.content-type"),
          "another type",
          exchange,
        );
      }
    },
  },
  {
    id: "ENVELOPE-HEAD-EMPTY",
    title: "HEAD gets no body",
    clauses: ["METHOD-POST"],
    level: "must",
    requests: 2,
    reading: "RFC 9110, 9.3.2: a server must not send content in the answer to HEAD.",
    async run(trial) {
      setUp(await trial.send(trial.right()), "the valid request");
      const request = withMethod(withBody(trial.right(), ""), "HEAD");
      const { head, bodyBytes } = await trial.raw(request);
      check(head.startsWith("HTTP/1."), "an answer to HEAD", "none");
      check(bodyBytes === 0, "an answer without a body", "a body behind the headers");
    },
  },
];
