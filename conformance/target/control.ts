/** The optional control port: what HTTP alone cannot bring about. The kit's side of the calls. */
import { request } from "undici";
import { z } from "zod";
import { HarnessError } from "../findings.ts";

/** What a target's control port may offer. */
export const controlCapabilities = ["clock", "children", "persistence", "sessions", "logs"] as const;
export type ControlCapability = (typeof controlCapabilities)[number];

/** Operations whose persistence can be made to fail. */
export type PersistenceFault = "create" | "update" | "task" | "cancel";

const TIMEOUT_MS = 10_000;

const capabilitiesAnswer = z.object({
  capabilities: z.array(z.string()),
  /** Values planted in owner and requester fields: none may ever be in an answer. */
  canaries: z.array(z.string().min(8)).default([]),
});
const seedAnswer = z.object({ flowId: z.string(), revision: z.int() });
const logsAnswer = z.object({ lines: z.array(z.string()) });

export class Control {
  readonly #url: string;
  readonly capabilities: ReadonlySet<ControlCapability>;
  readonly canaries: readonly string[];

  private constructor(url: string, answer: z.infer<typeof capabilitiesAnswer>) {
    this.#url = url;
    this.capabilities = new Set(controlCapabilities.filter((name) => answer.capabilities.includes(name)));
    this.canaries = answer.canaries;
  }

  /** Asks a control port what it can do. `url`: without a trailing slash. Throws `HarnessError`. */
  static async connect(url: string): Promise<Control> {
    return new Control(url, await call(url, "GET", "/capabilities", undefined, capabilitiesAnswer));
  }

  /** Moves the target's clock on; settles after the timers that fell due have run. */
  async advance(ms: number): Promise<void> {
    await call(this.#url, "POST", "/clock/advance", { ms }, z.unknown());
  }

  /** Ends a child task (`succeeded`, `failed` ...) or sets it `running`. */
  async settle(flowId: string, taskId: string, status: string): Promise<void> {
    await call(this.#url, "POST", "/tasks/settle", { flowId, taskId, status }, z.unknown());
  }

  /** Sets the operations whose persistence fails from now on; none heals all. */
  async persistence(fail: readonly PersistenceFault[]): Promise<void> {
    await call(this.#url, "POST", "/persistence", { fail }, z.unknown());
  }

  /** Stores a flow in any session, managed or not. */
  async seed(flow: { sessionKey: string; managed?: boolean; status?: string; goal?: string }) {
    return call(this.#url, "POST", "/flows/seed", flow, seedAnswer);
  }

  /** The target's log so far. */
  async logs(): Promise<string[]> {
    return (await call(this.#url, "GET", "/logs", undefined, logsAnswer)).lines;
  }
}

async function call<T>(
  url: string,
  method: "GET" | "POST",
  path: string,
  body: unknown,
  shape: z.ZodType<T>,
): Promise<T> {
  let text: string;
  let status: number;
  try {
    const answer = await request(url + path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    status = answer.statusCode;
    text = await answer.body.text();
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new HarnessError(`the control port's ${method} ${path} was not answered: ${cause}`);
  }
  if (status !== 200)
    throw new HarnessError(`the control port answered ${method} ${path} with ${status}, expected 200`);
  try {
    return shape.parse(JSON.parse(text));
  } catch {
    throw new HarnessError(`the control port's answer to ${method} ${path} is not of the documented shape`);
  }
}
