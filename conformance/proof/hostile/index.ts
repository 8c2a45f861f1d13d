import { content } from "./content.ts";
import { controls } from "./control.ts";
import type { Hostile } from "./hostile.ts";
import { stalls, transport } from "./transport.ts";

export const hostile: readonly Hostile[] = [...stalls, ...transport, ...content, ...controls];
