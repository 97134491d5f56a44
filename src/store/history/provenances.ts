import type { Kysely } from 'kysely';
import type { Provenance } from '../../domain/price.ts';
import { DamagedBlock } from '../../history/codec.ts';
import type { Attributes } from '../../history/days.ts';
import { UNKNOWN_PROVENANCE } from '../../history/provenance.ts';
import type { Database } from '../catalogue/schema.ts';

/** SQL of `history_sources`: which provenance the numbers in blocks stand for. */

type Db = Kysely<Database>;

/** Returns what a number in a block stands for: null for unknown. */
export type ProvenanceOf = (number: number) => Provenance | null;

/** The numbers of provenances. */
export interface ProvenanceNumbers {
  readonly numbers: ReadonlyMap<Provenance, number>;
  readonly attributes: Attributes;
}

/**
 * Returns the numbers of provenances, and gives one to each that has none yet. Nothing is kept for
 * the next call, because a transaction that fails takes its new numbers with it.
 */
export async function numberProvenances(
  transaction: Db,
  wanted: ReadonlySet<Provenance>,
): Promise<ProvenanceNumbers> {
  let known = await readProvenances(transaction);
  const keys = new Set([...known.values()].map(keyOf));
  const missing = [...wanted].filter((one) => !keys.has(keyOf(one)));
  if (missing.length > 0) {
    await insertProvenances(transaction, missing);
    known = await readProvenances(transaction);
  }
  const byKey = new Map([...known].map(([number, one]) => [keyOf(one), number]));
  const numbers = [...wanted].map(
    (one) => [one, byKey.get(keyOf(one)) ?? UNKNOWN_PROVENANCE] as const,
  );
  return {
    numbers: new Map(numbers),
    attributes: (stored, incoming) => attributes(known, stored, incoming),
  };
}

/**
 * A day takes the provenance of the same prices if it has none, or if that differs only in whether
 * they were repeated.
 */
function attributes(
  known: ReadonlyMap<number, Provenance>,
  stored: number,
  incoming: number,
): boolean {
  if (stored === incoming) return false;
  const [before, after] = [known.get(stored), known.get(incoming)];
  const isOne = before?.source === after?.source && before?.marketplace === after?.marketplace;
  return stored === UNKNOWN_PROVENANCE || isOne;
}

/** Returns every provenance there is, by its number. */
export async function readProvenances(db: Db): Promise<Map<number, Provenance>> {
  const rows = await db.selectFrom('history_sources').selectAll().execute();
  return new Map(
    rows.map(({ id, source, marketplace, repeated }) => {
      return [id, { source, marketplace, repeated: repeated === 1 }];
    }),
  );
}

/** Another process may insert the same ones at the same time: the rows of the first one stay. */
async function insertProvenances(db: Db, provenances: readonly Provenance[]): Promise<void> {
  const byKey = new Map(provenances.map((one) => [keyOf(one), one]));
  const rows = [...byKey.values()].map(({ source, marketplace, repeated }) => {
    return { source, marketplace, repeated: repeated ? 1 : 0 };
  });
  await db
    .insertInto('history_sources')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

function keyOf({ source, marketplace, repeated }: Provenance): string {
  return JSON.stringify([source, marketplace, repeated]);
}

/** The provenances by their numbers, read once and again when a block has a newer number. */
export class KnownProvenances {
  readonly #db: Db;
  #known: ReadonlyMap<number, Provenance> = new Map();

  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * Returns what `read` makes of blocks: at once where all numbers are known. Otherwise `read` is
   * called again, because another process may have numbered a provenance since.
   */
  resolve<Result>(read: (provenanceOf: ProvenanceOf) => Result): Result | Promise<Result> {
    try {
      return read(this.#provenanceOf);
    } catch (error) {
      if (!(error instanceof UnknownNumber)) throw error;
      return this.#resolveAnew(read);
    }
  }

  async #resolveAnew<Result>(read: (provenanceOf: ProvenanceOf) => Result): Promise<Result> {
    this.#known = await readProvenances(this.#db);
    return read(this.#requireProvenance);
  }

  readonly #provenanceOf: ProvenanceOf = (number) => {
    const provenance = number === UNKNOWN_PROVENANCE ? null : this.#known.get(number);
    if (provenance === undefined) throw new UnknownNumber();
    return provenance;
  };

  readonly #requireProvenance: ProvenanceOf = (number) => {
    const provenance = number === UNKNOWN_PROVENANCE ? null : this.#known.get(number);
    if (provenance !== undefined) return provenance;
    throw new DamagedBlock(`nothing is known of source ${number} of its days`);
  };
}

/** A block has a number that was not known when the provenances were read. */
class UnknownNumber extends Error {}
