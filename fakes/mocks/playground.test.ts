import { once } from "node:events";
import { createServer } from "node:net";
import { stripVTControlCharacters } from "node:util";
import { afterEach, expect, test, vi } from "vitest";
import { shownFor } from "../../conformance/cli/serve.ts";
import { logLines } from "./playground-log.ts";
import { readPlaygroundOptions } from "./playground-options.ts";
import { greeting, openPlayground, runPlayground } from "./playground.ts";

const env = { DEMO_SECRET: "correct-horse", OTHER_SECRET: "battery-staple" };
const demo = "--route demo --secret-env DEMO_SECRET --port 0";
const optionsOf = (line: string) => readPlaygroundOptions(line.split(" "), env);

const opened: Awaited<ReturnType<typeof openPlayground>>[] = [];
let lines: string[] = [];
afterEach(async () => {
  lines = [];
  await Promise.all(opened.splice(0).map(({ close }) => close()));
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const open = async (line: string) => {
  const options = optionsOf(line);
  const playground = await openPlayground(options, (logged) => void lines.push(logged), shownFor);
  opened.push(playground);
  return { ...playground, says: greeting(playground.url, options) };
};

const post = (url: string, body: object, secret = "correct-horse", route = "demo") =>
  fetch(`${url}/plugins/webhooks/${route}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${secret}` },
    body: JSON.stringify(body),
  });

const flowsOf = async (answer: Response) =>
  ((await answer.json()) as { result: { flows: { status: string; goal: string }[] } }).result.flows;

test("routes have their own secrets and sessions, with flows in each status", async () => {
  const { url } = await open(
    "--route demo --secret-env DEMO_SECRET --route other --secret-env OTHER_SECRET --port 0 --flows 8",
  );
  const flows = await flowsOf(await post(url, { action: "list_flows" }));
  expect(flows.map(({ status }) => status)).toEqual(
    "queued cancelled failed finished blocked waiting running queued".split(" "),
  );
  expect((await post(url, { action: "list_flows" }, "correct-horse", "other")).status).toBe(401);
  await post(url, { action: "create_flow", goal: "one more" }, "battery-staple", "other");
  expect(await flowsOf(await post(url, { action: "list_flows" }, "battery-staple", "other"))).toHaveLength(9);
  expect(await flowsOf(await post(url, { action: "list_flows" }))).toHaveLength(8);
});

test("faults come in turn, and the log says what was injected", async () => {
  const { url } = await open(`${demo} --fault 502=2 --fault lost_answer=3`);
  const create = { action: "create_flow", goal: "a goal" };
  expect((await post(url, create)).status).toBe(200);
  expect((await post(url, create)).status).toBe(502);
  await expect(post(url, create)).rejects.toThrow();
  expect((await post(url, create)).status).toBe(502);
  expect(await flowsOf(await post(url, { action: "list_flows" }))).toHaveLength(2);
  const columns = lines.map((line) => line.split(/ {2,}/).slice(1, 5));
  expect(columns).toEqual([
    ["POST", "demo", "create_flow", "200"],
    ["POST", "demo", "create_flow", "502 (injected)"],
    ["POST", "demo", "create_flow", "no answer (injected)"],
    ["POST", "demo", "create_flow", "502 (injected)"],
    ["POST", "demo", "list_flows", "200"],
  ]);
  expect(new Set(lines.map((line) => line.indexOf(" ms"))).size).toBe(1);
});

test("a fault of one action leaves the others alone", async () => {
  const { url } = await open(`${demo} --fault create_flow:terminal=2`);
  const create = { action: "create_flow", goal: "a goal" };
  const statuses: number[] = [];
  for (const body of [create, { action: "list_flows" }, { action: "list_flows" }, create, create])
    statuses.push((await post(url, body)).status);
  expect(statuses).toEqual([200, 200, 200, 409, 200]);
});

test("writes fail to persist and child tasks end by themselves", async () => {
  const { url } = await open(`${demo} --flows 1 --fail-persistence create --tasks-end 1`);
  expect((await post(url, { action: "create_flow", goal: "a goal" })).status).toBe(503);
  const [flow] = await flowsOf(await post(url, { action: "list_flows" }));
  const { flowId } = flow as unknown as { flowId: string };
  await post(url, { action: "run_task", flowId, runtime: "acp", task: "dig", status: "running" });
  await vi.waitFor(async () => {
    expect(await (await post(url, { action: "get_task_summary", flowId })).text()).toContain('"active":0');
  }, 60_000);
});

test("neither the log nor the greeting holds a secret, wherever it was put", async () => {
  const { url, says } = await open(demo);
  await post(url, { action: "correct-horse\nforged" });
  await post(url, { action: "get_flow", flowId: "correct-horse" }, "battery-staple");
  await fetch(`${url}/correct-horse?secret=correct-horse`, {
    headers: { "x-service-webhook-secret": "correct-horse" },
  });
  expect(lines).toHaveLength(3);
  expect(lines[0]).toContain("unknown action    400 invalid_request");
  expect(`${lines.join("\n")}${says}`).not.toMatch(/correct-horse|battery-staple|\nforged/);
});

test("the log names the flow that an answer is about", async () => {
  const { url } = await open(demo);
  const answer = (await (await post(url, { action: "create_flow", goal: "a goal" })).json()) as {
    result: { flow: { flowId: string } };
  };
  const { flowId } = answer.result.flow;
  await post(url, { action: "finish_flow", flowId, expectedRevision: 9 });
  await post(url, { action: "list_flows" });
  expect(lines.map((line) => line.split(/ {2,}/).at(-1))).toEqual([flowId, flowId, "-"]);
});

