/** Broken subjects as products: each way to break something, where each condition holds. */
import type { Change } from "../subject.ts";
import { flowConditions, headConditions } from "./conditions.ts";
import { flowOperators } from "./flow-operators.ts";
import { readOperators } from "./read-operators.ts";
import { pipelineOperators } from "./pipeline-operators.ts";

export interface Product {
  readonly id: string;
  readonly operator: string;
  readonly condition: string;
  readonly change: Change;
}

const product = <Condition extends { readonly what: string }>(
  operators: readonly { readonly what: string; readonly not?: RegExp; when(condition: Condition): Change }[],
  conditions: readonly Condition[],
): Product[] =>
  operators.flatMap(({ what, not, when }) =>
    conditions
      .filter((condition) => not?.test(condition.what) !== true)
      .map((condition) => ({
        id: `${what}, ${condition.what}`,
        operator: what,
        condition: condition.what,
        change: when(condition),
      })),
  );

/** Products that no case fails, and why that is so. */
export const knownMisses: Readonly<Record<string, string>> = {};

export const products: readonly Product[] = [
  ...product(pipelineOperators, headConditions),
  ...product([...flowOperators, ...readOperators], flowConditions),
];
