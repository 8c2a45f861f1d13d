/** Sections 3 and 4: simultaneous requests that are merged, or of which one is lost or written late. */
import { writtenLate } from "../../late-writes.ts";
import type { Subject } from "../../subject.ts";

export const simultaneous: readonly Subject[] = writtenLate("states", 100);
