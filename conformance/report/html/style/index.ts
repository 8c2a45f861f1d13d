/** The style of all pages, in the order in which the parts apply. */
import { colours } from "./colours.ts";
import { layout } from "./layout.ts";
import { pictures } from "./pictures.ts";

export const style = [colours, layout, pictures].join("\n");
