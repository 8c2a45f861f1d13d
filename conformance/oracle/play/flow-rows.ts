/**
 * Cases made of rows about flows: each row is a story of a few requests, played in a session that no other case uses
 * meanwhile and judged by the oracle. A departure that rests on the profile alone is left to the cases about gaps.
 */
import { NotApplicable } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { numberIn } from "../../harness/checks.ts";
import type { Trial } from "../../harness/trial.ts";
import { envelopeOf, type Exchange } from "../../http/exchange.ts";
import { ledger } from "../../interface/clauses/index.ts";
import type { Gaps } from "../../interface/flow-model.ts";
import { requestForms, type RequestForm, type Step } from "../../story/story.ts";
import type { Departure } from "../../harness/finding.ts";
import type { Broken } from "../told.ts";
import { readOf, withReads } from "../flow-requests.ts";
import { takenForms } from "../request-forms.ts";
import { Player } from "./player.ts";
import { trialExecutor } from "./executor.ts";
import { rowCase, type RowCase } from "../row-case.ts";
import type { Factors, Row, Table } from "../rows.ts";
import { failureOfStory } from "../told.ts";
import { newMemory, newWorld, type Memory, type World } from "../world.ts";

/** How often a departure has to show again that rests on a supposition. */
const CONFIRMATIONS = 2;

/** A row that has come to a departure. */
class Departed extends Error {
  readonly broken: Broken;

  constructor(broken: Broken) {
    super(broken.departure.expected);
    this.broken = broken;
  }
}

/** The name of a flow with the same children as the one that a row is about, which nothing is done to. */
export const COMPANION = "companion";

/** One row on its way: sends steps, and throws at the first departure. */
export class Play {
  readonly trial: Trial;
  /** The flow that the row is about gets a companion. */
  readonly isPaired: boolean;
  /** How all of its requests are written. */
  form: RequestForm = "usual";
  readonly #player: Player;

  constructor(trial: Trial, player: Player, isPaired: boolean) {
    this.trial = trial;
    this.isPaired = isPaired;
    this.#player = player;
  }

  get world(): World {
    return this.#player.world;
  }

