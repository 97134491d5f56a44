/** Counts what happens in a process, by a label of a short list. */
export class Tally<Label extends string> {
  readonly #counts: Map<Label, number>;

  /** Every label is there from the start, so that a rate can be told from the first count on. */
  constructor(labels: readonly Label[]) {
    this.#counts = new Map(labels.map((label) => [label, 0]));
  }

  add(label: Label, count = 1): void {
    this.#counts.set(label, (this.#counts.get(label) ?? 0) + count);
  }

  entries(): Iterable<[Label, number]> {
    return this.#counts.entries();
  }
}

/**
 * The limits by which this process refused something: of an account by its plan, of a key, of a
 * network address, of an account in the pages (calls, priced cards), and of connections.
 */
export const refusals = new Tally([
  'quota',
  'key-limit',
  'plan-burst',
  'key-burst',
  'address-burst',
  'page-burst',
  'page-quota',
  'connections',
]);

/** What this process could not write although it should have: entries of the audit log. */
export const lostWrites = new Tally(['audit']);

/** How this process got its search index at the start. */
export const indexLoads = new Tally(['snapshot', 'built']);
