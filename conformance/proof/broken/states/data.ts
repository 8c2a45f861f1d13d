/** Sections 3 and 4: data stored or shown otherwise than they were given, and what a plugin notes beside its runtime's record. */
import { accept } from "../../../../plugin/answer.ts";
import type { JsonObject } from "../../../../plugin/json.ts";
import type { FlowRecord, Json, SetWaitingInput } from "../../../../plugin/ports.ts";
import { keepsAnswers, repeatsField, withCall, withNotes, withParsing } from "../../changes.ts";
import { allFailing, failing, type Change, type Subject } from "../../subject.ts";

/** set_waiting stores something else; `before`: the flow as it is. */
const setsWaiting = (change: (input: SetWaitingInput, before: Partial<FlowRecord>) => SetWaitingInput): Change =>
  withCall("setWaiting", async (input, flows) =>
    flows.setWaiting(change(input, (await flows.get(input.flowId)) ?? {})),
  );

/** State data of set_waiting is stored otherwise. */
const storesData = (change: (data: Json) => Json | undefined): Change =>
  setsWaiting(({ stateJson, ...input }) => {
    const stored = stateJson === undefined ? undefined : change(stateJson);
    return stored === undefined ? input : { ...input, stateJson: stored };
  });

/** Each number in the body is read otherwise, as it is written. */
const readsNumbers = (change: (digits: string) => string): Change =>
  withParsing((text, right) =>
    right(text.replaceAll(/(?<=[[,:])-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?(?=[\],}])/g, (digits) => change(digits))),
  );

/** Data as code leaves it that looks at each member by its name; undefined takes a member out. */
const byMember =
  (change: (name: string, value: unknown) => unknown) =>
  (data: Json): Json =>
    JSON.parse(JSON.stringify(data), (name, value: unknown) => change(name, value)) as Json;

const capital = (_all: string, letter: string): string => letter.toUpperCase();

export const data: readonly Subject[] = [
  ...failing({
    "STATES-DATA: What list_flows leaves out of a flow is left out by get_flow as well from then on": withNotes(
      ["list_flows", "get_flow"],
      async ({ name, fields: { flowId }, context: { flows }, right }, listed) => {
        const answer = await right();
        if (name === "list_flows") for (const flow of await flows.list()) listed.set(flow.flowId, true);
        if (!listed.has(flowId)) return answer;
        const { stateJson: _state, waitJson: _wait, ...flow } = (answer.result as { flow: JsonObject }).flow;
        return accept({ flow });
      },
    ),
    "STATES-CANCEL-CHILDREN: get_flow shows what it has shown before, until a request changes a flow":
      keepsAnswers("get_flow"),
    "STATES-DATA: set_waiting without wait data stores that of the set_waiting before, of whatever flow": repeatsField(
      "set_waiting",
      "waitJson",
    ),
    "STATES-DATA: get_flow shows of a waiting flow the state that set_waiting was given last, of whatever flow":
      withNotes(["set_waiting", "get_flow"], async ({ name, fields, right }, last) => {
        if (name === "set_waiting") last.set("stateJson", fields["stateJson"]);
        const answer = await right();
        const { flow } = answer.result as { flow?: FlowRecord | null };
        const isMeant = name === "get_flow" && flow?.status === "waiting" && flow.stateJson !== undefined;
        return isMeant ? accept({ flow: { ...flow, ...Object.fromEntries(last) } }) : answer;
      }),
    "STATES-SET-BLOCKED: A flow that is blocked with wait data keeps the state data that it had before": setsWaiting(
      ({ stateJson, ...input }) => {
        const kept = input.blockedSummary && input.waitJson !== undefined;
        return kept || stateJson === undefined ? input : { ...input, stateJson };
      },
    ),
  }),
  ...allFailing("STATES-DATA", setsWaiting, {
    "Where both are given the wait data is stored as the state, too": (input) =>
      input.waitJson && input.stateJson !== undefined ? { ...input, stateJson: input.waitJson } : input,
    "Wait data are stored only where a state comes with them": ({ waitJson, ...input }) =>
      waitJson === undefined || input.stateJson === undefined ? input : { ...input, waitJson },
    "set_waiting keeps the wait data that a flow has": (input, { waitJson }) => ({
      ...input,
      ...(waitJson && { waitJson }),
    }),
    "Wait data that is falsy does not replace what a flow has": (input, { waitJson }) =>
      input.waitJson || waitJson === undefined ? input : { ...input, waitJson },
  }),
  ...allFailing("BODY-JSON-GRAMMAR, STATES-DATA", readsNumbers, {
    "Numbers of 20 digits and more are read as texts": (digits) => (/^\d{20,}$/.test(digits) ? `"${digits}"` : digits),
    "Fractions are read with 14 digits": (digits) =>
      /\.\d+$/.test(digits) ? String(Number(Number(digits).toPrecision(14))) : digits,
    "Numbers below a millionth are read as zero": (digits) => (Math.abs(Number(digits)) < 1e-6 ? "0" : digits),
    "Whole numbers of 16 to 19 digits are read in 32 bits": (digits) =>
      /^-?\d{16,19}$/.test(digits) ? String(Number(digits) | 0) : digits,
  }),
  ...allFailing("BODY-JSON-GRAMMAR", readsNumbers, {
    "A number beyond all doubles is read as zero": (digits) => (Number.isFinite(Number(digits)) ? digits : "0"),
  }),
  ...allFailing("BODY-JSON-GRAMMAR", storesData, {
    "Members of the state data that are named as members of every object are lost": byMember((name, value) =>
      name in {} ? undefined : value,
    ),
    "Members of the state data whose names begin with a dollar sign are lost": byMember((name, value) =>
      name.startsWith("$") ? undefined : value,
    ),
  }),
  ...allFailing("STATES-DATA", storesData, {
    "The names in the state that set_waiting is given are turned into camel case": (data) =>
      JSON.parse(JSON.stringify(data).replace(/_([a-z])(?=\w*":)/g, capital)) as Json,
    "Lists in the state data are stored up to their 1,000th item": byMember((_name, value) =>
      Array.isArray(value) ? (value.slice(0, 1000) as unknown[]) : value,
    ),
    "Members of an object within the state data that are null are not stored": byMember((name, value) =>
      name !== "" && typeof value === "object" && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null))
        : value,
    ),
    "State data that is falsy is not stored": (data) => data || undefined,
    "State data that is an empty list is stored as its text": (data) => (JSON.stringify(data) === "[]" ? "[]" : data),
    "State data that is a list is stored as a set": (data) => (Array.isArray(data) ? [...new Set(data)] : data),
    "State data that is a word of JSON is stored as its value": (data) => (data === "true" ? true : data),
    "State data of digits is stored as a number": (data) => (data === "17" ? 17 : data),
    "State data that is a text is cut at 4,096 characters": (data) =>
      typeof data === "string" ? data.slice(0, 4096) : data,
  }),
];
