/**
 * A small gateway for the tests of the runner: `gateway.mjs --config FILE --port N [TRICK...]`. It accepts every action
 * with the right secret. A trick makes it misbehave.
 *
 * At the start:
 * - `exit-on-bad-config`: exits when a route has no secret
 * - `exit-when-resolved`: exits when the secret of the cold route is in the environment
 * - `one-start=FILE`: counts starts in FILE; the second one fails
 * - `stubborn`: ignores SIGTERM
 * - `helper=FILE`: starts a child process and writes its id to FILE; `exit-after-helper` then exits
 * - `arguments=FILE`: writes the command lines of itself and of its parent to FILE
 *
 * While it serves:
 * - `lets-in`: takes any secret
 * - `judged=FILE`: writes FILE once a case has begun
 * - a flow's goal `exit now`, `stall now` or `complain now` (to stderr); `exit soon`: a moment behind its answer
 */
import { spawn } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";

/** Longer than any test takes: what a failed one left behind ends by itself. */
const LONGEST_MS = 120_000;
setTimeout(() => process.exit(9), LONGEST_MS).unref();

const [, , , configFile, , port, ...tricks] = process.argv;
const trick = (name) => tricks.find((word) => word === name || word.startsWith(`${name}=`))?.replace(`${name}=`, "");

process.stderr.write("gateway: starting\n");
if (trick("one-start")) {
  const again = existsSync(trick("one-start"));
  appendFileSync(trick("one-start"), "start\n");
  if (again) end("gateway: not a second time", 4);
}
if (trick("stubborn")) process.on("SIGTERM", () => {});
if (trick("helper")) {
  const helper = spawn("sh", ["-c", `trap "" TERM; exec sleep ${LONGEST_MS / 1000}`]);
  writeFileSync(trick("helper"), String(helper.pid));
  if (trick("exit-after-helper")) end("gateway: leaving a helper behind", 5);
}

const { plugins } = JSON.parse(readFileSync(configFile, "utf8"));
const [entry] = Object.values(plugins.entries);
if (trick("exit-when-resolved") && process.env.WEBHOOKS_SECRET_COLD) end("gateway: no such secret wanted", 6);
const routes = new Map();
for (const [id, route] of Object.entries(entry.enabled ? entry.config.routes : {})) {
  const secret = typeof route.secret === "object" ? process.env[route.secret.id] : route.secret;
  if (route.secret === undefined && trick("exit-on-bad-config")) end(`gateway: ${id} has no secret`, 2);
  routes.set(route.path ?? `/plugins/webhooks/${id}`, { id, secret });
}

if (trick("arguments")) {
  const seen = [process.pid, process.ppid].map((id) => readFileSync(`/proc/${id}/cmdline`, "utf8"));
  writeFileSync(
    trick("arguments"),
    JSON.stringify({ seen, secrets: [...routes.values()].map(({ secret }) => secret) }),
  );
}

const inFlight = new Map();
const server = createServer((request, response) => {
  const route = routes.get(request.url);
  if (trick("judged") && request.url.includes("/lane-")) writeFileSync(trick("judged"), request.url);
  if (route === undefined) return void response.writeHead(404).end();
  const key = `${request.url} ${request.socket.remoteAddress}`;
  const before = inFlight.get(key) ?? 0;
  if (before >= 8) return answer(response, route, 429, { ok: false, code: "busy" });
  inFlight.set(key, before + 1);
  response.on("close", () => inFlight.set(key, inFlight.get(key) - 1));
  const authorized = trick("lets-in") || (route.secret && request.headers.authorization === `Bearer ${route.secret}`);
  if (!authorized) return answer(response, route, 401, { ok: false, code: "unauthorized" });
  const chunks = [];
  request.on("error", () => {}).on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => act(String(Buffer.concat(chunks)), route, response));
});

let flows = 0;
function act(text, route, response) {
  let body;
  try {
    body = JSON.parse(text);
  } catch {
    return answer(response, route, 400, { ok: false, code: "invalid_request" });
  }
  const { action, goal } = body ?? {};
  if (goal === "exit now") end("gateway: asked to exit", 7);
  if (goal === "complain now") process.stderr.write(`gateway: no room for ${route.id} with ${route.secret}\n`);
  if (goal === "exit soon") setTimeout(() => end("gateway: asked to exit", 7), 5);
  if (goal === "stall now") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LONGEST_MS);
  const flow = action === "create_flow" ? { flowId: `flow-${++flows}`, revision: 0, goal } : null;
  answer(response, route, 200, { ok: true, result: { flow } });
}

function answer(response, { id: routeId }, status, more) {
  const error = more.ok ? {} : { error: "refused" };
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ routeId, result: {}, ...error, ...more }));
}

function end(message, code) {
  process.stderr.write(`${message}\n`);
  process.exit(code);
}

server.listen(Number(port), "127.0.0.1");
