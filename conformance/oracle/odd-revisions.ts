/** Values for expectedRevision that cannot be a revision, and how a request with one has to be refused. */
import { wrongRevisions } from "../interface/values.ts";
import { changeActions, type Allowed } from "../interface/flow-model.ts";
import { departure, type Departure } from "../harness/finding.ts";
import { isRefusal, printOf, type Response } from "./response.ts";

/** By the names that stories give them; each is made from the flow's revision. */
const oddRevisions: ReadonlyMap<string, (revision: number) => unknown> = new Map([
  ...wrongRevisions.map(({ id, value }) => [id.toLowerCase(), (revision: number): unknown => value(revision)] as const),
  // In 32 bits it is the revision itself.
  ["wrapped", (revision: number): unknown => revision + 2 ** 32] as const,
  ["huge", (): unknown => 1e300] as const,
  ["longer", (revision: number): unknown => revision * 10 + 5] as const,
  ["shorter", (revision: number): unknown => Math.floor(revision / 10)] as const,
]);

/** What a story may say of a revision instead of its number. */
export const oddNames: readonly string[] = [...oddRevisions.keys()];

/** The value of this name for a flow at `revision`; undefined for an unknown name. */
export const oddRevision = (name: string, revision: number): unknown => oddRevisions.get(name)?.(revision);

/** True of a change whose expectedRevision is missing, no number, or a number that no revision can be. */
export function hasOddRevision(action: string, { expectedRevision: sent }: Readonly<Record<string, unknown>>): boolean {
  return (changeActions as readonly string[]).includes(action) && !(Number.isInteger(sent) && (sent as number) >= 0);
}

/** `allowed`: the lawful outcomes if the revision were right. Whether it is looked at before the flow's state is open. */
export function mustRefuseRevision(
  sent: unknown,
  allowed: readonly Allowed[],
  response: Response,
): Departure | undefined {
  if (response.accepted) return departure("REVISION-REQUIRED", "a refusal: that is no revision", printOf(response));
  const isMalformed = typeof sent !== "number" && allowed.every(({ accepted }) => accepted);
  if (isMalformed && (response.status !== 400 || response.code !== "invalid_request"))
    return departure("ERROR-INVALID", "400 invalid_request: that is no revision", printOf(response));
  // Where the flow's state allows no such change, the refusal may be for that, with any status.
  const mayBeItsState = allowed.some(({ accepted }) => !accepted);
  if (isRefusal(response) && (response.status < 500 || mayBeItsState)) return undefined;
  return departure("ERROR-INVALID", "a refusal as the request's fault: that is no revision", printOf(response));
}
