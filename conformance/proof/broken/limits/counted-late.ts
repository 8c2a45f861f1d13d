/** Section 8: limits that look at a count and raise it later. */
import { writtenLate } from "../../late-writes.ts";
import type { Subject } from "../../subject.ts";

export const countedLate: readonly Subject[] = [100, 1000].flatMap((us) => writtenLate("limits", us));