  async send(...steps: readonly Step[]): Promise<void> {
    for (const step of withReads(this.world, steps)) {
      const { skipped } = this.#player;
      const isPlain = step.do !== "send" || this.form === "usual";
      const broken = await this.#player.play(isPlain ? step : { ...step, form: this.form });
      if (broken !== undefined) throw new Departed(broken);
      if (this.#player.skipped > skipped)
        throw new NotApplicable("no answer shows a value that the next request needs");
    }
  }

  /** Ends the row with a departure that several answers show. */
  depart(wrong: Departure): never {
    throw new Departed(this.#player.broken(wrong, this.trial.last[0]));
  }
}

export interface FlowRows<F extends Factors> extends Omit<RowCase<F, Rows>, "play" | "client" | "begin" | "rows"> {
  /** Which rows are sent in other forms than the usual one as well; none if absent, as they may take many rows more. */
  readonly inOtherForms?: (row: Partial<Row<F>>) => boolean;
  play(play: Play, row: Row<F>): Promise<void>;
}

type WithForm<F extends Factors> = F & { readonly form: typeof requestForms };

/** The rows' values meet each way to write the requests, where the rows say so. */
const withForm = <F extends Factors>(table: Table<F>, inOther: FlowRows<F>["inOtherForms"]): Table<WithForm<F>> => {
  if (inOther === undefined) return table as Table<WithForm<F>>;
  const { factors, allows, ...others } = table;
  return {
    ...others,
    factors: { ...factors, form: requestForms },
    allows: (row) => allows?.(row) !== false && ((row.form ?? "usual") === "usual" || inOther(row)),
  };
};

export const flowRows = <const F extends Factors>({
  play,
  table,
  inOtherForms,
  valuesOf,
  ...about
}: FlowRows<F>): Case =>
  rowCase<WithForm<F>, Rows>({
    ...about,
    table: withForm(table, inOtherForms),
    valuesOf: async (trial, rows) => ({
      ...(await valuesOf?.(trial, rows)),
      ...(inOtherForms && { form: await takenForms(trial) }),
    }),
    client: "few",
    ownLane: true,
    begin: () => new Rows(),
    play: (trial, row, rows) =>
      rows.judge(trial, (one) => {
        one.form = row.form ?? "usual";
        return play(one, row);
      }),
  });

/** The rows of one run: what they learn of the target holds for all of them. */
class Rows {
  readonly #byProfile = newMemory();
  readonly #byInterface: Memory = { ...newMemory(), owners: this.#byProfile.owners };
  #keepsProfile = true;
  /** Supposed of every target until one is seen whose children change their flow. */
  #childrenStay = true;
  #turn = 0;

  async judge(trial: Trial, play: (play: Play) => Promise<void>): Promise<void> {
    if (!this.#childrenStay) return void (await this.#judgeAnyhow(trial, play));
    const memory = this.#keepsProfile ? this.#byProfile : this.#byInterface;
    const supposing = { ...(this.#keepsProfile && trial.profile.gaps), childrenStay: true } as const;
    const supposed = await this.#departure(trial, memory, supposing, play);
    // What is left rests on the supposition alone, unless the profile was departed from, too.
    if (supposed === undefined || (await this.#judgeAnyhow(trial, play)) === "by the profile") return;
    for (let tries = 0; this.#childrenStay && tries < CONFIRMATIONS; tries += 1)
      this.#childrenStay = await this.#isConfirmed(trial, memory, supposing, play);
    if (this.#childrenStay) throw failureOfStory(supposed);
  }

  /** Supposing nothing of children; a second time by the interface alone where only the profile is departed from. */
  async #judgeAnyhow(trial: Trial, play: (play: Play) => Promise<void>): Promise<"by the profile" | undefined> {
    const { gaps } = trial.profile;
    const first = this.#keepsProfile ? await this.#departure(trial, this.#byProfile, gaps, play) : undefined;
    if (first !== undefined && ledger[first.departure.clause].level !== "gap") throw failureOfStory(first);
    this.#keepsProfile &&= first === undefined;
    const second = this.#keepsProfile ? undefined : await this.#departure(trial, this.#byInterface, {}, play);
    if (second !== undefined) throw failureOfStory(second);
    return first === undefined ? undefined : "by the profile";
  }

  /** Whether a row departs again while a flow with the same children, which nothing is done to, stays as it is. */
  async #isConfirmed(trial: Trial, memory: Memory, gaps: Gaps, play: (play: Play) => Promise<void>): Promise<boolean> {
    let departs = false;
    const besideCompanion = async (one: Play) => {
      await play(one).catch((error: unknown) => {
        if (!(error instanceof Departed)) throw error;
        departs = true;
      });
      const { state } = one.world.flows.get(COMPANION) ?? {};
      for (const action of ["get_flow", "get_task_summary"] as const)
        await one.send(readOf(one.world, action, COMPANION));
      const active = numberIn(envelopeOf(trial.last[0] as Exchange)?.result, "active");
      if (state === undefined || active !== state.active) departs = false;
    };
    const stays = await this.#departure(trial, memory, gaps, besideCompanion, true);
    return departs && stays === undefined;
  }

  async #departure(
    trial: Trial,
    memory: Memory,
    gaps: Gaps,
    play: (play: Play) => Promise<void>,
    isPaired = false,
  ): Promise<Broken | undefined> {
    const { profile, route, stranger } = trial;
    const sessions = { home: route.sessionKey, foreign: stranger.sessionKey };
    // Half of the rows each, so that neither route's budget is spent first.
    const isSwapped = (this.#turn += 1) % 2 === 0;
    const world = newWorld({ ...memory, profile: { ...profile, gaps }, sessions });
    const player = new Player(world, trialExecutor(trial, isSwapped));
    try {
      await play(new Play(trial, player, isPaired));
      return undefined;
    } catch (error) {
      if (error instanceof Departed) return error.broken;
      throw error;
    } finally {
      await player.close();
    }
  }
}
