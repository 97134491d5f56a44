import { cpSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after } from 'node:test';
import type { Millis } from '../../src/domain/day.ts';
import type {
  Contained,
  DescribedSet,
  Feed,
  FeedItem,
  FeedOptions,
  OpenFeed,
  Translation,
} from '../../src/sources/contract/feed.ts';
import { NOW } from './tcgcsv.ts';

/** The default modification time of test files. */
export const MODIFIED = Date.parse('2026-01-28T22:08:37Z');

/** The complete output of a feed. */
export interface ReadFeed {
  readonly feed: Feed;
  readonly items: readonly FeedItem[];
  readonly translations: readonly Translation[];
  readonly contained: readonly Contained[];
  readonly sets: readonly DescribedSet[];
  readonly skipped: Readonly<Record<string, number>>;
  readonly broken: readonly { readonly name: string; readonly reason: string }[];
  readonly done: readonly number[];
}

export function feedOptions(options: Partial<FeedOptions> = {}): FeedOptions {
  return {
    now: NOW,
    games: null,
    observedAt: null,
    files: {},
    ...options,
  };
}

/** Opens the files of a source and reads them completely. */
export async function readFeed(
  open: OpenFeed,
  location: string,
  options: Partial<FeedOptions> = {},
): Promise<ReadFeed> {
  const feed = await open(location, feedOptions(options));
  const items: FeedItem[] = [];
  const translations: Translation[] = [];
  const contained: Contained[] = [];
  const sets: DescribedSet[] = [];
  const skipped: Record<string, number> = {};
  const broken: { name: string; reason: string }[] = [];
  const done: number[] = [];
  for await (const batch of feed.batches()) {
    items.push(...batch.items);
    translations.push(...(batch.translations ?? []));
    contained.push(...(batch.contained ?? []));
    sets.push(...(batch.sets ?? []));
    broken.push(...batch.broken);
    done.push(batch.done);
    for (const [reason, count] of Object.entries(batch.skipped)) {
      skipped[reason] = (skipped[reason] ?? 0) + count;
    }
  }
  return { feed, items, translations, contained, sets, skipped, broken, done };
}

/** A folder of files for sources, removed when the test ends. */
export class FeedFolder {
  readonly folder = mkdtempSync(join(tmpdir(), 'cardprice-feed-'));

  constructor() {
    after(() => rmSync(this.folder, { recursive: true, force: true }));
  }

  /** Writes a file, text or JSON, and returns its path. */
  write(
    name: string,
    content: string | Uint8Array | object,
    modifiedAt: Millis = MODIFIED,
  ): string {
    const file = join(this.folder, name);
    const isPlain = typeof content === 'string' || content instanceof Uint8Array;
    writeFileSync(file, isPlain ? content : JSON.stringify(content));
    utimesSync(file, modifiedAt / 1000, modifiedAt / 1000);
    return file;
  }

  /** Copies a file or a folder, and returns its path. */
  copy(location: string): string {
    const copied = join(this.folder, basename(location));
    cpSync(location, copied, { recursive: true });
    return copied;
  }
}
