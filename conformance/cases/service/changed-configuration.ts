/** Sections 1 and 5: after a reload the new configuration holds, and the old one does not. */
import { change, createFlow } from "../../interface/bodies.ts";
import { validRequest, withProductHeader } from "../../interface/request.ts";
import { describe, isAccepted, type Exchange } from "../../http/exchange.ts";
import type { ConfiguredRoute } from "../../targets/configuration.ts";
import { beforeChange, isOfSecret } from "../../targets/changed-routes.ts";
import type { StandardRoute } from "../../targets/standard-routes.ts";
import type { ChangeAction } from "../../interface/flow-model.ts";
import { IN_FLIGHT } from "../../interface/limits.ts";
import { secretSources } from "../../oracle/request-table.ts";
import { StartError } from "../../foundation/start-error.ts";
import { Failure, failureIn, failureOf } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import {
  check,
  flowOf,
  flowsOf,
  mustAccept,
  mustNotAccept,
  mustRefuse,
  mustTakeTwin,
  setUp,
} from "../../harness/checks.ts";
import { readBack } from "../../harness/flows.ts";
import { hold, keyOf, ninthRefused, type Key } from "../../harness/limit-keys.ts";
import { askElsewhere } from "../../harness/elsewhere.ts";
import { mustNotServe } from "../../harness/served.ts";
import type { Trial } from "../../harness/trial.ts";

type Change = keyof typeof beforeChange;
interface Turn {
  readonly what: Change;
  readonly old: ConfiguredRoute;
  readonly now: ConfiguredRoute;
  /** A flow that was created through the old route, where that was served. */
  readonly flowId: string | undefined;
}

const creation = (trial: Trial, route: ConfiguredRoute): Promise<Exchange> =>
  trial.send(validRequest(route, createFlow("changed")));

async function mustHold(trial: Trial, { what, now }: Turn): Promise<Exchange> {
  return mustAccept(await creation(trial, now), `the route served after a reload that changed ${what}`);
}

async function mustTakeNewSecret(trial: Trial, turn: Turn): Promise<void> {
  await mustHold(trial, turn);
  const old = `the old secret after a reload that changed ${turn.what}`;
  mustRefuse(await creation(trial, turn.old), { status: 401 }, old);
  const other = withProductHeader(validRequest(turn.old, createFlow("changed")), trial.product, turn.old.secret);
  mustRefuse(await trial.send(other), { status: 401 }, `${old}, in the product's header,`);
}

async function mustMove(trial: Trial, turn: Turn): Promise<void> {
  await mustHold(trial, turn);
  mustNotServe(await creation(trial, turn.old));
}

async function mustControlAnew(trial: Trial, turn: Turn): Promise<void> {
  const exchange = await mustHold(trial, turn);
  const { controllerId } = flowOf(exchange);
  const old: StandardRoute = beforeChange[turn.what];
  const isOld = controllerId !== undefined && controllerId === old.controllerId;
  check(!isOld, "the controllerId of the new configuration", "that of the old one", exchange);
}

/** What a change has to lead to, where it is not one of the secret. */
const judges: Readonly<Partial<Record<Change, (trial: Trial, turn: Turn) => Promise<unknown>>>> = {
  "the path": mustMove,
  "the path to its default": mustMove,
  async "the sessionKey"(trial, turn) {
    await mustHold(trial, turn);
    const list = setUp(await trial.send(validRequest(turn.now, { action: "list_flows" })), "list_flows");
    const isThere = flowsOf(list).some(({ flowId }) => flowId === turn.flowId);
    check(!isThere, "no flow of the session that the route was bound to before", "one", list);
  },
  "the controllerId": mustControlAnew,
  "the controllerId to its default": mustControlAnew,
  "a missing secret": mustHold,
  "a secret that goes": async (trial, { old }) =>
    mustRefuse(await creation(trial, old), { status: 401 }, "a secret that the reload took away"),
  "enabled: false": async (trial, { now }) =>
    mustNotAccept(await creation(trial, now), "a route that was disabled not served"),
  "enabled: true": mustHold,
  "enabled: false to its default": mustHold,
};

/** Of these the first configuration serves none. */
const unserved: readonly Change[] = ["enabled: true", "enabled: false to its default", "a missing secret"];

/** A gateway may wait for requests in flight before it loads a configuration: after this time they end, ms. */
const DRAINS_MS = 3000;

