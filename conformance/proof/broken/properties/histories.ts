/** Faults that no single request shows: limits after a history of keys and aborts, and requests that overlap. */
import { setTimeout as sleep } from "node:timers/promises";
import { sharesAnswers } from "../../changes.ts";
import { IN_FLIGHT, WINDOW_MS } from "../../../interface/limits.ts";
import { add, BUDGET, limiting, slotsOf } from "../../limit-books.ts";
import { late, writesLate } from "../../runtime.ts";
import { allFailing, failing, type Subject, type Change } from "../../subject.ts";

const TRACKED_KEYS = 4096;
const pathIn = (key: string) => key.split(" ")[0];

/** Duration of a write and of a read in a slow store, ms. */
const WRITE_MS = 8;
const READ_MS = 60;

/** Answers slowly, and gives the same answer to everyone of the session who asks meanwhile. */
const sharedWhileUnderWay = (action: string): Change =>
  sharesAnswers(
    action,
    ({ fields, context }) => JSON.stringify([context.flows.sessionKey, fields]),
    async ({ right }) => {
      const answer = await right();
      await sleep(READ_MS);
      return answer;
    },
  );

export const histories: readonly Subject[] = [
  ...failing({
    "PROPERTY-RACES: set_waiting checks the revision, awaits the store, and writes whatever the revision is by then":
      writesLate("setWaiting", 1000 * WRITE_MS),
    "PROPERTY-RACES: Who reads a flow while another read of it is under way is given that one's answer, though it was changed since":
      sharedWhileUnderWay("get_flow"),
    "PROPERTY-RACES: Who lists flows while another list is made is given that one, though flows were changed since":
      sharedWhileUnderWay("list_flows"),
    [`REVISION-RACE: set_waiting, and no other change, compares the revision and is written ${late}`]:
      writesLate("setWaiting"),
    [`REVISION-RACE: finish_flow, and no other change, compares the revision and is written ${late}`]:
      writesLate("finish"),
    [`RUN-TASK-BESIDE-CANCEL: run_task looks whether the flow has ended and stores the task ${late}`]:
      writesLate("runTask"),
    "RUN-TASK-AT-ONCE: Tasks that a route adds while another is added are one task": sharesAnswers(
      "run_task",
      ({ context }) => context.route.id,
    ),
  }),
  ...allFailing("LIMITS-4096-KEYS", limiting, {
    "The table of requests in flight keeps every key for ever: after 4,096 clients everybody else is refused": () => ({
      isFull: (key, { slots }) => (slots.get(key) ?? 0) >= IN_FLIGHT || (slots.size >= TRACKED_KEYS && !slots.has(key)),
    }),
    "The table of requests in flight holds 4,096 keys and drops the oldest for a new one, busy or not": () => ({
      isFull: (key, { slots }) => {
        const [oldest] = slots.keys();
        if (slots.size >= TRACKED_KEYS && !slots.has(key) && oldest !== undefined) slots.delete(oldest);
        return (slots.get(key) ?? 0) >= IN_FLIGHT;
      },
    }),
    "Of more than 1,024 windows those whose budget is not used up are forgotten, the oldest first": () => ({
      opens: (key, { windows }) => {
        const [oldest = key] = [...windows].find(([other, { count }]) => other !== key && count < BUDGET) ?? [];
        if (windows.size > 1024 && oldest !== key) windows.delete(oldest);
      },
    }),
    "Windows that are over are never forgotten, and with 4,096 of them a key that is new is not limited": () => ({
      opens: (key, { windows }) => {
        const start = windows.get(key)?.start ?? 0;
        const over = [...windows.values()].filter((other) => other.start + WINDOW_MS <= start);
        if (over.length >= 4096) windows.delete(key);
      },
    }),
  }),
  ...allFailing("PROPERTY-LIMITS", limiting, {
    "A client that opens its window makes those of the path's other clients begin anew": () => ({
      opens: (key, { windows }) => {
        for (const other of windows.keys()) if (other !== key && pathIn(other) === pathIn(key)) windows.delete(other);
      },
    }),
    "Window and slots of a key are kept together, and dropped together when its last request is broken off": () => ({
      read: (outcome, key, books) => {
        if (outcome === "aborted" && slotsOf(books, key) === 0) books.windows.delete(key);
      },
    }),
    "Of bodies that ran out of time only a key's first gives its slot back": () => {
      const before = new Set<string>();
      return {
        read: (outcome, key, books) => {
          if (outcome === "timeout" && before.has(key)) add(books, key, 1);
          if (outcome === "timeout") before.add(key);
        },
      };
    },
  }),
];
