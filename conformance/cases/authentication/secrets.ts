/** Section 5: where a route's secret comes from, and when it is resolved. */
import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { createFlow } from "../../interface/bodies.ts";
import { withBearer } from "../../interface/request.ts";
import { describe, isAccepted } from "../../http/exchange.ts";
import { secretPlace } from "../../targets/build-configuration.ts";
import { specialRoutes, type SpecialRoute } from "../../targets/standard-routes.ts";
import { NotApplicable } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustAccept, mustRefuse, setUp, mustTakeTwin } from "../../harness/checks.ts";
import type { Trial } from "../../harness/trial.ts";

/** Sources outside of the configuration and the environment, and the routes whose secrets are kept there, or missing. */
const outside = { file: "fileSecret", exec: "execSecret", store: "storeSecret" } as const;
const cold = { file: "coldFile", exec: "coldExec", store: "coldStore" } as const;
const outsideNames = Object.keys(outside) as (keyof typeof outside)[];

/** Secrets that are inline or in the environment: the REQUEST cases. */
const sourceCases: readonly Case[] = outsideNames.map((name) => ({
  id: `SECRET-${name.toUpperCase()}`,
  title: `A secret of source ${name} is accepted, and no other`,
  clauses: [`SECRET-${name.toUpperCase() as Uppercase<typeof name>}`, "SECRETREF-FIELDS"],
  needs: [`secret-${name}`],
  requests: 2,
  async run(trial) {
    const request = trial.right(createFlow(), trial.special(outside[name]));
    mustAccept(await trial.send(request));
    mustRefuse(await trial.send(withBearer(request, `wrong-${randomUUID()}`)), { status: 401 });
  },
}));

/** A target that follows its sources would use a new secret within this time, ms. */
const NOTICE_MS = 400;

/** A snapshot that expires is a cache. */
const LATER_MS = 3_600_000;

/** The file that holds a route's secret. */
function placeOf(trial: Trial, name: SpecialRoute): string {
  const { target, stateDir } = trial.instance;
  const place = secretPlace(target, specialRoutes[name], stateDir);
  if (place === undefined) throw new NotApplicable("the target file does not say where this secret is kept");
  return place;
}

/** Changes a file at once: cases side by side may each change their part of one file. */
function edit(place: string, change: (content: string) => string): void {
  let content: string;
  try {
    content = readFileSync(place, "utf8");
  } catch {
    throw new NotApplicable("the file that holds this secret cannot be read by the kit");
  }
  writeFileSync(place, change(content));
}

/** Sets the secret that was missing in a file of several, or takes it out again. */
const withSecret = (id: string, secret: string | undefined) => (content: string) =>
  JSON.stringify({ ...(JSON.parse(content) as object), [id]: secret });

const snapshotCases: readonly Case[] = outsideNames.map((name): Case => ({
  id: `SECRET-SNAPSHOT-${name.toUpperCase()}`,
  title: `A secret of source ${name} that changes at run time changes nothing until a restart`,
  clauses: ["SECRET-SNAPSHOT"],
  needs: [`secret-${name}`, "restart"],
  alone: true,
  idles: true,
  clock: "driven",
  requests: 30,
  reading:
    "A startup snapshot does not expire; a cache that is refreshed after a while is not a snapshot. Where the clock can " +
    "be driven the secret is tried again an hour later.",
  async run(trial) {
    const route = trial.special(outside[name]);
    const place = placeOf(trial, outside[name]);
    const changed = `changed-${randomUUID()}`;
    const request = trial.right(createFlow(), route);
    mustTakeTwin(await trial.send(request));
    edit(place, (content) => content.replaceAll(route.secret, changed));
    try {
      await trial.until(async () => isAccepted(await trial.send(withBearer(request, changed))), NOTICE_MS, 40);
      for (const laterMs of trial.driven ? [0, LATER_MS] : [0]) {
        if (laterMs > 0) await trial.pass(laterMs);
        mustRefuse(await trial.send(withBearer(request, changed)), { status: 401 });
        mustAccept(await trial.send(request), "the secret of the start-up snapshot accepted");
      }
    } finally {
      edit(place, (content) => content.replaceAll(changed, route.secret));
    }
  },
}));

const coldCases: readonly Case[] = outsideNames.map((name): Case => ({
  id: `SECRET-SNAPSHOT-COLD-${name.toUpperCase()}`,
  title: `A secret of source ${name} that appears at run time opens no route until a restart`,
  clauses: ["SECRET-SNAPSHOT", "COLD-ROUTE"],
  needs: [`secret-${name}`, "restart"],
  alone: true,
  idles: true,
  requests: 30,
  async run(trial) {
    setUp(await trial.post(createFlow(), trial.special(outside[name])), `a secret of source ${name}`);
    const route = trial.special(cold[name]);
    const place = placeOf(trial, cold[name]);
    mustRefuse(await trial.post(createFlow(), route), { status: 401 });
    const source = trial.instance.target.secretSources[name];
    const isShared = source !== undefined && "json" in source;
    if (isShared) edit(place, withSecret(route.id, route.secret));
    else {
      await mkdir(dirname(place), { recursive: true });
      await writeFile(place, route.secret, { mode: 0o600 });
    }
    try {
      const opened = await trial.until(async () => isAccepted(await trial.post(createFlow(), route)), NOTICE_MS, 40);
      check(!opened, "401 until a restart", "accepted once the secret was there");
      const exchange = await trial.post(createFlow(), route);
      check(exchange.answer?.status === 401, "401 until a restart", describe(exchange), exchange);
    } finally {
      if (isShared) edit(place, withSecret(route.id, undefined));
      else await rm(place, { force: true });
    }
  },
}));

export const secretCases: readonly Case[] = [
  ...sourceCases,
  ...snapshotCases,
  ...coldCases,
  {
    id: "SECRET-COLD-RESTART",
    title: "After a restart the secret of a corrected source is accepted",
    clauses: ["COLD-RESTART"],
    variant: "secretResolved",
    requests: 2,
    async run(trial) {
      const request = trial.right(createFlow(), trial.special("cold"));
      mustAccept(await trial.send(request));
      mustRefuse(await trial.send(withBearer(request, `wrong-${randomUUID()}`)), { status: 401 });
    },
  },
];
