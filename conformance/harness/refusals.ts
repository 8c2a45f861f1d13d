/** Provokes each refusal before the action (section 4), and recognises the answer to it. */
import { createFlow } from "../interface/bodies.ts";
import { spoilt, type RefusalId } from "../interface/broken-requests.ts";
import { validRequest } from "../interface/request.ts";
import { describe, envelopeOf, textOf, type Exchange } from "../http/exchange.ts";
import type { Case } from "./case.ts";
import { fillInFlight, keyOf } from "./limit-keys.ts";
import { owing } from "./slow-body.ts";
import type { Trial } from "./trial.ts";
import { usedUp, type UsedUp } from "./used-up.ts";

/** Fields of a case that provokes this refusal once. */
export const demands: Readonly<Partial<Record<RefusalId, Partial<Case>>>> = {
  RATE: { meetsLimits: true, requests: 125 },
  "IN-FLIGHT": { meetsLimits: true, requests: 60 },
  TIMEOUT: { seconds: 17 },
};

/** A key in the state that is refused, and the refusal of a valid request to it; undefined where the request is at fault. */
export async function engage(trial: Trial, id: RefusalId): Promise<UsedUp | undefined> {
  if (id === "RATE") return usedUp(trial);
  if (id === "IN-FLIGHT") return { key: keyOf(trial), refusal: (await fillInFlight(trial, keyOf(trial))).refusal };
  return undefined;
}

/** The answer to a request that is to be refused for this alone. */
export async function provoke(trial: Trial, id: RefusalId): Promise<Exchange> {
  const engaged = await engage(trial, id);
  if (engaged !== undefined) return engaged.refusal;
  const request = spoilt(validRequest(trial.route, createFlow()), id);
  if (id === "TIMEOUT") {
    const { upload } = await owing(trial, request, 10);
    await trial.pass(15_500);
    await upload.answeredWithin(2500);
    return trial.answerOf(upload);
  }
  return id === "TOO-LARGE" ? trial.finish(await trial.upload(request)) : trial.send(request);
}

/** Identifies an answer: status and code, or status and text without its digits. */
export function fingerprint(exchange: Exchange): string {
  const code = envelopeOf(exchange)?.code;
  if (exchange.answer === undefined) return describe(exchange);
  const text = typeof code === "string" ? code : textOf(exchange.answer).replace(/\d+/g, "#").slice(0, 200);
  return `${exchange.answer.status} ${text}`;
}
