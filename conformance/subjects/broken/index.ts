import type { Subject } from "../subject.ts";

export const broken: readonly Subject[] = [];
