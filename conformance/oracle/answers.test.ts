import { expect, test } from "vitest";
import { validRequest } from "../interface/request.ts";
import { statusFault } from "./answers.ts";
import { responseOf } from "./response.ts";

const request = validRequest({ path: "/", secret: "s" }, { action: "list_flows" });
const answered = (status: number, envelope: object) =>
  responseOf({
    request,
    from: "127.0.0.1",
    answer: { status, headers: new Map(), body: Buffer.from(JSON.stringify(envelope)) },
  });

test("a code has its status in an envelope; what is none may be the gateway's own answer", () => {
  expect(statusFault(answered(404, { ok: false, code: "invalid_request" }))?.clause).toBe("ERROR-INVALID");
  expect(statusFault(answered(400, { ok: false, code: "invalid_request" }))).toBeUndefined();
  expect(statusFault(answered(404, { code: "invalid_request", message: "no such path" }))).toBeUndefined();
});
