import { createHash } from 'node:crypto';
import { dayOf, type Millis } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { Game } from '../../domain/games.ts';
import { compareExternalIds } from '../../domain/ids.ts';
import type { BrokenPart, KnownFiles, SourceFile } from '../contract/files.ts';
import type { Group, GroupOutcome, Listing, Snapshot, SourceSet } from '../contract/snapshot.ts';
import type { Tree } from '../io/tree.ts';
import { isFutureDay } from '../kit/source-file.ts';
import {
  ADAPTER_VERSION,
  type AdaptedProducts,
  adaptPrices,
  adaptProducts,
  adaptSet,
  type BadRow,
  MalformedFile,
  parseGroups,
  parsePrices,
  parseProducts,
  type Rows,
} from './adapt.ts';

export interface TcgcsvOptions {
  readonly games: readonly Game[];
  /** When the prices were observed: {@link readLastUpdated}, unless the operator gives it. */
  readonly observedAt: Millis;
}

interface PendingGroup {
  readonly game: Game;
  readonly set: SourceSet;
}

/**
 * Opens a TCGCSV tree: reads the lists of groups. The groups themselves are read later, one by one.
 * @throws OperatorError if this is not a TCGCSV tree, or has none of the games.
 */
export async function openTcgcsv(tree: Tree, options: TcgcsvOptions): Promise<Snapshot> {
  const { games, observedAt } = options;
  const broken: GroupOutcome[] = [];
  const pending: PendingGroup[] = [];
  const listed = new Set<string>();
  for (const game of games) {
    try {
      const { rows, bad } = await readGroups(tree, game);
      for (const set of rows) pending.push({ game, set });
      for (const row of bad) broken.push(brokenList(game, row));
      listed.add(categoryOf(game));
    } catch (error) {
      broken.push(brokenList(game, { name: game.name, reason: faultOf(error) }));
    }
  }
  if (pending.length === 0) {
    throw new OperatorError(
      `${tree.location} holds no TCGCSV groups of ${games.map((game) => game.slug).join(', ')}: ` +
        'tcgplayer/<category>/groups is expected below it.',
    );
  }
  return {
    source: 'tcgcsv',
    games: games.map((game) => game.slug),
    marketplace: 'tcgplayer',
    observedAt,
    groupCount: pending.length + broken.length,
    covers: (part) => listed.has(part.split('/')[0] ?? ''),
    async *groups(known) {
      yield* broken;
      for (const { game, set } of pending) yield readGroup(tree, game, set, observedAt, known);
    },
  };
}

function categoryOf({ tcgplayerCategory }: Game): string {
  return String(tcgplayerCategory);
}

/** A fault in the list of a game's groups. */
function brokenList(game: Game, { name, reason }: BrokenPart): GroupOutcome {
  return { kind: 'broken', part: `${categoryOf(game)}/groups`, name, reason, game: game.slug };
}

/**
 * Returns when the prices of a tree were observed. TCGCSV asks clients to read this first.
 * @throws OperatorError if the tree gives no moment, or an impossible one.
 */
export async function readLastUpdated(tree: Tree, now: Millis): Promise<Millis> {
  const file = await tree.read('last-updated.txt');
  if (file.kind !== 'found') {
    throw new OperatorError(
      `${tree.location} has no last-updated.txt. A TCGCSV tree has that file and ` +
        'tcgplayer/<category>/groups (docs/sources.md). If this is one, give the day of its ' +
        'prices with --observed YYYY-MM-DD.',
    );
  }
  const text = Buffer.from(file.bytes).toString('utf8', 0, 100).trim();
  // TCGCSV writes the zone as `+0000`; Date wants `+00:00`.
  const moment = Date.parse(text.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));
  if (Number.isNaN(moment)) {
    throw new OperatorError(`last-updated.txt holds no moment: "${text.slice(0, 40)}".`);
  }
  if (isFutureDay(dayOf(moment), now)) {
    throw new OperatorError(`last-updated.txt is in the future: ${text}.`);
  }
  return moment;
}

async function readGroups(tree: Tree, game: Game): Promise<Rows<SourceSet>> {
  const file = await tree.read(`tcgplayer/${game.tcgplayerCategory}/groups`);
  if (file.kind !== 'found') throw new MalformedFile('groups: missing file');
  const { rows, bad } = parseGroups(file.bytes);
  const named = bad.map((row) => ({ ...row, name: `${game.name}: ${row.name}` }));
  const sets = rows.map((raw) => adaptSet(game, raw));
  const inOrder = sets.sort((a, b) => compareExternalIds(a.externalId, b.externalId));
  return { rows: inOrder, bad: named };
}

