/** A property's requests on a target, compared with the same requests sent by undici alone. */
import { Agent } from "undici";
import type { Case } from "../../conformance/harness/case.ts";
import type { Exchange } from "../../conformance/http/exchange.ts";
import { readProfile } from "../../conformance/interface/profile.ts";
import { httpExecutors } from "../../conformance/oracle/play/http-executor.ts";
import { search } from "../../conformance/properties/search.ts";
import { states } from "../../conformance/properties/definitions/flow-states.ts";
import { runContext } from "../../conformance/run/context.ts";
import { run } from "../../conformance/run/run.ts";
import { keyringFor } from "../../conformance/targets/secrets-file.ts";
import { readTarget } from "../../conformance/targets/target-file.ts";
import type { Measure } from "./measure.ts";
import type { Trial } from "../../conformance/harness/trial.ts";

const REQUESTS = 6000;
/** Requests at the same time: as many as a search plays stories. */
const WIDTH = 8;

interface Measured {
  readonly requests: number;
  readonly ms: number;
}

const rateOf = ({ requests, ms }: Measured): number => (requests / ms) * 1000;

export const sockets: Measure = {
  about:
    "Requests a second to the embedded gateway in a process of its own: the stories of PROPERTY-STATES, eight at a time.",
  async measure() {
    const target = await readTarget("conformance/examples/embedded.json");
    const profile = await readProfile("reference", ".");
    const [kit, undici] = [
      { requests: 0, ms: 0 },
      { requests: 0, ms: 0 },
    ];
    const add = (sum: typeof kit, { requests, ms }: Measured) => {
      sum.requests += requests;
      sum.ms += ms;
    };
    const measured: Case = {
      id: "BENCH-SOCKETS",
      title: "the rates at socket level",
      clauses: [],
      level: "must",
      alone: true,
      needs: ["addresses"],
      meetsLimits: true,
      requests: REQUESTS,
      longestMs: 600_000,
      async run(trial) {
        // In turns, so that what else the machine does counts for both.
        for (let seed = 1; kit.requests < REQUESTS; seed += 1) {
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
    const [what, unit] = ["undici alone, the same requests", "requests/s"];
    return [
      { what, unit, value: rateOf(undici) },
      { what: "the kit, every answer judged", unit, value: rateOf(kit), against: what },
    ];
  },
};

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

/** The same bytes from as many addresses, so that no client exceeds its budget. The answers are read, not judged. */
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
