/** What a measure of `npm run bench` is, and how what it compares takes turns. */

/** Figures by name, all of the measure's unit. Each is compared with the first. */
export type Figures = Readonly<Record<string, number>>;

export interface Bench {
  /** What is measured, in which unit, and how, in a sentence or two. */
  readonly about: string;
  /** By what each row is about. */
  measure(): Promise<Readonly<Record<string, Figures>>>;
}

/** Batches of each that are not counted: the engine has not compiled yet what is measured. */
const WARM_UP = 2;

/** The median cost of each batch. They run in turns, so that a busy machine slows all of them down alike. */
export async function inTurns(
  rounds: number,
  batches: Readonly<Record<string, () => Promise<number>>>,
): Promise<Figures> {
  const costs = Object.entries(batches).map(([name, batch]) => ({ name, batch, measured: [] as number[] }));
  for (let round = 0; round < WARM_UP + rounds; round += 1)
    for (const { batch, measured } of costs) measured.push(await batch());
  return Object.fromEntries(costs.map(({ name, measured }) => [name, median(measured.slice(WARM_UP))]));
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
