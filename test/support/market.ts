import { dayOf, type Millis } from '../../src/domain/day.ts';
import { type HistoryDay, NO_PRICES } from '../../src/domain/price.ts';
import { type BackfillSummary, importBackfill } from '../../src/ingest/drivers/backfill.ts';
import { type FeedSummary, importFeed } from '../../src/ingest/drivers/feed.ts';
import { importSnapshot, type SnapshotSummary } from '../../src/ingest/drivers/snapshot.ts';
import type { ImportOptions } from '../../src/ingest/import.ts';
import type { FeedItem } from '../../src/sources/contract/feed.ts';
import type { Store } from '../../src/store/connect.ts';
import { historyReader } from '../../src/store/history/index.ts';
import { usd } from './replay.ts';
import { type Amounts, inCents, moment } from './resolved.ts';

/**
 * Prices in dollars by card and printing, such as `{ '1 Foil': 12 }`. A plain number is the market
 * price; null means no price. If a source lists a card twice, the names are `1` and `1b`.
 */
export type Board = Readonly<Record<string, Amounts | null>>;

/** The day, or the moment, at which prices are observed and imported. */
export type Date = `2026-${string}`;

const MTG = ['mtg'] as const;

/** Further properties of a test feed. By default it is Scryfall's feed of tcgplayer prices. */
export interface Extras {
  readonly source?: string;
  readonly marketplace?: string;
  readonly tcgplayer?: string;
  readonly stated?: readonly string[];
}

/** A set of Magic whose cards are called `Card 1` and so on, and the sources that price it. */
export class Market {
  readonly #store: Store;
  readonly #settings: Partial<ImportOptions>;

  /** @param settings The settings of all imports. Null limits accept every price. */
  constructor(store: Store, settings: Partial<ImportOptions> = {}) {
    this.#store = store;
    this.#settings = settings;
  }