async function readGroup(
  tree: Tree,
  game: Game,
  set: SourceSet,
  observedAt: Millis,
  known: KnownFiles,
): Promise<GroupOutcome> {
  const part = `${categoryOf(game)}/${set.externalId}`;
  const folder = `tcgplayer/${part}`;
  try {
    const products = await readFile(tree, `${folder}/products`, known);
    const prices = await readFile(tree, `${folder}/prices`, known);
    const isSamePull = known(`${folder}/prices`)?.observedAt === observedAt;
    if (!products.isChanged && !prices.isChanged && isSamePull) {
      return { kind: 'unchanged', part, name: set.name };
    }
    // Unchanged prices were observed again by a new pull, so the file is read in full.
    const priceBytes = prices.bytes ?? (await readWhole(tree, `${folder}/prices`));
    const cardBytes = products.isChanged ? products.bytes : undefined;
    const content = contentOf(game, set.name, priceBytes, cardBytes);
    const files = [products.file, prices.file];
    return {
      kind: 'read',
      part,
      group: { idSpace: 'tcgcsv', set, observedAt, ...content, files },
    };
  } catch (error) {
    const name = `${game.name}: ${set.name}`;
    return { kind: 'broken', part, name, reason: faultOf(error), game: game.slug };
  }
}

type Content = Omit<Group, 'idSpace' | 'set' | 'observedAt' | 'files'>;

/** @throws MalformedFile if a file as a whole has other content, or too many rows are bad. */
function contentOf(
  game: Game,
  name: string,
  priceBytes: Uint8Array,
  cardBytes: Uint8Array | undefined,
): Content {
  const prices = readPrices(priceBytes);
  const products = cardBytes && readProducts(game, cardBytes);
  const bad = [...(products?.bad ?? []), ...prices.bad];
  return {
    cards: products?.cards ?? 'unchanged',
    listings: prices.listings,
    skipped: { ...products?.skipped, ...prices.skipped },
    badRows: bad.map((row) => ({ name: `${game.name}: ${name}, ${row.name}`, reason: row.reason })),
    unreadPrices: prices.unread,
  };
}

function readProducts(game: Game, bytes: Uint8Array): AdaptedProducts {
  const { rows, bad } = parseProducts(bytes);
  const adapted = adaptProducts(game, rows);
  return { ...adapted, bad: [...bad, ...adapted.bad] };
}

/** The content of a file of prices. */
export interface PriceFile {
  readonly listings: readonly Listing[];
  readonly skipped: Readonly<Record<string, number>>;
  readonly bad: readonly BadRow[];
  /**
   * The external ids of cards with a price that is bad or contradictory; null for unknown cards.
   */
  readonly unread: ReadonlySet<string | null>;
}

/** @throws MalformedFile if it has other content, or too many of its rows are bad. */
export function readPrices(bytes: Uint8Array): PriceFile {
  const { rows, bad } = parsePrices(bytes);
  const { listings, contradictory } = adaptPrices(rows);
  return { listings, ...describeUnread(contradictory, bad), bad };
}

/**
 * Counts contradictory prices, and collects the cards whose prices are unknown because of a fault.
 */
export function describeUnread(
  contradictory: readonly string[],
  bad: readonly BadRow[],
): Pick<PriceFile, 'skipped' | 'unread'> {
  const ids = bad.map(({ productId }) => (productId === null ? null : String(productId)));
  return {
    skipped: contradictory.length > 0 ? { 'contradictory price': contradictory.length } : {},
    unread: new Set([...contradictory, ...ids]),
  };
}

interface ReadFile {
  readonly file: SourceFile;
  readonly isChanged: boolean;
  /** Absent if the upstream sent nothing because the file is unchanged. */
  readonly bytes?: Uint8Array;
}

async function readFile(tree: Tree, path: string, known: KnownFiles): Promise<ReadFile> {
  const before = known(path);
  const read = await tree.read(path, before?.etag);
  if (read.kind === 'unchanged' && before) return { file: before, isChanged: false };
  if (read.kind !== 'found') throw new MalformedFile(`${path.split('/').at(-1)}: missing file`);
  const digest = digestOf(read.bytes);
  return {
    file: { path, digest, etag: read.etag },
    isChanged: digest !== before?.digest,
    bytes: read.bytes,
  };
}

async function readWhole(tree: Tree, path: string): Promise<Uint8Array> {
  const read = await tree.read(path);
  if (read.kind !== 'found') throw new MalformedFile(`${path.split('/').at(-1)}: missing file`);
  return read.bytes;
}

/**
 * Returns the digest by which the store recognises a file: over its bytes and the adapter's
 * version.
 */
export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(`v${ADAPTER_VERSION}\n`).update(bytes).digest('hex');
}

/** Returns why a group could not be read. Rethrows errors that the group did not cause. */
function faultOf(error: unknown): string {
  if (error instanceof MalformedFile || error instanceof OperatorError) return error.message;
  throw error;
}
