import { Buffer } from "node:buffer";

/**
 * The views of the first records that together have at most so many bytes of JSON, and of one record always. A session
 * may hold records without bound, an answer may not: a client that does not take it makes the plugin hold it.
 */
export function fitting<Item>(records: readonly Item[], view: (record: Item) => object, bytes: number): object[] {
  const shown: object[] = [];
  let left = bytes;
  for (const record of records) {
    const next = view(record);
    left -= Buffer.byteLength(JSON.stringify(next));
    if (left < 0 && shown.length > 0) break;
    shown.push(next);
  }
  return shown;
}
