import type { Kysely } from 'kysely';
import type { Provenance } from '../../domain/price.ts';
import { DamagedBlock } from '../../history/codec.ts';
import type { Attributes } from '../../history/days.ts';
import { UNKNOWN_PROVENANCE } from '../../history/provenance.ts';
import type { Database } from '../catalogue/schema.ts';

/** SQL of `history_sources`, which maps the numbers in blocks to provenances. */

type Db = Kysely<Database>;

/** Returns the provenance for a number in a block; null for unknown. */
export type ProvenanceOf = (number: number) => Provenance | null;

/** The numbers of provenances. */
export interface ProvenanceNumbers {
  readonly numbers: ReadonlyMap<Provenance, number>;
  readonly attributes: Attributes;
}

/**
 * Returns the numbers of provenances, and assigns numbers to new ones. Does not cache the numbers,
 * because a failed transaction rolls its new numbers back.
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
 * Whether a stored day takes the provenance of equal incoming prices: if it has none, or if the two
 * provenances differ only in `repeated`.
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

/** Returns all provenances by number. */
export async function readProvenances(db: Db): Promise<Map<number, Provenance>> {
  const rows = await db.selectFrom('history_sources').selectAll().execute();
  return new Map(
    rows.map(({ id, source, marketplace, repeated }) => {
      return [id, { source, marketplace, repeated: repeated === 1 }];
    }),
  );
}

/** Inserts provenances. Keeps the rows of another process that inserted the same ones first. */
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

/** Caches all provenances by number, and reads them again when a block has a newer number. */
export class KnownProvenances {
  readonly #db: Db;
  #known: ReadonlyMap<number, Provenance> = new Map();

  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * Returns the result of `read`, synchronously if it encounters only known numbers. Otherwise
   * reads the provenances and calls `read` again, because another process may have added one.
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

/** A block contains a number that the cached provenances do not include. */
class UnknownNumber extends Error {}
