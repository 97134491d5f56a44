/** Adds each count to the total with the same name. */
export function addCounts(total: object, counts: object): void {
  const sums = total as Record<string, number>;
  for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
}

/** Counts events of this process by label. The labels are a short, fixed list. */
export class Tally<Label extends string> {
  readonly #counts: Map<Label, number>;

  /** Every label starts at 0, so Prometheus can compute a rate from the first count. */
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
 * Refusals of this process, by limit: limits of an account by its plan, of a key, of a network
 * address, of an account in the pages (calls and priced cards), and of connections.
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

/** Failed writes of this process: entries of the audit log. */
export const lostWrites = new Tally(['audit']);

/** How this process loaded its search index at the start. */
export const indexLoads = new Tally(['snapshot', 'built']);
