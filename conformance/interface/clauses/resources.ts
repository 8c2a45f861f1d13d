import { clauses } from "./clause.ts";

/** Section 2: resources, views and the response envelope. */
export const resources = clauses({
  "FLOW-IDENTITY": { section: 2, level: "must", text: "A TaskFlow has a string flowId and an integer revision." },
  "FLOW-GOAL": { section: 2, level: "must", text: "A TaskFlow's goal is the text given at creation." },
  "TASK-VIEW": {
    section: 2,
    level: "must",
    text: "Views of child tasks omit owner and session metadata, the child's session key with it.",
  },
  "ENVELOPE-OK": {
    section: 2,
    level: "must",
    text: "Every response has a boolean `ok`: true on success, false on rejection.",
  },
  "ENVELOPE-ROUTE-ID": {
    section: 2,
    level: "must",
    text: "Every response has `routeId`, the id of the route that handled the request.",
  },
  "ENVELOPE-RESULT": { section: 2, level: "must", text: "Every response has `result`, an object." },
  "ENVELOPE-CODE": { section: 2, level: "must", text: "A rejection has a string `code`." },
  "ENVELOPE-ERROR": { section: 2, level: "must", text: "A rejection has a string `error`, readable for people." },
  "ENVELOPE-TYPE": { section: 2, level: "gap", text: "The envelope is sent as application/json." },
});
