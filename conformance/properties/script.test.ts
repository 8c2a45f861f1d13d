/** Stories as scripts: bash sends them to subjects of this process, or to a server that keeps what it is sent. */
import { execFile } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { missing, withBashAndCurl } from "../http/programs.test-support.ts";
import { revisions } from "../proof/broken/states/revisions.ts";
import { launchOf } from "../proof/launch.ts";
import type { Change } from "../proof/subject.ts";
import { embedded } from "../proof/target.ts";
import { buildConfiguration } from "../targets/build-configuration.ts";
import { freshKeyring, secretsOf } from "../targets/keyring.ts";
import { checkTarget } from "../targets/target-file.ts";
import { variants } from "../targets/variants.ts";
import { searched } from "../test-support/direct.test-support.ts";
import { withFolder } from "../test-support/gateway.test-support.ts";
import { failureOf } from "./case.ts";
import { oddInBash } from "./odd-in-bash.ts";
import { oddNames, oddRevision } from "./odd-revisions.ts";
import { REPLAY_FORMAT, type ReplayFile } from "../story/replay-file.ts";
import { scriptOf } from "./script.ts";
import type { Step } from "../story/story.ts";

const run = promisify(execFile);
const keyring = freshKeyring("{name}");
const secrets = Object.fromEntries(secretsOf(keyring).map(({ variable, value }) => [variable, value]));

const fileOf = (steps: readonly Step[], more: Partial<ReplayFile> = {}): ReplayFile => ({
  format: REPLAY_FORMAT,
  property: "PROPERTY-STATES",
  clause: "STATE-CREATE",
  expected: "one answer",
  actual: "another",
  seed: 1,
  run: 0,
  profile: "spec",
  target: "a gateway",
  steps: [...steps],
  ...more,
});

/** What the script of a story prints, and the names of the files that are in its folder afterwards. */
async function played(file: ReplayFile, url: string): Promise<{ stdout: string; left: string[] }> {
  return withFolder(async (folder) => {
    // Not checked as a file that is read is: bash has to be safe whatever stands there.
    await writeFile(join(folder, "story.sh"), scriptOf(file));
    const env = { ...process.env, ...secrets, BASE_URL: url, ROUTE_SESSION_KEY: "session-a" };
    const { stdout, stderr } = await run("bash", ["story.sh"], { cwd: folder, env });
    expect(stderr).toBe("");
    return { stdout, left: await readdir(folder) };
  });
}

/** The same, sent to the kit's own plugin with one thing changed. */
async function against(change: Change, file: ReplayFile): Promise<string> {
  return withFolder(async (folder) => {
    const target = checkTarget(embedded("subject", ["launched in process"]), ".", "subject");
    const configuration = buildConfiguration(target, variants.standard, keyring, folder);
    const configFile = join(folder, "config.json");
    const launched = await launchOf(change)({ configuration, configFile, stateDir: folder });
    try {
      return (await played(file, launched.origin)).stdout;
    } finally {
      await launched.stop();
    }
  });
}

const create: Step = { do: "send", route: "route", as: "f1", body: { action: "create_flow", goal: "g" } };
const wait = (revision: object): Extract<Step, { do: "send" }> => ({
  do: "send",
  route: "sibling",
  body: { action: "set_waiting", flowId: { $flow: "f1" }, expectedRevision: { $revision: "f1", ...revision } },
});

