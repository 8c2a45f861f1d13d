/** Faults that take two things: an action in one state, a child of one kind, a read after one change. */
import { reject } from "../../../../plugin/answer.ts";
import type { Json } from "../../../../plugin/ports.ts";
import { asText, withFlows, withStage } from "../../changes.ts";
import { failing, type Change, type Subject } from "../../subject.ts";

/** Data of set_waiting is stored otherwise. */
const storesData = (change: (data: Json) => Json | undefined): Change =>
  withFlows((flows) => ({
    setWaiting: ({ stateJson, ...input }) => {
      const stored = stateJson === undefined ? undefined : change(stateJson);
      return flows.setWaiting(stored === undefined ? input : { ...input, stateJson: stored });
    },
  }));

const capital = (_all: string, letter: string): string => letter.toUpperCase();

export const pairs: readonly Subject[] = [
  ...failing("STATES-DATA", storesData, {
    "The names in the state that set_waiting is given are turned into camel case": (data) =>
      JSON.parse(JSON.stringify(data).replace(/_([a-z])(?=\w*":)/g, capital)) as Json,
    "State data that is falsy is not stored": (data) => data || undefined,
    "State data that is a text is cut at 4,096 characters": (data) =>
      typeof data === "string" ? data.slice(0, 4096) : data,
  }),
  ...failing("RUN-TASK-WRONG", {
    "run_task in an ended flow is refused for its state before its fields are looked at": withStage(
      "action",
      async ({ body = {}, context }, right) => {
        const flow = body["action"] === "run_task" ? await context.flows.get(asText(body["flowId"])) : undefined;
        return flow?.endedAt === undefined ? right() : reject("terminal");
      },
    ),
  }),
];
