/** The kit's side of the optional control port, which does what requests cannot: drive the clock, end child tasks, fail persistence. */
import { z } from "zod";
import { untilAborted } from "../foundation/until-aborted.ts";
import { HarnessError } from "../http/harness-error.ts";
import { Client } from "../http/client.ts";
import { textOf } from "../http/exchange.ts";
import type { Request } from "../interface/request.ts";
import { CONTROL_TOKEN } from "./keyring.ts";
import { HOME_ADDRESS } from "./lanes.ts";

const controlCapabilities = ["clock", "children", "persistence", "sessions", "logs", "snapshot", "reload"] as const;
export type ControlCapability = (typeof controlCapabilities)[number];

export type PersistenceFault = "create" | "update" | "task" | "cancel";

/** After this many calls without an answer in a row, later ones wait for a short time only. */
const CALLS_IN_VAIN = 3;
const SHORT_TIMEOUT_MS = 1000;

/** A bound, since every leak case searches for each canary in many forms. */
const MAX_CANARIES = 100;

const MAX_LEFT = 1000;

const TOKEN_SENT = `: expected is the token that the target was given as ${CONTROL_TOKEN} (with baseUrl: in secrets.env)`;

const capabilitiesAnswer = z.object({
  capabilities: z.array(z.string()),
  /** Values planted in owner and requester fields: none may ever be in an answer. */
  canaries: z.array(z.string().min(8).max(200)).max(MAX_CANARIES).default([]),
  /** Of a gateway that hosts a plugin: what the plugin's runtime checks by itself. */
  runtime: z.enum(["bare", "checking"]).optional().catch(undefined),
  /** The kit's own gateway says so: what it leaves undone is the plugin's. */
  gateway: z.literal("embedded").optional().catch(undefined),
});
const seedAnswer = z.object({ flowId: z.string(), revision: z.int() });
const reloadAnswer = z.object({ refused: z.string().max(10_000).optional() });
const leftAnswer = z.object({
  left: z.array(z.object({ flowId: z.string(), action: z.string().max(50), check: z.string().max(50) })).max(MAX_LEFT),
});

/** A change that a hosted plugin has let through: `check` is what it did not look at. */
export type UncheckedChange = z.infer<typeof leftAnswer>["left"][number];

/** `the plugin does not check the status of resume_flow, and its runtime carries the request out`; undefined for none. */
export function leftInWords(left: readonly UncheckedChange[]): string | undefined {
  const checks = new Set(left.map(({ action, check }) => `the ${check} of ${action}`));
  const unchecked = `the plugin does not check ${[...checks].join(", ")}`;
  return checks.size === 0 ? undefined : `${unchecked}, and its runtime carries the request out`;
}

const logsAnswer = z.object({ lines: z.array(z.string()) });

export type Control = Awaited<ReturnType<typeof connectControl>>;

/**
 * Asks a control port what it can do. `url`: without a trailing slash; `timeoutMs`: for each answer. Throws `HarnessError`,
 * and the signal's reason.
 */