test("--verbose logs both bodies, without a secret or a forged line", async () => {
  const { url } = await open(`${demo} --verbose`);
  const stateJson = { "correct-horse": ["the correct-horse\nforged\u009b31m"] };
  await post(url, { action: "create_flow", goal: "dig", stateJson });
  await post(url, { action: "list_flows" }, "battery-staple");
  expect(lines).toHaveLength(5);
  expect(lines[1]).toContain(
    '  > {"action":"create_flow","goal":"dig","stateJson":{"${DEMO_SECRET}":["the ${DEMO_SECRET}',
  );
  expect(lines[2]).toMatch(/^ {2}< \{"ok":true,.*"goal":"dig"/);
  expect(lines[4]).toMatch(/^ {2}< \{"ok":false,"routeId":"demo","code":"unauthorized","error":/);
  expect(lines.join("")).not.toMatch(/correct-horse|battery-staple|\n|\u009b/);
});

test("--verbose shows a secret in no other form, and no command for a CI system", async () => {
  const { url } = await open(`${demo} --verbose`);
  const bytes = Buffer.from("correct-horse");
  const forms = [bytes.toString("base64"), bytes.toString("hex"), "CORRECT-HORSE", "esroh-tcerroc"];
  await post(url, { action: "create_flow", goal: `${forms.join(" ")} ##vso[task.complete] ##[error]x` });
  const logged = lines.join("\n");
  expect(forms.filter((form) => logged.includes(form))).toEqual([]);
  expect(logged).toContain("${DEMO_SECRET in base64}");
  expect(logged).not.toMatch(/##\w*\[/);
});

test("colour changes no text", () => {
  const request = { at: 0, method: "POST", path: "/", headers: {}, route: "demo", status: 429, code: "rate_limited" };
  const options = { routes: ["demo"], verbose: false, shown: (text: string) => text };
  const [plain] = logLines({ ...options, colour: false })({ request, answer: undefined, endedAt: 5 });
  const [coloured = ""] = logLines({ ...options, colour: true })({ request, answer: undefined, endedAt: 5 });
  expect(coloured).not.toBe(plain);
  expect(stripVTControlCharacters(coloured)).toBe(plain);
});

test("what it prints first leads on: address, routes, troubles, a curl line", async () => {
  const { url, says } = await open(
    `${demo} --product Acme --flows 2 --fault rate_limited=10 --latency 5 --tasks-end 7`,
  );
  for (const part of [
    `listening on ${url}\n`,
    "route demo: 2 flows, its secret is in $DEMO_SECRET",
    "x-acme-webhook-secret",
    "one in 10: rate_limited",
    "5 ms longer",
    "after 7 ms",
    `curl -sS -i --noproxy '*' ${url}/plugins/webhooks/demo`,
    '"authorization: Bearer $DEMO_SECRET"',
  ]) {
    expect(says).toContain(part);
  }
  expect(says.split("\n").filter((line) => line.length > 80)).toEqual([]);
});

test.each([
  ["--route demo", "1 routes and 0 secrets"],
  ["--secret-env DEMO_SECRET", "--route ID is missing"],
  ["--route a --route a --secret-env DEMO_SECRET", "given twice"],
  ["--route demo --route Demo --secret-env DEMO_SECRET", "given twice: expected ids that differ, and not by case"],
  ["--route a/b --secret-env DEMO_SECRET", '"a/b", expected letters'],
  ["--route a --secret-env NOT_SET", "export NOT_SET="],
  ["--route a --secret-env correct-horse", "expected the name of a variable"],
  ["--route a --secret-env DEMO_SECRET --config c.json", "--config and --route exclude each other"],
  ["--route a --secret-env DEMO_SECRET --clock=driven", "--clock and --route exclude each other"],
  ["--route a --secret-env DEMO_SECRET --port 65536", "from 0 to 65535"],
  ["--route a --secret-env DEMO_SECRET --flows many", '"many", expected a whole number'],
  ["--route a --secret-env DEMO_SECRET --fault sulk=2", "rate_limited"],
  ["--route a --secret-env DEMO_SECRET --fault terminal=0", "N from 1"],
  ["--route a --secret-env DEMO_SECRET --fault sulk:terminal=1", "one of these actions: create_flow"],
  ["--route a --secret-env DEMO_SECRET --fail-persistence reads", "create, update, task, cancel"],
  ["--route a --secret-env DEMO_SECRET --colour", "--help"],
])("%s is refused", (line, message) => expect(() => optionsOf(line)).toThrow(message));

/** What the command wrote to a stream, and the variables that it reads. */
function command(stream: "stdout" | "stderr"): string[] {
  const written: string[] = [];
  vi.spyOn(process[stream], "write").mockImplementation((text) => written.push(String(text)) > 0);
  vi.stubEnv("DEMO_SECRET", "correct-horse");
  return written;
}

test("a port in use is the caller's mistake: exit code 2, and what to do", async () => {
  const holder = createServer().listen(0, "127.0.0.1");
  await once(holder, "listening");
  const { port } = holder.address() as { port: number };
  const written = command("stderr");
  expect(await runPlayground(`${demo.replace("--port 0", "")}--port ${port}`.split(" "), shownFor)).toBe(2);
  holder.close();
  expect(written.join("")).toMatch(new RegExp(`Port ${port} is in use.*0 takes a free one`));
});

test("the command serves until it is told to stop", async () => {
  const written = command("stdout");
  const code = runPlayground(demo.split(" "), shownFor);
  await vi.waitFor(() => expect(written.join("")).toContain("listening on"), 60_000);
  process.emit("SIGTERM");
  expect(await code).toBe(0);
});
