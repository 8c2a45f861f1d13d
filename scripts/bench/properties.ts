/** How many requests the properties judge without sockets, compared with the handler alone. */
import { tmpdir } from "node:os";
import { readProfile } from "../../conformance/interface/profile.ts";
import { directExecutors } from "../../conformance/properties/play/direct-executor.ts";
import { properties as all } from "../../conformance/properties/index.ts";
import { search } from "../../conformance/properties/search.ts";
import { directSubject } from "../../conformance/proof/direct.ts";
import { validRequest } from "../../fixtures/request.ts";
import type { Measure } from "./measure.ts";

const REQUESTS = 40_000;
const options = { product: "service", stateDir: tmpdir(), timeoutMs: 20_000, log: () => {} };

/** Requests in a second of processor time. */
async function rateOf(work: () => Promise<number>): Promise<number> {
  const start = process.cpuUsage();
  const requests = await work();
  const { user, system } = process.cpuUsage(start);
  return requests / ((user + system) / 1e6);
}

/** Seed after seed, every answer judged. */
async function judged(): Promise<number> {
  const profile = await readProfile("reference", ".");
  let requests = 0;
  for (let seed = 1; requests < REQUESTS; seed += 1) {
    for (const property of all) {
      const executor = directExecutors(directSubject({}), options);
      const searched = await search(property, { profile, executor, depth: { seed } });
      if (searched.found !== undefined) throw new Error(`${property.id} found a fault in the kit's own plugin`);
      requests += searched.requests;
    }
  }
  return requests;
}

/** The cheapest request again and again. */
async function alone(): Promise<number> {
  const { send, routes } = await directExecutors(directSubject({}), options)();
  const request = validRequest(routes.route, { action: "find_latest_flow" });
  for (let sent = 0; sent < REQUESTS; sent += 1) await send(request, Math.floor(sent / 100));
  return REQUESTS;
}

export const properties: Measure = {
  about: "Requests in a second of processor time, the plugin's handler called without sockets.",
  async measure() {
    // The first round compiles.
    await alone();
    const handler = await rateOf(alone);
    const [what, unit] = ["the handler alone, one read again and again", "requests/CPU s"];
    return [
      { what, unit, value: handler },
      { what: "the properties, every answer judged", unit, value: await rateOf(judged), against: what },
    ];
  },
};
