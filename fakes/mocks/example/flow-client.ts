/**
 * A caller to copy from. It creates a flow once and changes flows safely, whatever happens to a request: after 429 it
 * waits, after 409 it reads the flow again, and it never repeats a request blindly whose answer was lost.
 */

export interface Flow {
  readonly flowId: string;
  readonly revision: number;
  readonly status: string;
  readonly goal: string;
}

/** The gateway refused: sending the same request again would not help. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** It is unknown whether the request was carried out: no answer came, or a server error. */
export class Unanswered extends Error {}

export interface FlowClientOptions {
  /** The route's address: `https://gateway.example/plugins/webhooks/demo`. */
  readonly url: string;
  readonly secret: string;
  /** Default: the global one; undici's own fits as well. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Waits `ms` milliseconds; a test passes its own. */
  readonly wait?: (ms: number) => Promise<unknown>;
}

/** The change to make to a flow as it is now; undefined when none is left to make. */
export type Decide = (flow: Flow) => { readonly action: string } | undefined;

const ATTEMPTS = 6;
const ANSWER_TIMEOUT_MS = 30_000;
/** Without a Retry-After the waits are 1, 2, 4 ... seconds. */
const FIRST_WAIT_MS = 1000;
/** The gateway's window: no wait is longer, whatever Retry-After says. */
const LONGEST_WAIT_MS = 60_000;

interface Result {
  readonly flow?: Flow | null;
  readonly flows?: readonly Flow[];
}

export class FlowClient {
  readonly #options: FlowClientOptions;

  constructor(options: FlowClientOptions) {
    this.#options = options;
  }

  /**
   * Returns the flow with this goal, and creates it if there is none. The interface has no idempotency key, so the goal
   * serves as one: put an id of your own into it, such as the number of the CI run. Two callers at the same moment can
   * still create two flows: let one caller own a goal. Throws `Refused`, and `Unanswered` after the last attempt.
   */
  async createOnce(text: string): Promise<Flow> {
    // A gateway may store the goal without surrounding white space.
    const goal = text.trim();
    return this.#insist(async () => {
      // Before the first attempt too: an earlier run of this program may have created the flow.
      const { flows = [] } = await this.#call({ action: "list_flows" });
      return flows.find((flow) => flow.goal === goal) ?? flowOf(await this.#call({ action: "create_flow", goal }));
    });
  }

  /**
   * Changes a flow as `decide` says and returns the flow after the change. `decide` is called again, with the flow as it is
   * then, when another caller was faster (409) or an answer was lost; so it must decide by the flow that it is given.
   */
  async change(flowId: string, decide: Decide): Promise<Flow> {
    return this.#insist(async () => {
      const flow = flowOf(await this.#call({ action: "get_flow", flowId }));
      const wanted = decide(flow);
      if (wanted === undefined) return flow;
      return flowOf(await this.#call({ ...wanted, flowId, expectedRevision: flow.revision }));
    });
  }

  /** Repeats a whole operation, the reading included, where that can help. */
  async #insist(operation: () => Promise<Flow>): Promise<Flow> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await operation();
      } catch (error) {
        const isStale = error instanceof Refused && error.code === "revision_conflict";
        if (attempt === ATTEMPTS || !(isStale || error instanceof Unanswered)) throw error;
        if (!isStale) await this.#wait(FIRST_WAIT_MS * 2 ** (attempt - 1));
      }
    }
  }

  /** Sends one action. A request refused with 429 was not carried out, so it may be sent again. */
  async #call(body: object): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.#send(JSON.stringify(body));
      if (answer.status === 429 && attempt < ATTEMPTS) {
        // The interface does not promise this header.
        const seconds = Number(answer.headers.get("retry-after") ?? Number.NaN);
        await this.#wait(Number.isFinite(seconds) ? seconds * 1000 : FIRST_WAIT_MS * 2 ** (attempt - 1));
        continue;
      }
      return resultOf(answer.status, await textOf(answer));
    }
  }

  async #send(body: string): Promise<Response> {
    const { url, secret, fetch: send = fetch } = this.#options;
    const headers = { "content-type": "application/json", authorization: `Bearer ${secret}` };
    try {
      return await send(url, { method: "POST", headers, body, signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
    } catch (error) {
      throw new Unanswered("no answer came", { cause: error });
    }
  }

  async #wait(ms: number): Promise<void> {
    const { wait = (time) => new Promise((resolve) => setTimeout(resolve, time)) } = this.#options;
    await wait(Math.min(ms, LONGEST_WAIT_MS));
  }
}

async function textOf(answer: Response): Promise<string> {
  try {
    return await answer.text();
  } catch (error) {
    throw new Unanswered("the answer broke off", { cause: error });
  }
}

function resultOf(status: number, text: string): Result {
  if (status >= 500) throw new Unanswered(`the answer was ${status}`);
  let envelope: { ok?: boolean; code?: string; error?: string; result?: Result } = {};
  try {
    envelope = JSON.parse(text) as typeof envelope;
  } catch {
    // Not an envelope, perhaps a page of a proxy: only the status is known.
  }
  if (envelope.ok === true && envelope.result !== undefined) return envelope.result;
  throw new Refused(status, envelope.code ?? "unknown", envelope.error ?? `the answer was ${status}`);
}

function flowOf({ flow }: Result): Flow {
  if (flow) return flow;
  throw new Refused(404, "not_found", "there is no such flow");
}
