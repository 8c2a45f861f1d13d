/** Sections 4, 5 and 8: one request in every pair of its parts' values, and the check that has to answer it. */
import type { Case } from "../../harness/case.ts";
import type { Check } from "../../oracle/request-factors.ts";
import { lookForEffects, playRow } from "../../oracle/request-row.ts";
import { configuredValues, secretSources, servedValues, tableOf } from "../../oracle/request-table.ts";
import { rowCase } from "../../oracle/row-case.ts";

const reading =
  "Each row is a request of its own: a kind of route, the parts of the request, and the way in which it arrives. What the " +
  "target does not take in its plainest form is left out: HTTP/1.0, chunks, Expect, a query and the absolute form need not " +
  "be served. Later defects stand beside that of the check, whose answer must not be theirs; afterwards no flow may be " +
  "there that a refused request would have created.";

/** `check`: the one that refuses the requests. */
const tables: readonly (Pick<Case, "id" | "title" | "clauses"> & { readonly check?: Check })[] = [
  {
    id: "REQUEST-RIGHT",
    title: "A valid request is carried out on every kind of route, however it arrives",
    clauses: [
      "SERVICE-ROUTE",
      "PATH-SERVED",
      "CONFIG-PATH-DEFAULT",
      "CONFIG-PLACE",
      "CONFIG-ENABLED",
      "COLD-OTHERS",
      "ENVELOPE-ROUTE-ID",
      "CONTENT-TYPE",
      "AUTH-BEARER",
      "AUTH-PRODUCT-HEADER",
      "SECRET-PLAIN",
      "SECRET-ENV",
      "SECRETREF-FIELDS",
      "BODY-OBJECT",
      "BODY-SIZE",
    ],
  },
  {
    id: "REQUEST-METHOD",
    title: "A method other than POST is refused on every route before anything else is checked",
    clauses: ["METHOD-POST", "ORDER-METHOD-AUTH", "ORDER-METHOD-BODY", "ERROR-ENVELOPE"],
    check: "method",
  },
  {
    id: "REQUEST-CONTENT-TYPE",
    title: "A content type other than JSON is refused on every route before the secret is checked",
    clauses: ["CONTENT-TYPE", "ORDER-METHOD-AUTH", "ORDER-METHOD-BODY", "ERROR-ENVELOPE"],
    check: "content type",
  },
  {
    id: "REQUEST-SECRET",
    title: "A request without the route's secret gets 401 on every route, whatever its body",
    clauses: ["AUTH-REQUIRED", "COLD-ROUTE", "ORDER-AUTH-BODY", "ERROR-ENVELOPE"],
    check: "credential",
  },
  {
    id: "REQUEST-BODY",
    title: "A body that is not a JSON object, or too large, is refused on every route",
    clauses: ["BODY-OBJECT", "BODY-SIZE", "ERROR-INVALID", "ERROR-ENVELOPE"],
    check: "body",
  },
];

export const requestRowCases: readonly Case[] = tables.map(({ check, ...about }) =>
  rowCase({
    ...about,
    requests: 40,
    uses: secretSources,
    reading,
    table: tableOf(check),
    valuesOf: check === undefined ? configuredValues : servedValues,
    play: playRow,
    look: lookForEffects,
  }),
);