describe.skipIf(missing.length > 0)(`a story's script, ${withBashAndCurl}`, () => {
  test("shows the wrong answer that a property found, and the right one of a right target", async () => {
    const stale = revisions.find(({ id }) => id === "stale-fail-flow");
    const { found } = await searched(stale?.change ?? {}, "PROPERTY-REVISIONS");
    if (found === undefined) throw new Error("the property found nothing");
    const at = { profile: "reference", target: "subject" };
    const file = failureOf("PROPERTY-REVISIONS", found, { seed: 1 }, at).story.replay as ReplayFile;
    const last = new RegExp(`^${file.steps.length}\\. fail_flow .* -> (\\d+)\n.*"ok":(\\w+)`, "m");
    expect(last.exec(await against(stale?.change ?? {}, file))?.slice(1)).toEqual(["200", "true"]);
    const right = await against({}, file);
    expect(last.exec(right)?.slice(1)).toEqual(["409", "false"]);
    expect(right).toContain(`expected  ${file.expected}`);
    expect(right).toContain(`it gave   ${file.actual} (when the story was found)`);
  }, 60_000);

  test("sends right, stale, future and odd revisions by what the answers showed", async () => {
    const all = [{}, { at: "stale" }, { at: "future", by: 2 }, { as: "text" }, { as: "negative" }, { at: "current" }];
    const stdout = await against({}, fileOf([create, ...all.map(wait)]));
    const statuses = [...stdout.matchAll(/^\d+\. .* -> (\d+)$/gm)].map(([, status]) => status);
    expect(statuses).toEqual(["200", "200", "409", "409", "400", "400", "200"]);
  }, 30_000);

  test("sends a request as often as the story says, from one client, and others from another", async () => {
    const list = { do: "send", route: "route", client: 1, body: { action: "list_flows" } } as const;
    const large = { ...list, client: 2, padTo: 300_000 };
    const limits = fileOf([{ ...list, times: 121 }, list, large, { ...list, client: 2 }], {
      property: "PROPERTY-LIMITS",
    });
    const stdout = await against({}, limits);
    expect(stdout).toContain("121 times) -> 120 x 200, 1 x 429, the last 429");
    expect(stdout).toMatch(/^2\. .* -> 429$/m);
    expect(stdout).toMatch(/^3\. .* -> 413$/m);
    expect(stdout).toMatch(/^4\. .* -> 200$/m);
  }, 60_000);

  test("floods from addresses of their own, each of which the target hears once", async () => {
    const from: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      from.push(request.socket.remoteAddress);
      response.writeHead(401).end("{}");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const file = fileOf(
        [
          { do: "flood", keys: 5 },
          { do: "flood", keys: 3 },
        ],
        { property: "PROPERTY-KEYS" },
      );
      const { stdout } = await played(file, `http://127.0.0.1:${port}`);
      expect(new Set(from).size).toBe(8);
      expect(stdout).toContain("2. 3 other keys: one request each, with another secret -> sent\n");
    } finally {
      server.close();
    }
  }, 30_000);

  test("sends requests at once, of which one wins", async () => {
    const race: Step = { do: "together", sends: [wait({}), wait({}), wait({})] };
    const stdout = await against({}, fileOf([create, race], { property: "PROPERTY-RACES" }));
    const statuses = [...stdout.matchAll(/^2\.\d\. .* -> (\d+)$/gm)].map(([, status]) => Number(status));
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
  }, 30_000);

  test("leaves out what refers to nothing, and says what is to be done by hand", async () => {
    const hold: Step = { do: "hold", route: "route", count: 8 };
    const settle: Step = { do: "settle", flow: "f1", task: 0, status: "succeeded" };
    const file = fileOf([wait({}), hold, settle, create, { do: "pass", ms: 5 }]);
    expect(scriptOf(file)).toContain("to be done at that moment: 2 of its 5 steps.");
    const stdout = await against({}, file);
    expect(stdout).toMatch(/^1\. left out: no answer has shown f1/);
    expect(stdout).toContain("\n2. BY HAND: 8 requests are held in flight at route, client 0\n");
    expect(stdout).toContain("\n3. BY HAND: task 1 of f1 ends: succeeded\n");
    expect(stdout).toMatch(/\n4\. create_flow .* -> 200\n/);
  }, 30_000);

  test("keeps hostile values what they are: sent byte for byte, never run, never shown to a terminal", async () => {
    const hostile = `'"; touch pwned; $(touch pwned) \`touch pwned\` \\ \n # \u001b[2J \u009b31m \u202e {{flowId}} %s`;
    const bodies: Record<string, unknown>[] = [];
    const flow = { data: { revision: 99 }, flowId: hostile, goal: hostile, revision: 4 };
    const task = { taskId: "t", flowId: "another", revision: 77 };
    const server = createServer(async (request, response) => {
      bodies.push({ type: request.headers["content-type"], ...JSON.parse((await request.toArray()).join("")) });
      response.end(`\u001b[2J${JSON.stringify({ ok: true, result: { task, flows: [{ flow }] } })}`);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const body = (more: object) => ({ action: hostile, [hostile]: [hostile], ...more });
      const send = { do: "send", route: "route" } as const;
      const known = { flowId: { $flow: "f1" }, now: { $revision: "f1" }, key: { $sessionKey: "route", as: hostile } };
      const unknown = [
        { $flow: hostile },
        { $revision: "f1", at: "stale", by: hostile },
        { $revision: "f1", as: hostile },
        { $sessionKey: hostile },
        { [`$${hostile}`]: 1 },
      ];
      const steps = [
        { ...send, as: "f1", body: body({}), contentType: `a;$(touch pwned)'` },
        { ...send, body: body(known) },
        ...unknown.map((one) => ({ ...send, body: body({ one }) })),
        { ...send, body: body({}), contentType: "a\nx: y" },
        { do: "settle", flow: "f1", task: 0, status: hostile },
      ] as Step[];
      const words = { expected: hostile, actual: hostile, target: hostile };
      const { port } = server.address() as AddressInfo;
      const { stdout, left } = await played(fileOf(steps, words), `http://127.0.0.1:${port}`);
      expect(left).toEqual(["story.sh"]);
      expect(stdout).not.toMatch(/[^\n -~]/);
      expect(bodies).toEqual([
        { type: `a;$(touch pwned)'`, ...body({}) },
        { type: "application/json", ...body({ flowId: hostile, now: 4, key: `session-a-${hostile}` }) },
      ]);
      expect(scriptOf(fileOf(steps, words))).not.toMatch(/[^\n -~]/);
    } finally {
      server.close();
    }
  }, 30_000);

  test("gives curl no secret and no body as an argument", async () => {
    await withFolder(async (folder) => {
      await writeFile(join(folder, "story.sh"), scriptOf(fileOf([create, { ...wait({}), route: "stranger" }])));
      const fake = `printf '%s\\n' "$@" >>arguments; cat >/dev/null; printf '{"flowId":"f","revision":1}\\n200'`;
      await writeFile(join(folder, "curl"), `#!/usr/bin/env bash\n${fake}\n`, { mode: 0o755 });
      const path = `${folder}${delimiter}${process.env["PATH"]}`;
      const env = { ...process.env, ...secrets, BASE_URL: "http://127.0.0.1:9", PATH: path };
      await run("bash", ["story.sh"], { cwd: folder, env });
      const given = await readFile(join(folder, "arguments"), "utf8");
      expect(given.match(/lane-01\S*/g)).toEqual(["lane-01", "lane-01-stranger"]);
      expect(given).not.toContain("action");
      for (const secret of Object.values(secrets)) expect(given).not.toContain(secret);
    });
  });

  test.each(oddNames)("bash makes of a revision what %s means", async (name) => {
    const word = (oddInBash(name, "$revision") ?? []).map((piece) =>
      typeof piece === "string" ? `'${piece}'` : `"${piece.bash}"`,
    );
    const { stdout } = await run("bash", ["-c", `revision=7; printf %s ${word.join("")}`]);
    expect(JSON.parse(stdout)).toEqual(oddRevision(name, 7));
  });
});

test("a script names no secret, and variables for those of its routes only", () => {
  const script = scriptOf(fileOf([create]));
  expect(script).toContain('"${ROUTE_SECRET:=${WEBHOOKS_SECRET_LANE_01:?');
  expect(script).not.toContain("STRANGER");
});
