/** What plays the steps of a story on a target and has the responses judged. */
import type { Profile } from "../../interface/gaps.ts";
import type { StepAnswer } from "../../harness/outcome.ts";
import type { Exchange } from "../../http/exchange.ts";
import { validRequest, type ActionBody } from "../../interface/request.ts";
import { fillReferences, type SendStep, type Step } from "../../story/story.ts";
import type { Broken, Departure, Repeats } from "../departure.ts";
import { responseOf, type Response, type Sent } from "../response.ts";
import { lookUp, newWorld, type World } from "../world.ts";
import type { Executor } from "./executor.ts";

export interface Playing {
  readonly world: World;
  readonly executor: Executor;
}

/** Requests from one client address: well within its budget. */
const PER_CLIENT = 100;

/** A request with its response, and when it was sent and answered, ms from any origin. */
export interface Answered {
  readonly sent: Sent;
  readonly response: Response;
  readonly start: number;
  readonly end: number;
}

export abstract class StepPlayer {
  readonly world: World;
  protected readonly executor: Executor;
  protected readonly played: Step[] = [];
  /** The responses so far, to each step that was played; none to a step that sends nothing. */
  readonly answers: (readonly StepAnswer[])[] = [];
  /** Requests sent so far. */
  requests = 0;
  /** Steps left out because what they refer to is not there. */
  skipped = 0;

  constructor({ world, executor }: Playing) {
    this.world = world;
    this.executor = executor;
  }

  /** Plays one step; returns the story so far when that shows a departure. */
  abstract play(step: Step): Promise<Broken | undefined>;

  /** Undoes injected faults, and returns the executor. */
  close(): void | Promise<void> {
    this.executor.close?.();
  }

  /** The story so far, as one that shows this departure. */
  broken(wrong: Departure, exchange: Exchange | undefined): Broken {
    return { story: [...this.played], answers: [...this.answers], departure: wrong, exchange };
  }

  protected note(step: Step, answers: readonly StepAnswer[] = []): void {
    this.played.push(step);
    this.answers.push(answers);
  }

  /** Sends a request, from the first of its clients or from the next; undefined where what it refers to is not there. */
  protected async exchange(step: SendStep, client = 0, clients = 1): Promise<Answered | undefined> {
    const { world, executor } = this;
    const body = fillReferences(step.body ?? {}, (reference) => lookUp(world, reference)) as ActionBody;
    if (Object.values(body).includes(undefined)) return undefined;
    const route = executor.routes[step.route];
    const from = executor.now();
    const turn = Math.floor(this.requests++ / PER_CLIENT);
    const start = performance.now();
    const exchange = await executor.send(validRequest(route, body), client + clients * turn);
    const end = performance.now();
    const sent = { step, route, body, at: { from, to: executor.now() } };
    return { sent, response: responseOf(exchange), start, end };
  }

  protected skip(): undefined {
    this.skipped += 1;
    return undefined;
  }
}

/** How the stories of a property are played. */
export interface PlayerKind {
  start(playing: Playing): StepPlayer;
  readonly repeats: Repeats;
}

export interface Stage {
  readonly profile: Profile;
  readonly executor: () => Promise<Executor>;
}

/** Starts a player on a part of the target that no other player uses. `owners`: the flows of earlier stories. */
export async function startPlayer(
  { start }: PlayerKind,
  { profile, executor: newExecutor }: Stage,
  { owners = new Map<string, string>() } = {},
): Promise<StepPlayer> {
  const executor = await newExecutor();
  const { route, stranger } = executor.routes;
  const sessions = { home: route.sessionKey, foreign: stranger.sessionKey };
  return start({ world: newWorld({ profile, owners, sessions }), executor });
}

/** Plays steps in order, up to the first that shows a departure. */
export async function playSteps(steps: Iterable<Step>, player: StepPlayer): Promise<Broken | undefined> {
  for (const step of steps) {
    const broken = await player.play(step);
    if (broken !== undefined) return broken;
  }
  return undefined;
}
