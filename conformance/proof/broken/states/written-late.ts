/** Section 3: changes and creations that are checked and written later. */
import { writtenLate } from "../../late-writes.ts";
import type { Subject } from "../../subject.ts";

export const writtenLater: readonly Subject[] = writtenLate("states", 100);
