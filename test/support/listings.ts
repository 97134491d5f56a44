import fc from 'fast-check';
import { type Millis, MS_PER_DAY } from '../../src/domain/day.ts';
import type { Cents } from '../../src/domain/money.ts';
import { importSnapshot } from '../../src/ingest/drivers/snapshot.ts';
import type { Group, Snapshot } from '../../src/sources/contract/snapshot.ts';
import type { Store } from '../../src/store/connect.ts';

/** Small random catalogues of a source, day by day. Sets change names; cards change and move. */

/** A card as the source lists it, in one of three sets. */
interface Listed {
  readonly externalId: string;
  readonly set: number;
  readonly name: string;
  readonly number: string;
  readonly rarity: string | null;
  readonly market: number | null;
}

/** The catalogue of the source on one day. */
export interface Listings {
  /** The names of the sets. */
  readonly names: readonly string[];
  readonly cards: readonly Listed[];
  /** The external ids of cards that also have a foil without a price. */
  readonly foils?: readonly string[];
}

const CARDS = ['1', '2', '3', '4', '5', '6', '7'];
/** A permanent card for each set: the index remembers sets whose cards have all left. */
const LASTING = ['90', '91', '92'];
const NAMES = ['Opt', 'Bolt', 'Opt Out', 'Lightning Bolt'];

function card(externalId: string, set = fc.nat(2)): fc.Arbitrary<Listed> {
  return fc.record({
    externalId: fc.constant(externalId),
    set,
    name: fc.constantFrom(...NAMES),
    number: fc.constantFrom('1', '2', '10'),
    rarity: fc.constantFrom('Common', 'Rare', null),
    market: fc.option(fc.integer({ min: 1, max: 5000 })),
  });
}

export const listings: fc.Arbitrary<Listings> = fc.record({
  names: fc.tuple(
    fc.constantFrom('Alpha', 'Limited Alpha'),
    fc.constantFrom('Beta', 'Limited Beta'),
    fc.constant('Unlimited'),
  ),
  cards: fc.subarray(CARDS, { minLength: 1 }).chain((ids) => {
    const lasting = LASTING.map((id, set) => card(id, fc.constant(set)));
    return fc.tuple(...ids.map((id) => card(id)), ...lasting);
  }),
});

const FIRST_DAY = Date.UTC(2026, 0, 20, 20);

/** Imports the catalogue of a day, counted from the first day, without validation. */
export async function importListings(store: Store, day: number, listed: Listings): Promise<void> {
  const observedAt = FIRST_DAY + day * MS_PER_DAY;
  const groups = listed.names.map((name, set) => groupOf(listed, { set, name, observedAt }));
  const snapshot: Snapshot = {
    source: 'tcgcsv',
    games: ['mtg'],
    marketplace: 'tcgplayer',
    observedAt,
    groupCount: groups.length,
    async *groups() {
      for (const group of groups) yield { kind: 'read', group } as const;
    },
  };
  // One group per transaction, so a killed import has written some of them.
  const options = { clock: () => observedAt, limits: null, itemsAtOnce: 1 };
  await importSnapshot(store, snapshot, options);
}

function groupOf(
  { cards, foils = [] }: Listings,
  { set, name, observedAt }: { set: number; name: string; observedAt: Millis },
): Group {
  const own = cards.filter((one) => one.set === set);
  return {
    idSpace: 'tcgcsv',
    observedAt,
    skipped: {},
    files: [],
    set: { externalId: `g${set}`, game: 'mtg', code: `S${set}`, name, releaseDate: null },
    cards: own.map(({ externalId, name, number, rarity }) => {
      return { externalId, name, number, rarity, image: null };
    }),
    listings: own.flatMap(({ externalId, market }) => {
      const prices = { market: market as Cents | null, low: null, mid: null, high: null };
      const foil = { externalId, printing: 'Foil', prices: { ...prices, market: null } };
      const normal = { externalId, printing: 'Normal', prices };
      return foils.includes(externalId) ? [normal, foil] : [normal];
    }),
  };
}