export async function connectControl(url: string, token: string, timeoutMs: number, signal?: AbortSignal) {
  const { call, close } = callsTo(url, token, timeoutMs);
  const asked = call("GET", "/capabilities", undefined, capabilitiesAnswer);
  const said = await untilAborted(signal, asked, close).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    capabilities: offeredIn(said.capabilities),
    ...clockOf(call),
    canaries: said.canaries as readonly string[],
    runtime: said.runtime,
    isOwnGateway: said.gateway === "embedded",

    /** Ends a child task (`succeeded`, `failed` ...) or sets it `running`. */
    async settle(flowId: string, taskId: string, status: string): Promise<void> {
      await call("POST", "/tasks/settle", { flowId, taskId, status }, z.unknown());
    },

    /** Sets the operations whose persistence fails from now on; an empty list ends all faults. */
    async persistence(fail: readonly PersistenceFault[]): Promise<void> {
      await call("POST", "/persistence", { fail }, z.unknown());
    },

    /** Stores a flow in any session, managed or not. */
    seed: (flow: { sessionKey: string; managed?: boolean; status?: string; goal?: string }) =>
      call("POST", "/flows/seed", flow, seedAnswer),

    /**
     * Has the target read its configuration file again, with these variables set (null: removed), as after a new start.
     * Returns why it refused, or undefined.
     */
    async reload(environment: Readonly<Record<string, string | null>>): Promise<string | undefined> {
      return (await call("POST", "/reload", { environment }, reloadAnswer)).refused;
    },

    /** What a plugin left to its bare runtime, which carried it out; nothing where the port does not say. */
    async left(): Promise<readonly UncheckedChange[]> {
      if (said.runtime !== "bare") return [];
      return (await call("GET", "/left", undefined, leftAnswer).catch(() => ({ left: [] }))).left;
    },

    /** What the embedded gateway's process printed while it answered these clients; nothing of another gateway. */
    async printedFor(addresses: readonly string[]): Promise<readonly string[]> {
      if (said.gateway !== "embedded") return [];
      return (await call("POST", "/printed", { addresses }, logsAnswer).catch(() => ({ lines: [] }))).lines;
    },

    logs: async () => (await call("GET", "/logs", undefined, logsAnswer)).lines,

    /** Closes the connections; a call in progress fails. */
    close,
  };
}

function clockOf(call: ReturnType<typeof callsTo>["call"]) {
  const passed = { least: 0, most: 0 };
  return {
    /** How far the target's clock has come for certain, and at most, ms. */
    passed: passed as { readonly least: number; readonly most: number },

    /** Advances the target's clock; settles after the timers that fell due have run. */
    async advance(ms: number): Promise<void> {
      passed.most += ms;
      await call("POST", "/clock/advance", { ms }, z.unknown());
      passed.least += ms;
    },
  };
}

/** What reads its configuration again takes a new snapshot of it. */
function offeredIn(names: readonly string[]): ReadonlySet<ControlCapability> {
  const offered = names.includes("reload") ? [...names, "snapshot"] : names;
  return new Set(controlCapabilities.filter((name) => offered.includes(name)));
}

/** JSON calls whose answers are bounded in time and size. */
function callsTo(url: string, token: string, timeoutMs: number) {
  const { origin, pathname } = new URL(url);
  const patient = new Client(origin, timeoutMs);
  const hasty = new Client(origin, Math.min(timeoutMs, SHORT_TIMEOUT_MS));
  const headers: Request["headers"] = [["authorization", `Bearer ${token}`]];
  /** Calls without an answer since the last one that had one. */
  let inVain = 0;
  return {
    async call<T>(method: "GET" | "POST", path: string, body: unknown, shape: z.ZodType<T>): Promise<T> {
      const json = body === undefined ? "" : JSON.stringify(body);
      const request = {
        method,
        path: pathname.replace(/\/$/, "") + path,
        headers: json === "" ? headers : [...headers, ["content-type", "application/json"] as const],
        body: new TextEncoder().encode(json),
      };
      const { answer, fault } = await (inVain < CALLS_IN_VAIN ? patient : hasty).send(request, HOME_ADDRESS);
      inVain = answer === undefined ? inVain + 1 : 0;
      if (answer === undefined)
        throw new HarnessError(`the control port's ${method} ${path} was not answered: ${fault}`);
      if (answer.status === 401)
        throw new HarnessError(`the control port answered ${method} ${path} with 401${TOKEN_SENT}`);
      if (answer.status !== 200)
        throw new HarnessError(`the control port answered ${method} ${path} with ${answer.status}, expected 200`);
      try {
        return shape.parse(JSON.parse(textOf(answer)));
      } catch {
        throw new HarnessError(`the control port's answer to ${method} ${path} is not of the documented shape`);
      }
    },
    async close(): Promise<void> {
      await Promise.all([patient.close(), hasty.close()]);
    },
  };
}
