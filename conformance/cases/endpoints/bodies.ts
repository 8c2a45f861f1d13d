/** Sections 4 and 8: malformed and unusual bodies, and bodies that are not what they are announced as. */
import { randomUUID } from "node:crypto";
import { change, createFlow, getFlow } from "../../interface/bodies.ts";
import { bodyWith } from "../../interface/near-values.ts";
import { paddedTo, withBody, withPath } from "../../interface/request.ts";
import { describe, envelopeOf, isAccepted, isTooDeep, textOf } from "../../http/exchange.ts";
import type { Case } from "../../harness/case.ts";
import { check, flowOf, mustAccept, mustRefuse, mustTakeTwin } from "../../harness/checks.ts";
import { mustBeGuarded, mustHelp, mustNotBeCreated, mustShow } from "../../harness/flows.ts";
import { owing } from "../../harness/slow-body.ts";

/** How long a target may think about a request that will never be whole before the connection is broken off, ms. */
const CUT_SHORT_MS = 500;
/** Well within the size limit, and deeper than a recursive reader gets. */
const DEPTH = 100_000;
const deep = `${"[".repeat(DEPTH)}${"]".repeat(DEPTH)}`;

/** JSON leaves open what a reader makes of these. */
const odd: Readonly<Record<string, string>> = {
  "a byte order mark before the object": `\ufeff${JSON.stringify(createFlow("marked"))}`,
  "half of a pair of surrogates": '{"action":"create_flow","goal":"half \\ud83d of one"}',
  "a NUL character": '{"action":"create_flow","goal":"nul \\u0000 inside"}',
  "a goal nested 100,000 deep": `{"action":"create_flow","goal":${deep}}`,
  "an unknown field nested 100,000 deep": `{"action":"create_flow","goal":"deep","conformance":${deep}}`,
};

export const bodyCases: readonly Case[] = [
  {
    id: "BODY-ODD-JSON",
    title: "Unusual JSON is carried out or refused with the envelope; the next request is served",
    clauses: ["BODY-OBJECT", "ENVELOPE-OK", "ACTION-LIST-FLOWS"],
    requests: 16,
    reading: "Whether the target accepts it is open, but every response must be the envelope.",
    async run(trial) {
      mustTakeTwin(await trial.send(trial.right()));
      const list = () => trial.post({ action: "list_flows" });
      const isListing = isAccepted(await list());
      await trial.each(Object.entries(odd), async ([what, body]) => {
        const exchange = await trial.send(withBody(trial.right(), body));
        const answered = typeof envelopeOf(exchange)?.ok === "boolean";
        check(answered, `the envelope as the answer to ${what}`, describe(exchange), exchange);
      });
      mustAccept(await trial.send(trial.right()), "the next request accepted");
      // A target may store the body and then fail to write it out again.
      if (isListing) mustAccept(await list(), "list_flows accepted as before");
      await mustBeGuarded(trial, trial.route);
    },
  },
  {
    id: "BODY-DEEP-STATE",
    title: "A flow stays readable after deeply nested state or an overflowing number, accepted or not",
    clauses: ["ACTION-GET-FLOW", "BODY-OBJECT"],
    requests: 16,
    reading: "A target that stores data which it cannot serialize loses the flow and every list that contains it.",
    async run(trial) {
      const { stateData } = trial.profile.fields;
      await mustBeGuarded(trial, trial.route);
      await trial.each(["1e400", deep], async (state) => {
        const flow = await trial.flow();
        const read = () => trial.post(getFlow(flow.flowId, trial.profile.fields));
        mustHelp(await read(), "get_flow");
        const body = bodyWith(change("set_waiting", flow), stateData, state);
        const exchange = await trial.send(withBody(trial.right(), body));
        check(exchange.answer !== undefined, "an answer", describe(exchange), exchange);
        const after = await read();
        // Too deeply for the kit to read it.
        const isDeep = after.answer !== undefined && after.answer.status < 300 && isTooDeep(after.answer);
        check(isAccepted(after) || isDeep, "get_flow accepted afterwards", describe(after), after);
        const revision = /"revision"\s*:\s*(\d+)/.exec(after.answer ? textOf(after.answer) : "")?.[1];
        // Other cases read lists with this flow.
        if (isDeep && revision !== undefined)
          await trial.post(change("set_waiting", { ...flow, revision: Number(revision) }, { [stateData]: 0 }));
      });
    },
  },
  {
    id: "BODY-INVALID-UTF-8",
    title: "A body that is not UTF-8 gets 400 invalid_request",
    clauses: ["BODY-OBJECT", "ERROR-INVALID"],
    level: "should",
    requests: 16,
    reading:
      "RFC 8259, 8.1: JSON between systems is UTF-8. A reader that replaces invalid bytes stores another text than was sent, and one that guesses takes what others refuse.",
    async run(trial) {
      mustTakeTwin(await trial.send(trial.right()));
      const bytes = trial.right(createFlow("not ? text")).body.map((byte) => (byte === 0x3f ? 0xff : byte));
      mustRefuse(await trial.send(withBody(trial.right(), bytes)), { status: 400, code: "invalid_request" });
      const utf16 = Buffer.from(JSON.stringify(createFlow()), "utf16le");
      mustRefuse(await trial.send(withBody(trial.right(), utf16)), { status: 400, code: "invalid_request" });
    },
  },
  {
    id: "BODY-QUERY-NO-FIELDS",
    title: "Parameters in the URL's query are not fields of the request",
    clauses: ["BODY-OBJECT"],
    requests: 16,
    reading: "The body holds the action and its fields. A target that does not serve the path with a query passes.",
    async run(trial) {
      const goal = `named by the query ${randomUUID()}`;
      const list = trial.right({ action: "list_flows" });
      const query = new URLSearchParams({ action: "create_flow", goal });
      await trial.send(withPath(list, `${list.path}?${query.toString()}`));
      await mustNotBeCreated(trial, { "named by the query alone": goal });
    },
  },
  {
    id: "BODY-CUT-SHORT",
    title: "A request whose body ends before its announced length is not carried out",
    clauses: ["BODY-OBJECT"],
    requests: 16,
    reading: "RFC 9112, 8: such a request is incomplete, even where what came is whole JSON.",
    async run(trial) {
      const cut = `cut short ${randomUUID()}`;
      const right = trial.right(createFlow(cut));
      const announced = paddedTo(right, right.body.byteLength + 10);
      const connection = trial.connection(1);
      connection.write(trial.wire(announced).subarray(0, -10));
      connection.end();
      await connection.closedWithin(CUT_SHORT_MS);
      await mustNotBeCreated(trial, { "cut short": cut });
    },
  },
  {
    id: "BODY-SPLIT-CHARACTER",
    title: "A character whose bytes arrive in two pieces is read as one character",
    clauses: ["BODY-OBJECT", "FLOW-GOAL"],
    requests: 16,
    reading:
      "A reader that decodes each piece separately spoils the character that is split between them, or refuses it.",
    async run(trial) {
      const goal = `${randomUUID()} \u6f22\u5b57`;
      const request = trial.right(createFlow(goal));
      const place = Buffer.from(request.body).indexOf("\u6f22");
      const splitAt = async (bytes: number) => trial.finish((await owing(trial, request, bytes)).upload);
      mustTakeTwin(await splitAt(place));
      // One byte of the three, in a packet of its own.
      const exchange = mustAccept(await splitAt(place + 1));
      await mustShow(trial, exchange, flowOf(exchange).flowId, "goal", goal);
    },
  },
];