/** Requests are in flight when `reload` begins, and until it lets them end. */
async function besideReload(
  trial: Trial,
  key: Key,
  reload: (endBefore: () => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const before = await hold(trial, key, 2);
  let ended: Promise<unknown> | undefined;
  const endBefore = () => (ended ??= before.finish());
  const drained = setTimeout(() => void endBefore().catch(() => {}), DRAINS_MS);
  await reload(endBefore).finally(() => clearTimeout(drained));
}

/** Whether a target counts on or anew after a reload is open; a request of before frees the slot of none of after. */
async function mustLimitStill(trial: Trial, key: Key, endBefore: () => Promise<unknown>): Promise<void> {
  const held = await hold(trial, key, IN_FLIGHT);
  await endBefore();
  await held.refill();
  const ninth = await ninthRefused(trial, key);
  const areHeld = held.uploads.every(({ answered }) => !answered);
  held.abort();
  const expected = "a ninth request refused beside eight of after a reload, when those of before have ended";
  check(ninth !== undefined || !areHeld, expected, "accepted", ...trial.last);
}

/** A change of this flow by its route, where it is shown with this status; undefined where it is not. */
async function changed(
  trial: Trial,
  { old, flowId = "" }: Omit<Turn, "now">,
  action: ChangeAction,
  status?: string,
): Promise<Exchange | undefined> {
  const flow = await readBack(trial, flowId, old);
  const isMeant = flow !== undefined && (status === undefined || flow["status"] === status);
  return isMeant ? trial.post(change(action, flow), old) : undefined;
}

/** Each changed route goes by the new configuration after a reload. */
async function judgeChanges(trial: Trial): Promise<void> {
  const turns: Omit<Turn, "now">[] = [];
  for (const [what, { id }] of Object.entries(beforeChange) as [Change, { id: string }][]) {
    const old = trial.server.configuration.routes.get(id);
    // Its source is not there.
    if (old === undefined) continue;
    // Also where nothing is served yet: a plugin that remembers its refusals would go on with them.
    const exchange = await creation(trial, old);
    const created = unserved.includes(what) ? undefined : mustTakeTwin(exchange);
    turns.push({ what, old, flowId: created && flowOf(created).flowId });
  }
  const judgeTurns = async (routes: ReadonlyMap<string, ConfiguredRoute>, some: typeof turns): Promise<void> => {
    for (const turn of some) {
      const now = routes.get(turn.old.id);
      if (now === undefined) continue;
      const judge = judges[turn.what] ?? mustTakeNewSecret;
      try {
        await judge(trial, { ...turn, now });
      } catch (error) {
        // A new connection tells more only as long as this configuration holds.
        throw failureOf(await askElsewhere(trial, failureIn(error).finding));
      }
    }
  };
  try {
    const ofSecrets = turns.filter(({ what }) => isOfSecret(what));
    // Path, secret and session of this route stay as they are.
    const same = turns.find(({ what }) => what === "the controllerId");
    if (same !== undefined) await changed(trial, same, "set_waiting");
    await trial.server.during("otherSecrets", async (routes) => {
      const resumed = same && (await changed(trial, same, "resume_flow", "waiting"));
      if (resumed !== undefined && !isAccepted(resumed)) {
        const expected = "a flow resumed that was set waiting before a reload";
        throw new Failure(expected, describe(resumed), [resumed], { clause: "STATE-RESUME" });
      }
      await judgeTurns(routes, ofSecrets);
    });
    const key = keyOf(trial.fresh(), { route: same?.old ?? trial.route });
    await besideReload(trial, key, (endBefore) =>
      trial.server.during("afterChange", async (routes) => {
        await mustLimitStill(trial, key, endBefore);
        await judgeTurns(routes, turns);
      }),
    );
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    const seen = { what: error.message };
    throw new Failure("the changed configuration loaded", "a refusal to load it", [], { seen });
  }
}

export const changedConfigurationCases: readonly Case[] = [
  {
    id: "CONFIG-CHANGED",
    title: "After a reload new secrets, paths, sessions and controllers hold, and old ones do not",
    clauses: [
      "COLD-RESTART",
      "SECRET-SNAPSHOT",
      "CONFIG-ENABLED",
      "PATH-SERVED",
      "SESSION-BOUND",
      "CONFIG-CONTROLLER",
      "IN-FLIGHT-8",
      "STATE-RESUME",
    ],
    variant: "beforeChange",
    needs: ["snapshot"],
    uses: secretSources,
    meetsLimits: true,
    requests: 4,
    reading:
      "A reload activates what was corrected (section 5): first secrets alone, then any field. A plugin that is registered " +
      "again and keeps what it read before would go on with it. Requests in flight meanwhile free no slot of later ones, and " +
      "a flow that waits still is resumed.",
    run: judgeChanges,
  },
];
