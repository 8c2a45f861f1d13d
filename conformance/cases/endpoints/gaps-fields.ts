/**
 * Section 4: what a profile says of malformed requests. Each field of each action is spoiled in each way that its kind can
 * be, made from the table of fields; beside that, what no field is, and words that no field takes.
 */
import { createFlow, smallest } from "../../interface/bodies.ts";
import { unknownActions } from "../../interface/broken-requests.ts";
import { fieldName } from "../../../fixtures/catalogue/maker.ts";
import { actionNames, actions, type ActionName, type Field } from "../../interface/fields.ts";
import { defectsOf, idOf, wrongRevisions, type FieldDefect } from "../../interface/values.ts";
import type { Case } from "../../harness/case.ts";
import { invalid, spoiltRows, type CodeGap, type Spoilt, type SpoiltRequest } from "../../oracle/spoilt-rows.ts";

/** A defect, and the value that is sent for it at the flow's revision. */
type FieldSpoilt = FieldDefect & { readonly spoil: (revision: number) => unknown; readonly in: Field };

/** Each way to spoil one field. What no revision is depends on the flow's, and is the profile's only of cancel_flow. */
function spoiltOf(action: ActionName, name: string, field: Field): FieldSpoilt[] {
  const of = { field: name, in: field };
  if (field.kind !== "revision")
    return defectsOf(action, name, field).map((defect) => ({ ...defect, ...of, spoil: () => defect.value }));
  return wrongRevisions
    .filter(({ malformed }) => malformed && actions[action].effect !== "changes")
    .map(({ id, what, value }) => ({ ...of, id, what: `${what} for ${name}`, outcome: "wrong-type", spoil: value }));
}

const gapsRead = ["validation.missing-field", "validation.wrong-type", "validation.blank-text"] as const;

/** The request with a defect, to be refused with the profile's code; with any where none is bound to it. */
function requestOf({ fields, right, flow }: SpoiltRequest, action: ActionName, defect: FieldSpoilt): Spoilt {
  const {
    field,
    outcome,
    what,
    in: { onlyWith },
  } = defect;
  const gap = gapsRead.find((one) => one === `validation.${outcome}`);
  const as = gap === undefined ? (outcome === "invalid" ? invalid : {}) : { gap };
  const sent = fieldName(action, field, { fields });
  // What stands beside a spoiled field, so that it is the only defect.
  const beside = onlyWith === undefined ? {} : { [onlyWith[0]]: onlyWith[1] };
  const body = { ...right, ...beside, [sent]: defect.spoil(flow.revision) };
  return { factor: field, value: what.replace(` for ${field}`, ""), body, as };
}

const fieldReading = "One field is spoiled at a time; nothing is changed by any of these requests.";

const fieldCases = actionNames.flatMap((action) => {
  const fields = Object.entries<Field>(actions[action].fields);
  if (fields.length === 0) return [];
  const defects = fields.flatMap(([name, field]) => spoiltOf(action, name, field));
  return spoiltRows({
    id: `GAP-FIELDS-${idOf(action)}`,
    title: `${action} with a field missing, blank or of another type gets the profile's code`,
    clauses: ["VALIDATION"],
    gaps: gapsRead,
    requests: defects.length + 12,
    reading: fieldReading,
    action,
    spoilt: (subject) => defects.map((defect) => requestOf(subject, action, defect)),
  });
});

/** What neighbours of the interface call states and policies, and other spellings of those that it names. */
const otherStatuses = ["conformance", "finished", "done", "succeeded", "cancelled", "paused", "Queued", "QUEUED"];
const otherPolicies = ["conformance", "done-only", "doneOnly", "DONE_ONLY", "none"];
const otherTaskStatuses = ["conformance", "done", "paused", "RUNNING", "running "];

interface Malformed {
  readonly id: string;
  readonly title: string;
  readonly gap: CodeGap;
  /** What is malformed in each, where it stands, and the body. */
  readonly bodies: (subject: SpoiltRequest) => readonly (readonly [value: string, factor: string, body: object])[];
}

const malformed: readonly Malformed[] = [
  {
    id: "UNKNOWN-ACTION",
    title: "whose action is unknown, missing or no text",
    gap: "validation.unknown-action",
    bodies: () =>
      [
        ...unknownActions.map((action) => ({ ...createFlow(), action })),
        {},
        { goal: "no action" },
        { action: null },
        { action: 1 },
        { action: ["create_flow"], goal: "list" },
      ].map((body) => [JSON.stringify(body), "body", body]),
  },
  {
    id: "UNKNOWN-FIELD",
    title: "with a field that its action does not have",
    gap: "validation.unknown-field",
    bodies: ({ flow, right }) =>
      actionNames.map((action) => [
        "another field",
        action,
        { ...(action === "run_task" ? right : smallest(action, flow)), conformance: true },
      ]),
  },
  {
    id: "OTHER-VALUE",
    title: "with an unknown status or notifyPolicy",
    gap: "validation.wrong-type",
    bodies: ({ right }) => [
      ...otherStatuses.map((status) => [status, "create_flow status", createFlow("valued", { status })] as const),
      ...otherPolicies.map(
        (notifyPolicy) => [notifyPolicy, "create_flow notifyPolicy", createFlow("valued", { notifyPolicy })] as const,
      ),
      ...otherTaskStatuses.map((status) => [status, "run_task status", { ...right, status }] as const),
    ],
  },
];

const malformedCases = malformed.map(({ id, title, gap, bodies }) =>
  spoiltRows({
    id: `GAP-${id}`,
    title: `A request ${title} gets the profile's code`,
    clauses: ["VALIDATION"],
    gaps: [gap],
    requests: 34,
    reading: fieldReading,
    action: "run_task",
    spoilt: (subject) =>
      bodies(subject).map(([value, factor, body]) => ({ factor, value, body: { ...body }, as: { gap } })),
  }),
);

export const gapFieldCases: readonly Case[] = [...fieldCases, ...malformedCases];
