/** The picture of a failure beside its story: the checks, or the states of a flow. */
import type { ReportedResult } from "../report.ts";
import { stagesOfCase } from "./stages-picture.ts";
import { statesOfCase } from "./states-picture.ts";

export function pictureOf(result: ReportedResult) {
  return stagesOfCase(result) ?? statesOfCase(result) ?? null;
}
