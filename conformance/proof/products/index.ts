/** Broken subjects as products: each way to break something, where each condition holds. */
import type { Change } from "../subject.ts";
import { flowConditions, headConditions, type Condition, type Operator } from "./conditions.ts";
import { flowOperators } from "./flow-operators.ts";
import { pipelineOperators } from "./pipeline-operators.ts";

export interface Product {
  readonly id: string;
  readonly operator: string;
  readonly change: Change;
}

const product = <Met>(operators: readonly Operator<Met>[], conditions: readonly Condition<Met>[]): Product[] =>
  operators.flatMap(({ what, not, when }) =>
    conditions
      .filter((condition) => !not.test(condition.what))
      .map((condition) => ({ id: `${what}, ${condition.what}`, operator: what, change: when(condition) })),
  );

/** Products that the suite may miss, and why. */
const knownMisses: readonly (readonly [products: RegExp, reason: string])[] = [
  [/could not be stored$/, "a case that lets storing fail asks few things afterwards"],
  [/when every flow of the session has ended$/, "few cases end all flows of a session before they read on"],
  [/newer ones in the session$|first flow$/, "few cases change or ask for the oldest of many flows"],
  [/change was rejected$|route made last$|(resumed|requested) twice$/, "only what a property happens to send meets it"],
  [/no state$|key for the child$|of finish_flow$|for fail_flow$/, "few cases go on with such a flow"],
  [/from 127.0.0.1$|counted, later on its connection$/, "few cases send such a request from there, or so"],
  [/no number .* (failed|cancelled)$/, "no row has such a flow and what is no revision at all"],
  [/^the rate-limit .* without its secret$/, "that the limit holds there is a `should`"],
  [/the latest flow, .* two children$/, "the flow of a row with two children is the latest of its session"],
  [
    /ended children as active, .* (queued|cancelled)$/,
    "of a cancelled one that is open; no row reads that of a queued one",
  ],
  [/no active task, with more than 20/, "a target's children may have ended"],
  [/not there, beyond the third/, "that cancel_flow answers 200 without a child is a `should`"],
  [/at even revisions$/, "no row has a flow that was changed once before the request to cancel it"],
];

/** Why the suite may miss a product; undefined where it has to catch it. */
export const knownMiss = (id: string): string | undefined => knownMisses.find(([misses]) => misses.test(id))?.[1];

export const products: readonly Product[] = [
  ...product(pipelineOperators, headConditions),
  ...product(flowOperators, flowConditions),
];
