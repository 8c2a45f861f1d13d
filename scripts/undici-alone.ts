/** Socket level: a property's requests on a target, and the same requests once more by undici alone. */
import { Agent } from "undici";
import type { Case } from "../conformance/harness/case.ts";
import type { Exchange } from "../conformance/http/exchange.ts";
import { readProfile } from "../conformance/interface/profile.ts";
import { httpExecutors } from "../conformance/properties/play/http-executor.ts";
import { search } from "../conformance/properties/search.ts";
import { states } from "../conformance/properties/definitions/flow-states.ts";
import { runContext } from "../conformance/run/context.ts";
import { run } from "../conformance/run/run.ts";
import { keyringFor } from "../conformance/targets/secrets-file.ts";
import { readTarget } from "../conformance/targets/target-file.ts";
import type { Trial } from "../conformance/harness/trial.ts";

/** As many requests at the same time as a search has stories. */
const WIDTH = 8;

interface Measured {
  readonly requests: number;
  readonly ms: number;
}

const rateOf = ({ requests, ms }: Measured): number => Math.round((requests / ms) * 1000);

/** Both on the embedded gateway, in turns, until `wanted` requests were sent by each. Gives lines to print. */
export async function besideUndici(wanted: number): Promise<string> {
  const target = await readTarget("conformance/examples/embedded.json");
  const profile = await readProfile("reference", ".");
  const kit = { requests: 0, ms: 0 };
  const undici = { requests: 0, ms: 0 };
  const add = (sum: typeof kit, { requests, ms }: Measured) => {
    sum.requests += requests;
    sum.ms += ms;
  };
  const measured: Case = {
    id: "DEPTH",
    title: "the rates at socket level",
    clauses: [],
    level: "must",
    alone: true,
    needs: ["addresses"],
    meetsLimits: true,
    requests: wanted,
    longestMs: 600_000,
    async run(trial) {
      for (let seed = 1; kit.requests < wanted; seed += 1) {
        const sent: Exchange[] = [];
        add(kit, await timed(() => searched(trial, seed, sent)));
        add(undici, await timed(() => alone(trial, sent)));
      }
    },
  };
  const keyring = await keyringFor(target);
  const { results } = await run(runContext({ target, profile, cases: [measured], keyring }));
  const [result] = results;
  if (result?.outcome !== "pass") throw new Error(`socket level: ${result?.outcome} ${result?.reason}`);
  const ratio = Math.round((rateOf(kit) / rateOf(undici)) * 100);
  return [
    "socket level: the embedded gateway as a process of its own, PROPERTY-STATES, 8 stories at a time",
    `  the kit, every answer judged   ${kit.requests} requests, ${rateOf(kit)} requests/s`,
    `  undici alone, the same ones    ${undici.requests} requests, ${rateOf(undici)} requests/s`,
    `  the kit reaches ${ratio} %\n`,
  ].join("\n");
}

async function timed(work: () => Promise<number>): Promise<Measured> {
  const started = performance.now();
  return { requests: await work(), ms: performance.now() - started };
}

async function searched(trial: Trial, seed: number, sent: Exchange[]): Promise<number> {
  const executors = httpExecutors(trial);
  const executor = async () => {
    const own = await executors();
    const send: typeof own.send = async (request, client) => {
      const exchange = await own.send(request, client);
      sent.push(exchange);
      return exchange;
    };
    return { ...own, send };
  };
  const { profile } = trial;
  const { requests, found } = await search(states, { profile, executor, depth: { seed } });
  if (found !== undefined) throw new Error(`the embedded gateway: ${JSON.stringify(found.first.departure)}`);
  return requests;
}

/** The same bytes from as many addresses, no client's above the budget; the answers are read and not looked at. */
async function alone(trial: Trial, sent: readonly Exchange[]): Promise<number> {
  const agents = new Map<string, Agent>();
  const agentOf = (from: string): Agent => {
    const agent = agents.get(from) ?? new Agent({ localAddress: trial.freshAddress() });
    agents.set(from, agent);
    return agent;
  };
  const { origin } = trial.instance;
  let next = 0;
  const worker = async () => {
    for (let exchange = sent[next++]; exchange !== undefined; exchange = sent[next++]) {
      const { method, path, headers, body } = exchange.request;
      const answer = await agentOf(exchange.from).request({ origin, method, path, headers: headers.flat(), body });
      await answer.body.bytes();
    }
  };
  await Promise.all(Array.from({ length: WIDTH }, worker));
  await Promise.all([...agents.values()].map((agent) => agent.close()));
  return sent.length;
}
