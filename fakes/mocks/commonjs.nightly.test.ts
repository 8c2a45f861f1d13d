import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { node, test } from "../../conformance/test-support/consumer.test-support.ts";

const compiler = join(import.meta.dirname, "..", "..", "node_modules", "typescript", "bin", "tsc");
const options = "--ignoreConfig --strict --skipLibCheck --target es2023 --types node".split(" ");
const source = `import { catalogue } from "webhooks-conformance/fixtures";
import { createWebhooksHandlers, type WebhooksHandlers } from "webhooks-conformance/msw";
import { createWebhooksDispatcher } from "webhooks-conformance/undici";
import { setupServer } from "msw/node";
const webhooks: WebhooksHandlers = createWebhooksHandlers({ routes: { a: { sessionKey: "s", secret: "x" } } });
const server = setupServer(...webhooks.handlers);
console.log(typeof catalogue, typeof createWebhooksDispatcher, server.listHandlers().length);
// @ts-expect-error: there is no such option
void (() => createWebhooksHandlers({ routes: {}, clok: "real" }));
`;

test.for(["node20", "nodenext", "commonjs --moduleResolution bundler", "preserve"])(
  "a CommonJS project compiles against the package and runs: --module %s",
  async (kind, { consumer: folder }) => {
    await writeFile(join(folder, "package.json"), "{}");
    await writeFile(join(folder, "caller.ts"), source);
    expect(await node(folder, compiler, ...options, "--module", ...kind.split(" "), "caller.ts")).toEqual({
      code: 0,
      output: "",
    });
    expect((await node(folder, "caller.js")).output).toContain("function function 1");
  },
);
