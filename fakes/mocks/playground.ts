/** `serve --route ID`, the playground: a gateway whose routes and faults are given by flags. */
import { once } from "node:events";
import { systemClock } from "../clock.ts";
import { closeServer, listen } from "../gateway.ts";
import { httpServer } from "../http-server.ts";
import { flowStatuses } from "../managed-flows.ts";
import { untilStopped } from "../until-stopped.ts";
import type { NextOutcome } from "./forced-action.ts";
import { openMockGateway, type MockGateway } from "./gateway.ts";
import type { Outcome } from "./outcomes.ts";
import { logLines, type Shown } from "./playground-log.ts";
import { readPlaygroundOptions, type Fault, type PlaygroundOptions } from "./playground-options.ts";

/** Makes what the log shows of texts, for routes with these secrets. */
export type ShownFor = (secrets: readonly { readonly value: string; readonly variable: string }[]) => Shown;

/** Starts the playground; `log` gets a line for each request, and its bodies with `verbose`. Rejects with StartError when the port is not available. */
export async function openPlayground(
  options: PlaygroundOptions,
  log: (line: string) => void,
  shownFor: ShownFor,
  colour = false,
) {
  const { routes, product, faults, latencyMs, tasksEndMs, verbose } = options;
  const shown = shownFor(routes.map(({ secret, variable }) => ({ value: secret, variable })));
  const linesOf = logLines({ routes: routes.map(({ id }) => id), colour, verbose, shown });
  const gateway = openMockGateway({
    routes: Object.fromEntries(routes.map(({ id, secret }) => [id, { sessionKey: sessionOf(id), secret }])),
    product,
    clock: systemClock,
    nextOutcome: inTurn(faults),
    latencyMs,
    ...(tasksEndMs !== undefined && { tasksEndMs }),
    onAnswered: (request, answer) => {
      for (const line of linesOf({ request, answer, endedAt: systemClock.now() })) log(line);
    },
  });
  seed(gateway, options);
  gateway.flows.failPersistence(options.failPersistence);
  const server = httpServer((request, response) => void gateway.handle(request, response));
  const port = await listen(server, options.port);
  return { url: `http://127.0.0.1:${port}`, close: () => closeServer(server) };
}

const sessionOf = (route: string): string => `playground:${route}`;

function seed({ flows }: MockGateway, { routes, flows: count }: PlaygroundOptions): void {
  for (const { id } of routes) {
    for (let index = 0; index < count; index += 1) {
      const status = flowStatuses[index % flowStatuses.length];
      flows.seed({ sessionKey: sessionOf(id), status, goal: `seeded flow ${index + 1}` });
    }
  }
}

/** Each fault counts the actions that it applies to; where several are due, the first one given wins. */
function inTurn(faults: readonly Fault[]): NextOutcome {
  const counts = faults.map(() => 0);
  return ({ action }) => {
    let outcome: Outcome | undefined;
    for (const [index, fault] of faults.entries()) {
      if (fault.action !== undefined && fault.action !== action) continue;
      const count = (counts[index] ?? 0) + 1;
      counts[index] = count;
      if (count % fault.every === 0) outcome ??= fault.outcome;
    }
    return outcome;
  };
}

/** Printed once it listens: the address, the routes, the faults, and a curl command to try. */
export function greeting(url: string, options: PlaygroundOptions): string {
  const { routes, flows, faults, latencyMs, failPersistence, tasksEndMs, product } = options;
  const [first] = routes;
  const header = product === "service" ? [] : [`header x-${product.toLowerCase()}-webhook-secret is taken too`];
  const trouble = [
    ...faults.map(({ name, every }) => `one in ${every}: ${name}`),
    ...(latencyMs > 0 ? [`every action takes ${latencyMs} ms longer`] : []),
    ...failPersistence.map((kind) => `${kind}: cannot be persisted`),
    ...(tasksEndMs === undefined ? [] : [`active child tasks succeed after ${tasksEndMs} ms`]),
  ];
  return [
    `listening on ${url}`,
    ...routes.map(({ id, variable }) => `route ${id}: ${flows} flows, its secret is in $${variable}`),
    ...header,
    ...trouble,
    "try:",
    `  curl -sS -i --noproxy '*' ${url}/plugins/webhooks/${first?.id} \\`,
    "    -H 'content-type: application/json' \\",
    `    -H "authorization: Bearer $${first?.variable}" \\`,
    `    --data '{"action":"create_flow","goal":"try it"}'`,
    "Ctrl-C ends it; flows are kept in memory.",
    "",
  ].join("\n");
}

const toStderr = (line: string) => void process.stderr.write(`${line}\n`);

/** The command: serves until SIGTERM or SIGINT. Resolves to the exit code, 0 or 2; mistakes and the log go to stderr. */
export function runPlayground(args: readonly string[], shownFor: ShownFor, colour = false): Promise<number> {
  return untilStopped(async (stopped) => {
    const options = readPlaygroundOptions(args, process.env);
    const playground = await openPlayground(options, toStderr, shownFor, colour);
    process.stdout.write(greeting(playground.url, options));
    if (!stopped.aborted) await once(stopped, "abort");
    await playground.close();
  });
}