  /** Imports a TCGCSV snapshot with these prices and their cards. */
  lists(date: Date, board: Board): Promise<SnapshotSummary> {
    const observedAt = at(date);
    const listings = entries(board).map(({ card, printing, amounts }) => {
      return { externalId: card, printing, prices: amounts.prices };
    });
    const cardIds = [...new Set(listings.map(({ externalId }) => externalId))];
    const group = {
      idSpace: 'tcgcsv',
      observedAt,
      listings,
      skipped: {},
      files: [],
      set: { externalId: 'g1', game: 'mtg', code: 'LEA', name: 'Alpha', releaseDate: null },
      cards: cardIds.map((id) => {
        return { externalId: id, name: `Card ${id}`, number: id, rarity: null, image: null };
      }),
    } as const;
    const snapshot = {
      source: 'tcgcsv',
      games: MTG,
      marketplace: 'tcgplayer',
      observedAt,
      groupCount: 1,
      async *groups() {
        yield { kind: 'read', group } as const;
      },
    } as const;
    return importSnapshot(this.#store, snapshot, { clock: () => observedAt, ...this.#settings });
  }

  /** Imports a feed with these prices, `perBatch` cards in each batch. */
  feeds(date: Date, board: Board, extras: Extras = {}, perBatch = 100): Promise<FeedSummary> {
    const observedAt = at(date);
    const { source = 'scryfall', marketplace = 'tcgplayer' } = extras;
    const byCard = Map.groupBy(entries(board), ({ card }) => card);
    const items = [...byCard].map(([card, own]): FeedItem => {
      const observations = own.map(({ printing, amounts }) => ({
        printing,
        marketplace,
        currency: 'USD' as const,
        observedAt,
        ...amounts,
      }));
      return { card: reference(card, extras), observations };
    });
    const feed = {
      source,
      observedAt,
      total: items.length,
      file: null,
      unit: 'cards' as const,
      async *batches() {
        for (let done = 0; done < items.length; done += perBatch) {
          yield { items: items.slice(done, done + perBatch), skipped: {}, broken: [], done };
        }
      },
    };
    return importFeed(this.#store, feed, { clock: () => observedAt, ...this.#settings });
  }

  /** Imports a TCGCSV archive with these days of one printing. */
  remembers(date: Date, [card, printing]: [string, string], days: Record<string, number>) {
    const listings = Object.entries(days).map(([day, dollars]) => ({
      externalId: card,
      printing,
      day: dayOf(moment(day)),
      prices: { ...NO_PRICES, market: usd(dollars) },
    }));
    const past = {
      source: 'tcgcsv-archive',
      idSpace: 'tcgcsv',
      marketplace: 'tcgplayer',
      total: 1,
      figures: ['market', 'low', 'mid', 'high'],
      async *parts() {
        const part = { chunks: [{ listings, skipped: {}, broken: [] }] };
        yield { outcome: { name: 'a day', kind: 'read', part }, done: 1 } as const;
      },
    } as const;
    const options = { clock: () => at(date), ...this.#settings };
    return importBackfill(this.#store, past, options) as Promise<BackfillSummary>;
  }

  /** Returns the served market prices in dollars, without printings that have none. */
  async served(): Promise<Record<string, number>> {
    const rows = await this.#printings();
    return Object.fromEntries(
      rows.flatMap(({ external_id, name, market }) => {
        return market === null ? [] : [[`${external_id} ${name}`, market / 100]];
      }),
    );
  }

  /** Returns the market prices of one printing on all days, in dollars. */
  async history(card: string, printing: string): Promise<(number | null)[]> {
    const days = await this.days(card, printing);
    return days.map(({ market }) => market && market / 100);
  }

  /** Returns all served prices of a printing, in cents. */
  async printing(card: string, printing: string) {
    const { id } = await this.#find(card, printing);
    const row = this.#store.db.selectFrom('printings').where('id', '=', id).selectAll();
    return row.executeTakeFirstOrThrow();
  }

  /** Returns the history of a printing, in cents. */
  async days(card: string, printing: string): Promise<HistoryDay[]> {
    const { id } = await this.#find(card, printing);
    return historyReader(this.#store)(id, dayOf(0), dayOf(at('2026-12-31')));
  }

  /** Returns the quarantine entries that wait for the operator, as `printing: rule`. */
  async waiting(): Promise<string[]> {
    const rows = await this.#store.db
      .selectFrom('quarantine')
      .leftJoin('card_external_ids', (join) =>
        join
          .onRef('card_external_ids.card_id', '=', 'quarantine.card_id')
          .on('card_external_ids.id_space', '=', 'tcgcsv'),
      )
      .where('decision', 'is', null)
      .select(['card_external_ids.external_id', 'quarantine.printing', 'rule'])
      .orderBy('quarantine.id')
      .execute();
    return rows.map(({ external_id, printing, rule }) => {
      return external_id === null ? rule : `${external_id} ${printing}: ${rule}`;
    });
  }

  async #find(card: string, printing: string): Promise<{ readonly id: number }> {
    const rows = await this.#printings();
    const row = rows.find((one) => one.external_id === card && one.name === printing);
    if (!row) throw new Error(`There is no printing ${card} ${printing}.`);
    return row;
  }

  #printings() {
    return this.#store.db
      .selectFrom('printings')
      .innerJoin('card_external_ids', 'card_external_ids.card_id', 'printings.card_id')
      .where('card_external_ids.id_space', '=', 'tcgcsv')
      .select([
        'printings.id',
        'card_external_ids.external_id',
        'printings.name',
        'printings.market',
      ])
      .orderBy('printings.id')
      .execute();
  }
}

function entries(board: Board) {
  return Object.entries(board).map(([name, dollars]) => {
    const [card = '', ...words] = name.split(' ');
    return { card, printing: words.join(' '), amounts: inCents(dollars ?? {}) };
  });
}

function reference(card: string, extras: Extras): FeedItem['card'] {
  const number = card.replace(/b$/, '');
  return {
    externalId: `s${card}`,
    game: 'mtg',
    name: `Card ${number}`,
    number,
    setCode: 'LEA',
    setName: 'Alpha',
    rarity: null,
    variant: null,
    externalIds: { tcgplayer: extras.tcgplayer ?? number },
    printings: extras.stated ?? null,
    image: null,
    releaseDate: null,
  };
}

function at(date: Date): Millis {
  return moment(date.includes('T') ? date : `${date}T20:05:12Z`);
}
