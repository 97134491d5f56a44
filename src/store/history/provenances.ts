import type { Kysely } from 'kysely';
import type { Provenance } from '../../domain/price.ts';
import { DamagedBlock } from '../../history/codec.ts';
import { UNKNOWN_PROVENANCE } from '../../history/provenance.ts';
import type { Database } from '../schema.ts';

/** SQL of `history_sources`: which provenance the numbers in blocks stand for. */

type Db = Kysely<Database>;

/** Returns what a number in a block stands for: null for unknown. */
export type ProvenanceOf = (number: number) => Provenance | null;

/**
 * Returns the numbers of provenances, and gives one to each that has none yet. Nothing is kept for
 * the next call, because a transaction that fails takes its new numbers with it.
 */
export async function numberProvenances(
  transaction: Db,
  wanted: Iterable<Provenance>,
): Promise<ReadonlyMap<Provenance, number>> {
  const provenances = [...new Set(wanted)];
  if (provenances.length === 0) return new Map();
  let numbers = await readNumbers(transaction);
  const missing = provenances.filter((one) => !numbers.has(keyOf(one)));
  if (missing.length > 0) {
    await insertProvenances(transaction, missing);
    numbers = await readNumbers(transaction);
  }
  return new Map(provenances.map((one) => [one, numbers.get(keyOf(one)) ?? UNKNOWN_PROVENANCE]));
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

async function readNumbers(db: Db): Promise<Map<string, number>> {
  const known = await readProvenances(db);
  return new Map([...known].map(([number, provenance]) => [keyOf(provenance), number]));
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
   * Returns what `read` makes of blocks. It may be called twice, because another process may have
   * numbered a provenance since the last call.
   */
  async resolve<Result>(read: (provenanceOf: ProvenanceOf) => Result): Promise<Result> {
    try {
      return read(this.#provenanceOf);
    } catch (error) {
      if (!(error instanceof UnknownNumber)) throw error;
      this.#known = await readProvenances(this.#db);
      return read(this.#requireProvenance);
    }
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
