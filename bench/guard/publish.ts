/** Hands a day of reports to the importer, as sources of each kind publish it. */
import { type Day, type Millis, startOfDay } from '../../src/domain/day.ts';
import { CONDITIONS, FIGURES } from '../../src/domain/price.ts';
import { importBackfill } from '../../src/ingest/drivers/backfill.ts';
import { importFeed } from '../../src/ingest/drivers/feed.ts';
import { importSnapshot } from '../../src/ingest/drivers/snapshot.ts';
import type { BackfillListing } from '../../src/sources/contract/backfill.ts';
import type { FeedItem } from '../../src/sources/contract/feed.ts';
import type { Group, SourceSet } from '../../src/sources/contract/snapshot.ts';
import { partsOf, pricesOf } from './data.ts';
import type { Importer, Report } from './model.ts';

/** 20:05 UTC, when TCGCSV publishes. */
const PUBLISHED: Millis = 20 * 3_600_000 + 5 * 60_000;
const ITEMS_AT_ONCE = 300;
/** Fewer than an import gathers else: days are small here, and a buffer is made for each. */
const POINTS_AT_ONCE = 500_000;

/** The moment of a day at which prices are observed and imported. */
export function momentOf(day: Day): Millis {
  return startOfDay(day) + PUBLISHED;
}

/** Imports a snapshot of TCGCSV; groups that report nothing are imported without prices. */
export async function publishSnapshot(
  { store, settings }: Importer,
  day: Day,
  groups: readonly Pick<Group, 'set' | 'cards'>[],
  reports: readonly Report[],
): Promise<void> {
  const observedAt = momentOf(day);
  const bySet = Map.groupBy(reports, ({ row }) => row.set);
  const snapshot = {
    ...{ source: 'tcgcsv', games: gamesOf(groups), marketplace: 'tcgplayer', observedAt },
    groupCount: groups.length,
    async *groups() {
      for (const { set, cards } of groups) {
        const listings = (bySet.get(set.externalId) ?? []).map(({ row, amounts }) => ({
          ...{ externalId: row.card, printing: row.printing ?? 'Normal' },
          prices: pricesOf(amounts),
        }));
        const rest = { idSpace: 'tcgcsv', observedAt, skipped: {}, files: [] };
        yield { kind: 'read', group: { ...rest, set, cards, listings } } as const;
      }
    },
  };
  await importSnapshot(store, snapshot, { clock: () => observedAt, ...settings });
}

function gamesOf(groups: readonly { readonly set: SourceSet }[]) {
  return [...new Set(groups.map(({ set }) => set.game))];
}

/** What does not change from day to day in a feed. */
export interface FeedShape {
  readonly source: string;
  readonly marketplace: string;
  /** By the source's id of the card. */
  readonly cards: ReadonlyMap<string, FeedItem['card']>;
}

/** Imports a feed. */
export async function publishFeed(
  { store, settings }: Importer,
  day: Day,
  { source, marketplace, cards }: FeedShape,
  reports: readonly Report[],
): Promise<void> {
  const observedAt = momentOf(day);
  const byCard = Map.groupBy(reports, ({ row }) => row.card);
  const items = [...byCard].flatMap(([id, own]): FeedItem[] => {
    const card = cards.get(id);
    const observations = own.map(({ row: { printing }, amounts }) => {
      return {
        ...{ printing, marketplace, currency: 'USD' as const, observedAt },
        ...partsOf(amounts),
      };
    });
    return card ? [{ card, observations }] : [];
  });
  const feed = {
    ...{ source, observedAt, total: items.length, unit: 'cards' as const, file: null },
    async *batches() {
      for (let done = 0; done < items.length; done += ITEMS_AT_ONCE) {
        const some = items.slice(done, done + ITEMS_AT_ONCE);
        yield { items: some, skipped: {}, broken: [], done: done + some.length };
      }
    },
  };
  await importFeed(store, feed, { clock: () => observedAt, ...settings });
}

/** What does not change from day to day in a file of past days. */
export interface BackfillShape {
  readonly source: string;
  readonly marketplace: string;
}

/** Imports some days at once, as an archive or a file of quotes brings them. */
export async function publishBackfill(
  { store, settings }: Importer,
  days: readonly { readonly day: Day; readonly reports: readonly Report[] }[],
  { source, marketplace }: BackfillShape,
): Promise<void> {
  const last = Math.max(...days.map(({ day }) => day)) as Day;
  const backfill = {
    ...{ source, idSpace: 'tcgcsv', marketplace, figures: FIGURES, total: days.length },
    async *parts() {
      for (const [index, { day, reports }] of days.entries()) {
        const listings = reports.map((report) => listingOf(day, report));
        const part = { chunks: [{ listings, skipped: {}, broken: [] }] };
        yield { outcome: { name: `day ${day}`, kind: 'read', part }, done: index + 1 } as const;
      }
    },
  };
  const pointsAtOnce = POINTS_AT_ONCE;
  await importBackfill(store, backfill, { clock: () => momentOf(last), pointsAtOnce, ...settings });
}

function listingOf(day: Day, { row, amounts }: Report): BackfillListing {
  const { prices, conditions } = partsOf(amounts);
  const hasConditions = CONDITIONS.some((name) => conditions[name] !== undefined);
  return {
    ...{ externalId: row.card, printing: row.printing, day, prices },
    ...(hasConditions && { conditions }),
  };
}
