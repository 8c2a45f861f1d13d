/** Cases about gaps, as data: how a response shows what the target does there, which has to be what the profile says. */
import { describe, envelopeOf, isAccepted, neutral, type Exchange } from "../http/exchange.ts";
import { gaps, type GapId } from "../interface/gaps.ts";
import { NotApplicable } from "./case-errors.ts";
import type { Case } from "./case.ts";
import { check, flowsOf } from "./checks.ts";
import type { Trial } from "./trial.ts";

/** The target's value as a response shows it: null for none, undefined where the response does not tell. */
type Reading = (exchange: Exchange) => unknown;

interface OpenValues extends Omit<Case, "run" | "gaps"> {
  readonly reads: Readonly<Partial<Record<GapId, Reading>>>;
  /** Responses that show the values, the same ones each time. */
  shown(trial: Trial): AsyncIterable<Exchange>;
}

export const openValues = ({ reads, shown, ...about }: OpenValues): Case => ({
  ...about,
  gaps: Object.keys(reads) as GapId[],
  async run(trial) {
    const read: { readonly gap: GapId; readonly value: unknown; readonly exchange: Exchange }[] = [];
    for await (const exchange of shown(trial))
      for (const [gap, value] of Object.entries(reads))
        read.push({ gap: gap as GapId, value: value(exchange), exchange });
    const seen = read.filter(({ gap, value }) => value !== undefined && trial.judges(gap));
    if (seen.length === 0) throw new NotApplicable(`no response shows ${Object.keys(reads).join(", ")}`);
    await trial.each(seen, ({ gap, value, exchange }) => mustFit(trial, gap, value, exchange));
  },
});

/** The value, if it is a short plain text; `otherwise` for any other, which may differ from run to run. */
export const steady = (value: unknown, otherwise: string): string =>
  /^[\w ./+-]{1,40}$/.test(String(value)) ? neutral(String(value)) : otherwise;

/** Fails unless a gap that the profile binds has this value. */
export function mustFit(trial: Trial, gap: GapId, value: unknown, ...exchanges: Exchange[]): void {
  const wanted = trial.bound(gap, value);
  const [exchange] = exchanges;
  const actual = value === null && exchange !== undefined ? describe(exchange) : steady(value, "another value");
  const what = `${gaps[gap].title} (${gap})`;
  check(wanted === undefined || value === wanted, `${what}: ${wanted}`, actual, ...exchanges);
}

export const codeOf: Reading = (exchange) => envelopeOf(exchange)?.code ?? null;

export const refusedCode: Reading = (exchange) => (isAccepted(exchange) ? null : codeOf(exchange));

/** Of a refusal, with this code where one is given. */
export const refusedStatus =
  (code?: string): Reading =>
  (exchange) =>
    isAccepted(exchange) || (code !== undefined && codeOf(exchange) !== code)
      ? null
      : (exchange.answer?.status ?? null);

export const header =
  (name: string): Reading =>
  ({ answer }) =>
    answer?.headers.get(name)?.join(", ") ?? null;

export const flowField =
  (name: string): Reading =>
  (exchange) =>
    flowsOf(exchange)[0]?.[name];
