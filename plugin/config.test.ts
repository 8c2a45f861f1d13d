import { expect, test } from "vitest";
import { createWebhooksPlugin } from "./index.ts";
import { readRoutes } from "./config.ts";
import { canonicalPath } from "./paths.ts";
import { gatewayStub } from "./stub.test-support.ts";

const route = { sessionKey: "agent:main:private", secret: "sesame-123" };
const ref = { source: "env", provider: "default", id: "HOOK_SECRET" };

function faults(routes: unknown): string {
  try {
    readRoutes({ routes });
  } catch (error) {
    return error instanceof Error ? error.message : "";
  }
  return "";
}

test("what is given stands, trimmed; a description has no effect", () => {
  const given = { ...route, enabled: true, path: " /Hook ", controllerId: " mine ", description: "" };
  expect(readRoutes({ routes: { orders: given } })).toEqual([
    { ...route, id: "orders", path: "/Hook", canonicalPath: "/hook", controllerId: "mine" },
  ]);
});

test("what names no route, or none that is enabled, has none", () => {
  const empty = [undefined, null, {}, { routes: {} }, { routes: { off: { ...route, enabled: false } } }];
  expect(empty.flatMap(readRoutes)).toEqual([]);
});

test("every fault is listed at once by route and field, and no configured value is", () => {
  const message = faults({
    " ": route,
    text: "sesame-123",
    missing: {},
    "not a path": route,
    off: { ...route, enabled: false, path: "relative", secret: 5 },
    types: { ...route, enabled: "yes", path: 3, controllerId: " ", description: 4 },
    extra: { ...route, sesame: 1, token: 2 },
    blank: { ...route, secret: " " },
    ref: { ...route, secret: { ...ref, source: "sesame-123", id: "" } },
    refExtra: { ...route, secret: { ...ref, value: "sesame-123" } },
  });
  expect(message).toMatchInlineSnapshot(`
    "invalid webhooks configuration:
    - routes[" "]: expected a route id that is not blank
    - routes["text"]: expected an object
    - routes["missing"].sessionKey: expected a string that is not blank
    - routes["missing"].secret: expected a string that is not blank, or a SecretRef: source (env, file, exec, store), provider and id, all strings
    - routes["not a path"].path: expected a path of visible ASCII that starts with "/", without query, fragment or backslash, its percent-encoding valid
    - routes["off"].path: expected a path of visible ASCII that starts with "/", without query, fragment or backslash, its percent-encoding valid
    - routes["off"].secret: expected a string that is not blank, or a SecretRef: source (env, file, exec, store), provider and id, all strings
    - routes["types"].enabled: expected a boolean
    - routes["types"].path: expected a string that is not blank
    - routes["types"].controllerId: expected a string that is not blank
    - routes["types"].description: expected a string
    - routes["extra"].sesame, token: unknown field; a route takes enabled, path, sessionKey, secret, controllerId, description
    - routes["blank"].secret: expected a string that is not blank, or a SecretRef
    - routes["ref"].secret: expected a string that is not blank, or a SecretRef: source (env, file, exec, store), provider and id, all strings
    - routes["refExtra"].secret: expected a string that is not blank, or a SecretRef"
  `);
  expect(message).not.toContain("sesame-123");
});

test.each([[{ routes: [] }], [{ routes: null }], [[]], ["routes"], [{ routes: {}, enabled: true }]])(
  "%o is no configuration",
  (config) => expect(() => readRoutes(config)).toThrow(/invalid webhooks configuration/),
);

test("a route id from a hostile document is only a name", () => {
  const routes = JSON.parse(`{"__proto__":${JSON.stringify(route)}}`);
  expect(readRoutes({ routes }).map(({ id }) => id)).toEqual(["__proto__"]);
});

test.each(["/hook/", "/HOOK", "//hook", "/%68ook", "/a/../hook", "/%2E/hook", "/./hook"])(
  "%s may reach /hook: both are refused",
  (path) => {
    expect(canonicalPath(path)).toBe("/hook");
    const message = faults({ a: { ...route, path: "/hook" }, b: { ...route, path } });
    expect(message).toContain('routes["b"].path: route "a" has the same one');
    expect(faults({ a: { ...route, path: "/hook" }, b: { ...route, path, enabled: false } })).toBe("");
  },
);

test.each(["hook", "", "/a?b", "/a#b", "/a b", "/ä", "/%zz", "/%3f", "/%00", "/a\\b", "/%5c", "http://x/a"])(
  "%s is no path of a route",
  (path) => expect(canonicalPath(path)).toBeUndefined(),
);

test("paths that differ otherwise are two", () => {
  expect(canonicalPath("/")).toBe("/");
  expect(canonicalPath("/h%C3%A4%25")).toBe("/h%c3%a4%");
  expect(readRoutes({ routes: { a: { ...route, path: "/a" }, b: { ...route, path: "/a/b" } } })).toHaveLength(2);
});

test("each enabled route is bound to its session and registered for exact matching", () => {
  const other = { ...route, sessionKey: "agent:main:other", path: "/other" };
  const gateway = gatewayStub({ routes: { orders: route, off: { ...route, enabled: false }, other } });
  createWebhooksPlugin().register(gateway.api);
  expect(gateway.sessions).toEqual(["agent:main:private", "agent:main:other"]);
  const shape = { auth: "plugin", match: "exact", replaceExisting: true };
  expect(gateway.routes).toEqual([
    { ...shape, path: "/plugins/webhooks/orders", handler: expect.any(Function) },
    { ...shape, path: "/other", handler: expect.any(Function) },
  ]);
  expect(gateway.log).toEqual([]);
});

test("a route whose secret is unresolved is registered and logged once by its id alone", () => {
  const gateway = gatewayStub({ routes: { cold: { ...route, secret: ref } } });
  createWebhooksPlugin().register(gateway.api);
  expect(gateway.routes).toHaveLength(1);
  expect(gateway.log).toEqual(['warn webhooks: route "cold" is inactive: its secret could not be resolved']);
});
