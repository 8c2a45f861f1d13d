import { safeStrings } from "../foundation/safe-text.ts";
import type { Report } from "./report.ts";

/** The target's stderr is the one text of several lines. */
const severalLines = new Set(["stderrTail"]);

/** The report with nothing in its strings that acts on a terminal, or is shown in another order than it stands in. */
export const safeReport = (report: Report): Report => safeStrings(report, severalLines);
