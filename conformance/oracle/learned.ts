/** Rules of the target's own, where the interface is silent: its first response makes the rule, later ones have to keep it. */
export class Learned {
  readonly #rules = new Map<string, string>();

  /** The rule under this key; undefined while nothing is known of it. */
  get(key: string): string | undefined {
    return this.#rules.get(key);
  }

  /** Learns the first value under a key. False where `value` differs from it. */
  holds(key: string, value: string): boolean {
    const known = this.#rules.get(key);
    if (known === undefined) this.#rules.set(key, value);
    return known === undefined || known === value;
  }
}
