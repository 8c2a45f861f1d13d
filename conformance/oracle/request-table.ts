/** Tables of requests that one check refuses, or none: the factors of request-factors.ts with what may stand beside each other. */
import { companies, servedArrivals, targetForms } from "../harness/arrivals.ts";
import { framings } from "../harness/framings.ts";
import { leftOut } from "../harness/case-errors.ts";
import { mustTakeTwin } from "../harness/checks.ts";
import { mustBeGuarded } from "../harness/flows.ts";
import { createFlow } from "../interface/bodies.ts";
import { isAccepted } from "../http/exchange.ts";
import { askedOnce } from "../harness/asked-once.ts";
import type { Trial } from "../harness/trial.ts";
import {
  BARE,
  checks,
  COLD,
  isRight,
  parts,
  rightValues,
  routes,
  usual,
  valuesOf,
  wrongValues,
  type Check,
  type Part,
} from "./request-factors.ts";
import { IN_BODY, IN_QUERY } from "./other-places.ts";
import { unless, type Factors, type Row, type Table } from "./rows.ts";

/** Kinds of route that only some targets have. */
export const secretSources = ["secret-file", "secret-exec", "secret-store"] as const;

const names = (values: object): string[] => Object.keys(values);

/** Defects for later checks, beside the one that is refused: an obvious one and a subtle one for each check. */
const beside: Partial<Record<Part, readonly string[]>> = {
  "content type": ["text/plain"],
  credential: ["wrong", "none"],
  body: ["no JSON", "no body", "262,145 bytes"],
};

/** The values that a part has where `refusing` is the check that refuses the request; undefined: none does. */
function valuesFor(part: Part, refusing: Check | undefined): string[] {
  const right = names(rightValues[part]);
  if (part === "override") return refusing === "method" ? [...right, ...names(wrongValues.override)] : right;
  if (part === refusing) return names(wrongValues[refusing]);
  const isLater = refusing !== undefined && part !== "action" && checks.indexOf(refusing) < checks.indexOf(part);
  return isLater ? [...right.slice(0, 2), ...(beside[part] ?? [])] : right;
}

/** Excludes values that one request cannot have together, and pairs that prove nothing. */
const allows = unless<Row>(
  ({ route, connection, action }) =>
    route === COLD && (connection === "before a right request" || action === "list_flows"),
  ({ override, credential, target = "the path" }) =>
    (override === "the query names POST" || credential === IN_QUERY) && target !== "the path",
  ({ override, credential, body = "plain" }) =>
    (override === "the body names POST" || credential === IN_BODY) && body !== "plain",
  ({ "content type": type, body = "plain", action = "create_flow", framing = "" }) =>
    type === BARE && (body !== "plain" || action !== "create_flow" || framing.includes("chunk")),
  ({ body, action = "create_flow" }) => body === "the object and another" && action !== "create_flow",
  // GET and HEAD have a body only where POST is said to be meant.
  (row) =>
    (row["method"] === "GET" || row["method"] === "HEAD") &&
    (row["override"] ?? usual.override) !== usual.override &&
    !wouldCreate(row),
  // HTTP/1.0 closes the connection after the answer.
  ({ framing, connection }) => framing === "HTTP/1.0" && connection === "before a right request",
);

/** That such a request is carried out shows where nothing else is wrong, and a flow is created. */
const wouldCreate = (row: Partial<Row>): boolean =>
  (["content type", "credential", "body"] as const).every((part) => isRight(part, row[part] ?? usual[part])) &&
  (row["action"] ?? usual.action) === "create_flow" &&
  row["route"] !== COLD;

export function tableOf(refusing: Check | undefined): Table {
  const isLookedAt = refusing !== undefined && refusing !== "body";
  // What comes before on the connection is a matter of those that are counted and let in; another method meets none of it.
  const isWhole = refusing === undefined || refusing === "credential";
  const kinds = names(routes).filter((kind) => kind !== COLD || isLookedAt);
  const factors: Record<string, string[]> = { route: kinds, framing: names(framings) };
  for (const part of parts) {
    const values = valuesFor(part, refusing);
    if (values.length > 1) factors[part] = values;
  }
  factors["target"] = names(targetForms);
  factors["connection"] = names(companies).filter(
    (company) =>
      isWhole || !company.includes("behind") || (refusing !== "method" && company === "pipelined behind another"),
  );
  return { factors: factors as unknown as Factors, allows };
}

/** The values that this target has: kinds of route that are configured, and ways in which a right request may come. */
export async function configuredValues(trial: Trial): Promise<Readonly<Record<string, readonly string[]>>> {
  await mustBeGuarded(trial, trial.route);
  const isThere = (kind: string): boolean => {
    try {
      return routes[kind as keyof typeof routes](trial) !== undefined;
    } catch (error) {
      return leftOut(error);
    }
  };
  const arrivals = await servedArrivals(trial);
  const takesQuery = arrivals.target.includes("the path with a query");
  return {
    route: names(routes).filter(isThere),
    override: names(valuesOf("override")).filter((value) => takesQuery || value !== "the query names POST"),
    credential: names(valuesOf("credential")).filter((value) => takesQuery || value !== IN_QUERY),
    ...arrivals,
  };
}

/** Kinds of route at which a right request is accepted; asked for once. */
const once = askedOnce<string[]>();

async function acceptedKinds(trial: Trial, kinds: readonly string[]): Promise<string[]> {
  const accepted: string[] = [];
  for (const kind of kinds) {
    const exchange = await trial.post(createFlow(), routes[kind as keyof typeof routes](trial));
    if (isAccepted(exchange) || kind === COLD) accepted.push(kind);
  }
  return accepted;
}

/** The same, without kinds of route at which no right request is accepted: a refusal there proves nothing. */
export async function servedValues(trial: Trial): Promise<Readonly<Record<string, readonly string[]>>> {
  mustTakeTwin(await trial.send(trial.right()));
  const { route = [], ...others } = await configuredValues(trial);
  return { route: await once(trial.server, "kinds", () => acceptedKinds(trial, route)), ...others };
}
