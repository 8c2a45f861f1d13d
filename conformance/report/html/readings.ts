/** How a case read its clause; what `explain` prints. */
import { cases } from "../../catalogue.ts";

const readings = new Map(cases.flatMap(({ id, reading }) => (reading === undefined ? [] : [[id, reading] as const])));

export const readingOf = (id: string): string | undefined => readings.get(id);
