/** Section 5: where a route's secret comes from, and when it is resolved. */
import { randomUUID } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { createFlow } from "../../../fixtures/bodies.ts";
import { withBearer, withHeader } from "../../../fixtures/request.ts";
import type { ClauseId } from "../../interface/clauses/index.ts";
import { describe, isAccepted } from "../../http/exchange.ts";
import { secretPlace } from "../../targets/build-configuration.ts";
import type { ConfiguredRoute } from "../../targets/configuration.ts";
import { specialRoutes, type SpecialRoute } from "../../targets/standard-routes.ts";
import type { Capability } from "../../harness/capability.ts";
import { NotApplicable } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustAccept, mustRefuse, setUp, twin } from "../../harness/checks.ts";
import type { Trial } from "../../harness/trial.ts";

interface Source {
  readonly name: string;
  readonly clauses: readonly ClauseId[];
  readonly route: (trial: Trial) => ConfiguredRoute;
  readonly needs?: readonly Capability[];
}

const sources: readonly Source[] = [
  { name: "inline", clauses: ["SECRET-PLAIN"], route: (trial) => trial.sibling },
  { name: "env", clauses: ["SECRET-ENV", "SECRETREF-FIELDS"], route: (trial) => trial.route },
  {
    name: "file",
    clauses: ["SECRET-FILE", "SECRETREF-FIELDS"],
    route: (trial) => trial.special("fileSecret"),
    needs: ["secret-file"],
  },
  {
    name: "exec",
    clauses: ["SECRET-EXEC", "SECRETREF-FIELDS"],
    route: (trial) => trial.special("execSecret"),
    needs: ["secret-exec"],
  },
  {
    name: "store",
    clauses: ["SECRET-STORE", "SECRETREF-FIELDS"],
    route: (trial) => trial.special("storeSecret"),
    needs: ["secret-store"],
  },
];

const sourceCases: readonly Case[] = sources.map(({ name, clauses, route, needs = [] }) => ({
  id: `SECRET-${name.toUpperCase()}`,
  title: `A secret of source ${name} is accepted, and no other`,
  clauses,
  level: "must",
  needs,
  requests: 2,
  async run(trial) {
    const request = trial.right(createFlow(), route(trial));
    mustAccept(await trial.send(request));
    mustRefuse(await trial.send(withHeader(request, "authorization", `Bearer wrong-${randomUUID()}`)), { status: 401 });
  },
}));

/** A source whose content can be changed while the target runs. */
interface Changeable {
  readonly name: "file" | "exec" | "store";
  readonly route: SpecialRoute;
}

const changeables: readonly Changeable[] = [
  { name: "file", route: "fileSecret" },
  { name: "exec", route: "execSecret" },
  { name: "store", route: "storeSecret" },
];

/** A target that follows its sources would use a new secret within this time, ms. */
const NOTICE_MS = 400;

/** The file that holds a route's secret. */
function placeOf(trial: Trial, name: SpecialRoute): string {
  const { target, stateDir } = trial.instance;
  const place = secretPlace(target, specialRoutes[name], stateDir);
  if (place === undefined) throw new NotApplicable("the target file does not say where this secret is kept");
  return place;
}

async function contentOf(place: string): Promise<string> {
  try {
    return await readFile(place, "utf8");
  } catch {
    throw new NotApplicable("the file that holds this secret cannot be read by the kit");
  }
}

/** Ages of the snapshot when the case checks it. */
const ages = [
  { id: "", what: "changes nothing until a restart", more: { needs: [] as const } },
  {
    id: "-AN-HOUR-OLD",
    what: "changes nothing an hour later either",
    more: {
      needs: ["clock"] as const,
      seconds: 3600,
      reading: "A startup snapshot does not expire; a cache that is refreshed after a while is not a snapshot.",
    },
  },
];

const snapshotCases: readonly Case[] = changeables.flatMap(({ name, route: special }) =>
  ages.map(({ id, what, more: { needs, ...more } }): Case => ({
    id: `SECRET-SNAPSHOT-${name.toUpperCase()}${id}`,
    title: `A secret of source ${name} that changes at run time ${what}`,
    clauses: ["SECRET-SNAPSHOT"],
    level: "must",
    needs: [`secret-${name}`, "restart", ...needs],
    alone: true,
    idles: true,
    requests: 30,
    ...more,
    async run(trial) {
      const route = trial.special(special);
      const place = placeOf(trial, special);
      const content = await contentOf(place);
      const changed = `changed-${randomUUID()}`;
      const request = trial.right(createFlow(), route);
      twin(await trial.send(request));
      await writeFile(place, content.replaceAll(route.secret, changed));
      try {
        if (more.seconds !== undefined) await trial.pass(more.seconds * 1000);
        await trial.until(async () => isAccepted(await trial.send(withBearer(request, changed))), NOTICE_MS, 40);
        mustRefuse(await trial.send(withBearer(request, changed)), { status: 401 });
        mustAccept(await trial.send(request), "the secret of the start-up snapshot accepted");
      } finally {
        await writeFile(place, content);
      }
    },
  })),
);

export const secretCases: readonly Case[] = [
  ...sourceCases,
  ...snapshotCases,
  {
    id: "SECRET-SNAPSHOT-COLD-FILE",
    title: "A secret file that appears at run time opens no route until a restart",
    clauses: ["SECRET-SNAPSHOT", "COLD-ROUTE"],
    level: "must",
    needs: ["secret-file", "restart"],
    alone: true,
    idles: true,
    requests: 30,
    async run(trial) {
      setUp(await trial.post(createFlow(), trial.special("fileSecret")), "a secret of source file");
      const route = trial.special("coldFile");
      const place = placeOf(trial, "coldFile");
      mustRefuse(await trial.post(createFlow(), route), { status: 401 });
      const { file: source } = trial.instance.target.secretSources;
      const isShared = source !== undefined && "json" in source;
      const before = isShared ? await contentOf(place) : undefined;
      const content =
        before === undefined
          ? route.secret
          : JSON.stringify({ ...(JSON.parse(before) as object), [specialRoutes.coldFile.id]: route.secret });
      await mkdir(dirname(place), { recursive: true });
      await writeFile(place, content, { mode: 0o600 });
      try {
        const opened = await trial.until(async () => isAccepted(await trial.post(createFlow(), route)), NOTICE_MS, 40);
        check(!opened, "401 until a restart", "accepted once the file was there");
        const exchange = await trial.post(createFlow(), route);
        check(exchange.answer?.status === 401, "401 until a restart", describe(exchange), exchange);
      } finally {
        if (before === undefined) await rm(place, { force: true });
        else await writeFile(place, before);
      }
    },
  },
];
