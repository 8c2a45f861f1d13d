import { expect, test } from "vitest";
import { validRequest } from "../interface/request.ts";
import { printOf, responseOf, statusFault } from "./response.ts";

const request = validRequest({ path: "/", secret: "s" }, { action: "list_flows" });
const response = (body: string, status = 200) =>
  responseOf({
    request,
    from: "127.0.0.1",
    answer: { status, headers: new Map(), body: new TextEncoder().encode(body) },
  });

test("an answer is known by its status, ok and code, and its flows are found in it", () => {
  const one = response('{"ok":false,"code":"terminal","result":{"flow":{"flowId":"a","revision":3}}}');
  expect(printOf(one)).toBe("200 ok:false terminal");
  expect(one).toMatchObject({ accepted: false, code: "terminal", views: [{ flowId: "a", revision: 3 }] });
});

test("one that is nested without end is no envelope, and nothing walks through it", () => {
  const deep = response(`{"ok":true,"result":${"[".repeat(20_000)}${"]".repeat(20_000)}}`);
  expect(deep).toMatchObject({ envelope: undefined, accepted: false, views: [] });
  expect(printOf(deep)).toBe("200 without a JSON object");
});

test("a code has its status in an envelope; what is none may be the gateway's own answer", () => {
  const refusal = '{"ok":false,"code":"invalid_request"}';
  expect(statusFault(response(refusal, 404))?.clause).toBe("ERROR-INVALID");
  expect(statusFault(response(refusal, 400))).toBeUndefined();
  expect(statusFault(response('{"code":"invalid_request","message":"no such path"}', 404))).toBeUndefined();
});
