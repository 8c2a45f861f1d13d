/** Section 5: where a route's secret comes from, when it is resolved, and the route whose secret is missing. */
import { randomUUID } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { createFlow } from "../../../fixtures/bodies.ts";
import { validRequest, withHeader, withoutHeader, withProductHeader, type Request } from "../../../fixtures/request.ts";
import type { Case } from "../../harness/case.ts";
import type { Capability } from "../../harness/capability.ts";
import { check, mustAccept, mustRefuse, setUp, twin } from "../../harness/checks.ts";
import type { ClauseId } from "../../interface/clauses/index.ts";
import { NotApplicable } from "../../harness/case-errors.ts";
import { describe, envelopeOf, isAccepted } from "../../http/exchange.ts";
import { secretPlace } from "../../targets/configuration.ts";
import type { Route } from "../../targets/configured.ts";
import { specialRoutes, type SpecialRoute } from "../../targets/standard-routes.ts";
import type { Trial } from "../../harness/trial.ts";

interface Source {
  readonly name: string;
  readonly clauses: readonly ClauseId[];
  readonly route: (trial: Trial) => Route;
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
  title: `A secret of source ${name} lets its holder in, and only it`,
  clauses,
  level: "must",
  needs,
  requests: 2,
  async run(trial) {
    const request = validRequest(route(trial), createFlow());
    mustAccept(await trial.send(request));
    mustRefuse(await trial.send(withHeader(request, "authorization", `Bearer wrong-${randomUUID()}`)), { status: 401 });
  },
}));

/** What somebody might try on a route whose secret could not be resolved. */
interface Guess {
  readonly id: string;
  readonly title: string;
  requests(trial: Trial, right: Request): Request[];
}

const bearer = (request: Request, value: string) => withHeader(request, "authorization", `Bearer ${value}`);

export const bothHeaders = (trial: Trial, right: Request, value: string) => [
  bearer(right, value),
  withProductHeader(right, trial.product, value),
];

const guesses: readonly Guess[] = [
  {
    id: "WITHOUT-SECRET",
    title: "no secret, or an empty one",
    requests: (trial, right) => [withoutHeader(right, "authorization"), ...bothHeaders(trial, right, "")],
  },
  {
    id: "ANY-SECRET",
    title: "the secret that its source would hold, another route's or any other",
    requests: (trial, right) => [
      right,
      bearer(right, trial.special("explicitlyEnabled").secret),
      bearer(right, `any-${randomUUID()}`),
    ],
  },
  {
    id: "REFERENCE-TEXT",
    title: "the text of its SecretRef, or what code makes of a missing value",
    requests(trial, right) {
      const id = trial.special("cold").variable;
      const reference = { source: "env", provider: "default", id };
      const texts = [id, `\${${id}}`, `env:default:${id}`, JSON.stringify(reference), "[object Object]"];
      return [...texts, "undefined", "null", "false", "default"].flatMap((text) => bothHeaders(trial, right, text));
    },
  },
];

