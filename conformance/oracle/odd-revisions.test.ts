import { describe, expect, test } from "vitest";
import type { Allowed } from "../interface/flow-model.ts";
import { hasOddRevision, mustRefuseRevision, oddNames, oddRevision } from "./odd-revisions.ts";
import type { Response } from "./response.ts";

const response = (status: number, code?: string): Response => ({
  exchange: { answer: {} } as Response["exchange"],
  status,
  text: "",
  envelope: { ok: status < 300, code },
  accepted: status < 300,
  code,
  views: [],
});

const applies: readonly Allowed[] = [{ accepted: true, revision: "new", clause: "STATE-FINISH" }];
const ended: readonly Allowed[] = [{ accepted: false, revision: "same", clause: "STATE-TERMINAL" }];

describe("a revision that no flow can have", () => {
  test.each(oddNames)("%s is none of the flow's", (name) => {
    const value = oddRevision(name, 3);
    expect(value).not.toBeUndefined();
    expect(value).not.toBe(3);
  });

  test("of the actions that change a flow", () => {
    expect(hasOddRevision("finish_flow", {})).toBe(true);
    expect(hasOddRevision("finish_flow", { expectedRevision: "3" })).toBe(true);
    expect(hasOddRevision("finish_flow", { expectedRevision: 3.5 })).toBe(true);
    expect(hasOddRevision("finish_flow", { expectedRevision: 3 })).toBe(false);
    expect(hasOddRevision("cancel_flow", {})).toBe(false);
  });

  test("is never taken", () => {
    expect(mustRefuseRevision("3", applies, response(200))?.clause).toBe("REVISION-REQUIRED");
    expect(mustRefuseRevision(-1, ended, response(200))?.clause).toBe("REVISION-REQUIRED");
  });

  test("that is no number gets 400 invalid_request where the change would else apply", () => {
    expect(mustRefuseRevision("3", applies, response(400, "invalid_request"))).toBeUndefined();
    expect(mustRefuseRevision(undefined, applies, response(409, "revision_conflict"))?.clause).toBe("ERROR-INVALID");
    expect(mustRefuseRevision("3", ended, response(409, "terminal"))).toBeUndefined();
  });

  test("that is a number is the request's fault either way", () => {
    expect(mustRefuseRevision(-1, applies, response(409, "revision_conflict"))).toBeUndefined();
    expect(mustRefuseRevision(1.5, applies, response(500, "internal_error"))?.clause).toBe("ERROR-INVALID");
  });
});
