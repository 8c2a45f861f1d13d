/** The catalogue: every case of the suite, theme by theme. */
import type { Case } from "../case.ts";

export const cases: readonly Case[] = [];
