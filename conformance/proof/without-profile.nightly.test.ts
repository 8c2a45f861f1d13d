/** Rules that need no profile: under one that binds gaps another rule would find these subjects as well. */
import { expect, test } from "vitest";
import { cases } from "../catalogue.ts";
import { broken } from "./broken/index.ts";
import { judgeSubject } from "./judge-subject.ts";
import { subjectId } from "./subject.ts";

const only = (id: string) => cases.filter((item) => item.id === id);

test.each([
  ["STATES-REQUEST-CANCEL", "request_cancel accepted and nothing done, of a flow that is waiting"],
  ["NOT-STORED-REFUSED", "create_flow that cannot be stored is accepted"],
])("%s finds by the interface alone: %s", async (id, bug) => {
  const subject = broken.find((one) => one.id === subjectId(bug)) ?? expect.fail("there is no such subject");
  const { results } = await judgeSubject(subject.id, subject.change, "spec", only(id));
  expect(results.find((one) => one.id === id)).toMatchObject({ level: "must", outcome: "fail" });
});
