/** Section 5: where a route's secret comes from, and when it is resolved. */
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { createFlow } from "../../interface/bodies.ts";
import { withBearer } from "../../interface/request.ts";
import { isAccepted } from "../../http/exchange.ts";
import { secretPlace } from "../../targets/build-configuration.ts";
import { specialRoutes, type SpecialRoute } from "../../targets/standard-routes.ts";
import { NotApplicable } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { mustAccept, mustRefuse, mustTakeTwin } from "../../harness/checks.ts";
import type { Trial } from "../../harness/trial.ts";

/** Sources outside of the configuration and the environment, and the routes whose secrets are kept there, or missing. */
const outside = { file: "fileSecret", exec: "execSecret", store: "storeSecret" } as const;
const cold = { file: "coldFile", exec: "coldExec", store: "coldStore" } as const;
const outsideNames = Object.keys(outside) as (keyof typeof outside)[];

/** The route's own secret is accepted, and no other. */
const accepted = (route: SpecialRoute, about: Omit<Case, "requests" | "run">): Case => ({
  ...about,
  requests: 2,
  async run(trial) {
    const request = trial.right(createFlow(), trial.special(route));
    mustAccept(await trial.send(request));
    mustRefuse(await trial.send(withBearer(request, `wrong-${randomUUID()}`)), { status: 401 }, "another secret");
  },
});

/** A target that follows its sources would use a new secret within this time, ms. */
const NOTICE_MS = 400;

/** A snapshot that expires is a cache. */
const LATER_MS = 3_600_000;

/** Has a source hold this secret for a route when it is read again; returns what takes that back. */
function put(trial: Trial, name: SpecialRoute, secret: string): () => void {
  const { target, stateDir } = trial.server;
  const place = secretPlace(target, specialRoutes[name], stateDir);
  if (place === undefined) throw new NotApplicable("the target file does not say where this secret is kept");
  const { id, secret: own } = trial.special(name);
  const edit = (change: (content: string) => string) => writeFileSync(place, change(readFileSync(place, "utf8")));
  const hold = (value?: string) => edit((content) => JSON.stringify({ ...JSON.parse(content), [id]: value }));
  const replace = (old: string, value: string) => edit((content) => content.replaceAll(old, value));
  try {
    if (!existsSync(place)) {
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, secret, { mode: 0o600 });
      return () => rmSync(place, { force: true });
    }
    // Cases side by side each change their part of a file with several secrets.
    const isMissing = !readFileSync(place, "utf8").includes(own);
    if (isMissing) hold(secret);
    else replace(own, secret);
    return () => (isMissing ? hold() : replace(secret, own));
  } catch {
    throw new NotApplicable("the file that holds this secret cannot be read and written by the kit");
  }
}

/** A secret that changes, or one that was missing and appears. */
const snapshotCase = (name: keyof typeof outside, isCold: boolean): Case => ({
  id: `SECRET-SNAPSHOT-${isCold ? "COLD-" : ""}${name.toUpperCase()}`,
  title: isCold
    ? `A secret from source ${name} that appears at run time opens no route until a restart`
    : `A secret from source ${name} that changes at run time has no effect until a restart`,
  clauses: ["SECRET-SNAPSHOT", ...(isCold ? (["COLD-ROUTE"] as const) : [])],
  needs: [`secret-${name}`, "restart"],
  alone: true,
  idles: true,
  clock: "driven",
  requests: 30,
  reading:
    "A startup snapshot does not expire; a cache that is refreshed after a while is not a snapshot. Where the clock can " +
    "be driven the secret is tried again an hour later.",
  async run(trial) {
    const special = (isCold ? cold : outside)[name];
    const route = trial.special(special);
    mustTakeTwin(await trial.post(createFlow(), trial.special(outside[name])));
    const secret = isCold ? route.secret : `changed-${randomUUID()}`;
    const right = trial.right(createFlow(), route);
    const later = withBearer(right, secret);
    const takeBack = put(trial, special, secret);
    try {
      await trial.until(async () => isAccepted(await trial.send(later)), NOTICE_MS, 40);
      for (const laterMs of trial.driven ? [0, LATER_MS] : [0]) {
        if (laterMs > 0) await trial.pass(laterMs);
        mustRefuse(await trial.send(later), { status: 401 }, "a secret that its source got at run time");
        if (!isCold) mustAccept(await trial.send(right), "the secret of the start-up snapshot accepted");
      }
    } finally {
      takeBack();
    }
  },
});

export const secretCases: readonly Case[] = [
  // Secrets that are inline or in the environment: the REQUEST cases.
  ...outsideNames.map((name) =>
    accepted(outside[name], {
      id: `SECRET-${name.toUpperCase()}`,
      title: `A secret from source ${name} is accepted, and no other`,
      clauses: [`SECRET-${name.toUpperCase() as Uppercase<typeof name>}`, "SECRETREF-FIELDS"],
      needs: [`secret-${name}`],
    }),
  ),
  ...outsideNames.flatMap((name) => [snapshotCase(name, false), snapshotCase(name, true)]),
  accepted("cold", {
    id: "SECRET-COLD-RESTART",
    title: "A route whose secret could not be resolved accepts it after a restart",
    clauses: ["COLD-RESTART"],
    variant: "pairedFields",
  }),
];
