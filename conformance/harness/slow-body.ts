/** Bodies sent in part, and how long a target waits for the rest. */
import type { Request } from "../interface/request.ts";
import { OutOfTime } from "../http/harness-error.ts";
import type { Upload } from "../http/upload.ts";
import type { Trial } from "./trial.ts";

/** A case gives up where the kit is later than this at an instant that it has to keep, ms. */
const BUSY_MS = 600;

/** Sends the head and `sent` bytes of the body: by default all but the last one. */
export async function begun(
  trial: Trial,
  request: Request,
  from = trial.from,
  sent = request.body.byteLength - 1,
): Promise<Upload> {
  const upload = await trial.upload(request, { from });
  await upload.write(sent);
  return upload;
}

/** The same, and waits until the target has read them. `since`: the trial's clock before the first byte. */
export async function owing(trial: Trial, request: Request, sent?: number): Promise<{ upload: Upload; since: number }> {
  const since = trial.now();
  const upload = await begun(trial, request, trial.from, sent);
  await trial.barrier();
  return { upload, since };
}

/** The refusal of a body that is late comes within this time, ms. */
export const LATE_MS = 2500;
/** The awaited answer comes within this time after the answer to another request, ms. */
const STALLED_MS = 800;

/** Lets time pass until `ms` after `since`. Throws `OutOfTime` on a machine that is more than `late` ms behind then. */
export async function passUntil(trial: Trial, since: number, ms: number, late = BUSY_MS): Promise<void> {
  await trial.pass(Math.max(0, since + ms - trial.now()));
  mustBeWithin(trial, since, ms + late);
}

/** Throws `OutOfTime` where more than `ms` have passed: what came of it says nothing about the target. */
export function mustBeWithin(trial: Trial, since: number, ms: number): void {
  if (trial.now() - since > ms)
    throw new OutOfTime("the machine was too busy, or the target too slow, to keep the time of this case");
}

/**
 * Whether an answer comes within `ms`, or, where it does not, soon after another request was answered: a target on a
 * machine that stalls is not silent.
 */
export async function answeredSoon(trial: Trial, upload: Upload, ms: number): Promise<boolean> {
  if (await upload.answeredWithin(ms)) return true;
  await trial.barrier();
  return upload.answeredWithin(STALLED_MS);
}
