/**
 * Asks a gateway's runtime what it checks by itself: calls that a plugin which checks nothing would make, and what comes.
 * Runs in the peer's gateway and in the embedded one, so it imports nothing and knows no type of either.
 */

type Call = (input: unknown) => unknown;
type Flows = Readonly<Record<string, Call>>;

interface Answer {
  readonly applied?: boolean;
  readonly created?: boolean;
  readonly cancelled?: boolean;
  readonly code?: string;
  readonly reason?: string;
  readonly flow?: Flow;
  readonly current?: Flow;
}

interface Flow {
  readonly flowId: string;
  readonly revision: number;
  readonly status: string;
}

const changes = ["setWaiting", "resume", "finish", "fail", "requestCancel"];
const endings = ["finish", "fail", "cancel", "requestCancel"];

/** What was answered, by a name for the call. `cancel` needs the gateway's whole configuration, `cfg`. */
export async function runtimeAnswers(
  bindSession: (session: { sessionKey: string }) => object,
  cfg: unknown,
): Promise<Record<string, string>> {
  const flows = bindSession({ sessionKey: "agent:main:survey" }) as Flows;
  const others = bindSession({ sessionKey: "agent:main:other" }) as Flows;
  const answers: Record<string, string> = {};
  const call = async (of: Flows, name: string, input: object): Promise<Answer> => (await of[name]?.(input)) as Answer;
  const create = async (status = "queued") =>
    (await flows["createManaged"]?.({ goal: "survey", controllerId: "survey", status })) as Flow;
  const at = ({ flowId, revision: expectedRevision }: Flow) => ({ flowId, expectedRevision, cfg });
  const task = (flow: Flow, more: object = {}) => ({ ...at(flow), runtime: "acp", task: "survey", ...more });
  const note = async (what: string, answer: Promise<Answer>) => void (answers[what] = told(await answer));

  for (const status of ["queued", "running", "waiting", "blocked"])
    for (const name of changes) await note(`${name}, ${status}`, call(flows, name, at(await create(status))));
  for (const ending of endings)
    for (const name of [...changes, "cancel", "runTask"]) {
      const flow = await create();
      await call(flows, ending, at(flow));
      const now = (await flows["get"]?.(flow.flowId)) as Flow;
      await note(`${name} after ${ending}`, call(flows, name, task(now)));
    }
  for (const name of [...changes, "cancel"]) {
    const stale = await create();
    await call(flows, "requestCancel", at(stale));
    await note(`${name}, stale revision`, call(flows, name, at(stale)));
    await note(`${name}, future revision`, call(flows, name, at({ ...(await create()), revision: 9 })));
  }
  for (const name of [...changes, "cancel", "runTask"]) {
    await note(`${name}, another session's flow`, call(others, name, task(await create())));
    await note(`${name}, absent flow`, call(flows, name, task({ ...(await create()), flowId: "absent" })));
  }
  for (const more of [{ runtime: "another" }, { task: "" }, { startedAt: 5 }, { progressSummary: "half" }])
    await note(`runTask, ${JSON.stringify(more)}`, call(flows, "runTask", task(await create(), more)));
  const parent = await create();
  await note("runTask, running", call(flows, "runTask", task(parent, { status: "running" })));
  await note("cancel with an active child", call(flows, "cancel", at(parent)));
  await note("cancel again with an active child", call(flows, "cancel", at(parent)));
  const contested = await create();
  const race = await Promise.all(Array.from({ length: 8 }, () => call(flows, "setWaiting", at(contested))));
  answers["8 changes of one revision at once"] = `${race.filter(({ applied }) => applied).length} done`;
  return answers;
}

function told({ applied, created, cancelled, code, reason = "", flow, current }: Answer): string {
  const isDone = applied ?? created ?? cancelled;
  const status = (flow ?? current)?.status ?? "no flow";
  return isDone === true ? `done: ${status}` : `refused: ${status}, ${code ?? reason}`;
}
