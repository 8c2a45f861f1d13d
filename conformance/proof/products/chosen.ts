/** Products as subjects of the proof: those that some cases have to fail. */
import { idOf, type Subject } from "../subject.ts";
import { products } from "./index.ts";

/** What is broken, when it shows, and a case that sees it. */
export type Chosen = readonly [operator: string, conditions: readonly string[], kill: string];

/** Throws for a product that does not exist. */
export const chosenProducts = (rows: readonly Chosen[]): Subject[] =>
  rows.flatMap(([operator, conditions, kill]) =>
    conditions.map((condition) => {
      const product = products.find((one) => one.operator === operator && one.condition === condition);
      if (product === undefined) throw new Error(`there is no product "${operator}, ${condition}"`);
      const { id, change } = product;
      return { id: idOf(id), bug: `${id}.`, kills: [kill], change };
    }),
  );
