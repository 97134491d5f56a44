import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Millis } from '../../src/domain/day.ts';
import { importBackfill } from '../../src/ingest/drivers/backfill.ts';
import { importFeed } from '../../src/ingest/drivers/feed.ts';
import { importRates } from '../../src/ingest/drivers/rates.ts';
import { importSnapshot } from '../../src/ingest/drivers/snapshot.ts';
import type { WebRules } from '../../src/sources/io/web.ts';
import type { Store } from '../../src/store/connect.ts';
import { runSync, type SourceOutcome, type SyncOptions } from '../../src/sync/run.ts';
import type { SyncSource } from '../../src/sync/source.ts';
import { temporaryFolder } from './cli.ts';
import { type Answer, file, status } from './upstream.ts';

/** Syncs a database at times set by the test, without real waiting. */
export class SyncBed {
  readonly store: Store;
  /** The pauses that the sync asked for, in milliseconds. */
  readonly waits: number[] = [];
  readonly folder = temporaryFolder();
  now: Millis;

  constructor(store: Store, now: Millis) {
    this.store = store;
    this.now = now;
  }

  /** Syncs some sources, and returns their outcomes. */
  async sync(
    sources: readonly SyncSource[],
    more: Partial<SyncOptions> = {},
  ): Promise<readonly SourceOutcome[]> {
    const clock = () => this.now;
    const { again = false } = more;
    const { sources: outcomes } = await runSync(this.store, sources, {
      clock,
      userAgent: 'cardprice/1.2.3 (test)',
      folder: join(this.folder, 'downloads'),
      rules: this.#rules,
      importers: {
        snapshot: (snapshot) => importSnapshot(this.store, snapshot, { clock }),
        feed: (feed) => importFeed(this.store, feed, { clock, again }),
        backfill: (backfill) => importBackfill(this.store, backfill, { clock }),
        rates: (published) => importRates(this.store, published, { clock }),
      },
      ...more,
    });
    return outcomes;
  }

  /** Syncs one source. */
  async only(source: SyncSource, more: Partial<SyncOptions> = {}): Promise<SourceOutcome> {
    const [outcome] = await this.sync([source], more);
    if (!outcome) throw new Error('the source was not synced');
    return outcome;
  }

  /** Returns the served market price of a card's printing, in cents. */
  async priceOf(name: string): Promise<number | null | undefined> {
    const row = await this.store.db
      .selectFrom('printings')
      .innerJoin('cards', 'cards.id', 'printings.card_id')
      .where('cards.name', '=', name)
      .orderBy('printings.id')
      .select('printings.market')
      .executeTakeFirst();
    return row?.market;
  }

  /** Returns the market price that a source reports for the first printing of a card, in cents. */
  async priceFrom(source: string, name: string): Promise<number | null | undefined> {
    const row = await this.store.db
      .selectFrom('observations')
      .innerJoin('printings', 'printings.id', 'observations.printing_id')
      .innerJoin('cards', 'cards.id', 'printings.card_id')
      .where('observations.source', '=', source)
      .where('cards.name', '=', name)
      .orderBy('printings.id')
      .select('observations.market')
      .executeTakeFirst();
    return row?.market;
  }

  get #rules(): Partial<WebRules> {
    return {
      pauseMs: 0,
      idleTimeoutMs: 100,
      random: () => 1,
      sleep: async (ms) => {
        if (ms > 0) this.waits.push(ms);
      },
    };
  }
}

/** Serves the files of a folder like TCGCSV, each with an ETag. */
export function folderOf(folder: string): Answer {
  return (request, response) => {
    let bytes: Buffer;
    try {
      bytes = readFileSync(join(folder, request.url ?? ''));
    } catch {
      return status(404)(request, response);
    }
    const etag = `"${createHash('md5').update(bytes).digest('hex')}"`;
    return file(bytes, { etag })(request, response);
  };
}