const coldCases: readonly Case[] = guesses.map(({ id, title, requests }) => ({
  id: `SECRET-COLD-${id}`,
  title: `A route whose secret could not be resolved answers 401 to ${title}`,
  clauses: ["COLD-ROUTE"],
  level: "must",
  requests: 20,
  async run(trial) {
    twin(await trial.post(createFlow(), trial.special("explicitlyEnabled")));
    for (const request of requests(trial, validRequest(trial.special("cold"), createFlow()))) {
      mustRefuse(await trial.send(request), { status: 401 });
    }
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

/** A target that follows its sources takes a new secret up within this time, ms. */
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

/** How old the snapshot is when it is looked at. */
const ages = [
  { id: "", what: "changes nothing until a restart", more: { needs: [] as const } },
  {
    id: "-AN-HOUR-OLD",
    what: "changes nothing an hour later either",
    more: {
      needs: ["clock"] as const,
      seconds: 3600,
      reading: "A snapshot of the start does not grow old: a cache that looks again after a while is none.",
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
      const request = validRequest(route, createFlow());
      twin(await trial.send(request));
      await writeFile(place, content.replaceAll(route.secret, changed));
      try {
        if (more.seconds !== undefined) await trial.pass(more.seconds * 1000);
        await trial.until(async () => isAccepted(await trial.send(bearer(request, changed))), NOTICE_MS, 40);
        mustRefuse(await trial.send(bearer(request, changed)), { status: 401 });
        mustAccept(await trial.send(request), "the secret of the start-up snapshot accepted");
      } finally {
        await writeFile(place, content);
      }
    },
  })),
);

export const secretCases: readonly Case[] = [
  ...sourceCases,
  ...coldCases,
  ...snapshotCases,
  {
    id: "SECRET-COLD-REGISTERED",
    title: "A route whose secret could not be resolved answers in its own name",
    clauses: ["COLD-ROUTE"],
    level: "must",
    requests: 2,
    reading:
      "Registered means that the route itself answers: the envelope of its 401 has its routeId. A target whose 401 never has one cannot show it.",
    async run(trial) {
      const live = validRequest(trial.special("explicitlyEnabled"), createFlow());
      twin(await trial.send(live));
      const usual = envelopeOf(await trial.send(bearer(live, `wrong-${randomUUID()}`)));
      if (usual?.routeId === undefined) throw new NotApplicable("no 401 of the target has a routeId");
      const cold = trial.special("cold");
      const exchange = mustRefuse(await trial.post(createFlow(), cold), { status: 401 });
      const { ok, routeId } = envelopeOf(exchange) ?? {};
      check(ok === false && routeId === cold.id, "an envelope with the route's routeId", "none", exchange);
    },
  },
  {
    id: "SECRET-COLD-GENERIC",
    title: "The 401 of a route without its secret reads like that of a wrong secret",
    clauses: ["COLD-ROUTE"],
    level: "should",
    requests: 2,
    reading: "Generic: code, error, result and challenge are those of any other authentication failure.",
    async run(trial) {
      const live = validRequest(trial.special("explicitlyEnabled"), createFlow());
      twin(await trial.send(live));
      const wrong = `wrong-${randomUUID()}`;
      const usual = mustRefuse(await trial.send(bearer(live, wrong)), { status: 401 });
      const cold = mustRefuse(await trial.send(bearer(validRequest(trial.special("cold"), createFlow()), wrong)), {
        status: 401,
      });
      for (const field of ["code", "error", "result"] as const) {
        const same = isDeepStrictEqual(envelopeOf(usual)?.[field], envelopeOf(cold)?.[field]);
        check(same, `the ${field} of any other 401`, `another ${field}`, usual, cold);
      }
      const [usualChallenge, coldChallenge] = [usual, cold].map((exchange) =>
        exchange.answer?.headers.get("www-authenticate")?.join(", "),
      );
      check(usualChallenge === coldChallenge, "the challenge of any other 401", "another challenge", usual, cold);
    },
  },
  {
    id: "SECRET-COLD-OTHERS",
    title: "Other routes go on beside one whose secret could not be resolved",
    clauses: ["COLD-OTHERS"],
    level: "must",
    requests: 3,
    reading: "Also the routes that share its session and its kind of secret.",
    async run(trial) {
      mustRefuse(await trial.post(createFlow(), trial.special("cold")), { status: 401 });
      for (const route of [trial.special("explicitlyEnabled"), trial.route, trial.sibling, trial.stranger]) {
        mustAccept(await trial.post(createFlow(), route));
      }
    },
  },
  {
    id: "SECRET-COLD-RESTART",
    title: "A corrected source lets its holder in after a restart",
    clauses: ["COLD-RESTART"],
    level: "must",
    variant: "secretResolved",
    requests: 2,
    async run(trial) {
      const request = validRequest(trial.special("cold"), createFlow());
      mustAccept(await trial.send(request));
      mustRefuse(await trial.send(bearer(request, `wrong-${randomUUID()}`)), { status: 401 });
    },
  },
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
