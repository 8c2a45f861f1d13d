/** The style of all pages, in the order in which the parts apply. */
import { colours } from "./colours.ts";
import { layout } from "./layout.ts";
import { stories } from "./stories.ts";

export const style = [colours, layout, stories].join("\n");
