import { createHash } from 'node:crypto';
import { dayOf, type Millis } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { Game } from '../../domain/games.ts';
import { compareExternalIds } from '../../domain/ids.ts';
import type { Group, GroupOutcome, Snapshot, SourceSet } from '../contract/snapshot.ts';
import type { KnownFiles, SourceFile } from '../contract/source-file.ts';
import type { Tree } from '../io/tree.ts';
import { isFutureDay } from '../kit/observed-at.ts';
import { ADAPTER_VERSION, adaptPrices, adaptProducts, adaptSet } from './adapt.ts';
import { MalformedFile, parseGroups, parsePrices, parseProducts } from './raw.ts';

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
 * Opens a TCGCSV tree: reads the lists of groups. The groups themselves are read one by one later.
 *
 * @throws OperatorError when this is no such tree, or has none of the games.
 */
export async function openTcgcsv(tree: Tree, options: TcgcsvOptions): Promise<Snapshot> {
  const { observedAt } = options;
  const broken: GroupOutcome[] = [];
  const pending: PendingGroup[] = [];
  for (const game of options.games) {
    try {
      for (const set of await readGroups(tree, game)) pending.push({ game, set });
    } catch (error) {
      broken.push({ kind: 'broken', name: game.name, reason: faultOf(error) });
    }
  }
  if (pending.length === 0) {
    throw new OperatorError(
      `${tree.location} holds no TCGCSV groups of ${options.games.map((g) => g.slug).join(', ')}: ` +
        'tcgplayer/<category>/groups is expected below it.',
    );
  }
  return {
    source: 'tcgcsv',
    games: options.games.map((game) => game.slug),
    marketplace: 'tcgplayer',
    observedAt,
    groupCount: pending.length + broken.length,
    async *groups(known) {
      yield* broken;
      for (const { game, set } of pending) yield readGroup(tree, game, set, observedAt, known);
    },
  };
}

/**
 * Returns when the prices of a tree were observed. TCGCSV asks to read this before anything else.
 *
 * @throws OperatorError when the tree gives no moment, or an impossible one.
 */
export async function readLastUpdated(tree: Tree, now: Millis): Promise<Millis> {
  const file = await tree.read('last-updated.txt');
  if (file.kind !== 'found') {
    throw new OperatorError(
      `${tree.location} has no last-updated.txt, so it does not say when its prices were ` +
        'observed. If this is a TCGCSV tree, give the moment with --observed YYYY-MM-DD.',
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

async function readGroups(tree: Tree, game: Game): Promise<SourceSet[]> {
  const file = await tree.read(`tcgplayer/${game.tcgplayerCategory}/groups`);
  if (file.kind !== 'found') throw new MalformedFile('groups: missing file');
  return parseGroups(file.bytes)
    .map((raw) => adaptSet(game, raw))
    .sort((a, b) => compareExternalIds(a.externalId, b.externalId));
}

async function readGroup(
  tree: Tree,
  game: Game,
  set: SourceSet,
  observedAt: Millis,
  known: KnownFiles,
): Promise<GroupOutcome> {
  const folder = `tcgplayer/${game.tcgplayerCategory}/${set.externalId}`;
  try {
    const products = await readFile(tree, `${folder}/products`, known);
    const prices = await readFile(tree, `${folder}/prices`, known);
    const isSamePull = known(`${folder}/prices`)?.observedAt === observedAt;
    if (!products.isChanged && !prices.isChanged && isSamePull) {
      return { kind: 'unchanged', name: set.name };
    }
    // Unchanged prices were observed again by a new pull, so that the file is read in full.
    const priceBytes = prices.bytes ?? (await readWhole(tree, `${folder}/prices`));
    const { listings, contradictory } = adaptPrices(parsePrices(priceBytes));
    const adapted =
      products.isChanged && products.bytes ? parseCards(game, products.bytes) : undefined;
    const group: Group = {
      idSpace: 'tcgcsv',
      set,
      observedAt,
      cards: adapted?.cards ?? 'unchanged',
      listings,
      skipped: {
        ...adapted?.skipped,
        ...(contradictory > 0 ? { 'contradictory price': contradictory } : {}),
      },
      files: [products.file, prices.file],
    };
    return { kind: 'read', group };
  } catch (error) {
    return { kind: 'broken', name: `${game.name}: ${set.name}`, reason: faultOf(error) };
  }
}

interface ReadFile {
  readonly file: SourceFile;
  readonly isChanged: boolean;
  /** Absent when the upstream sent nothing because the file is unchanged. */
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

/** Returns the digest by which the store recognises a file: of its bytes and the adapter's version. */
export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(`v${ADAPTER_VERSION}\n`).update(bytes).digest('hex');
}

function parseCards(game: Game, bytes: Uint8Array) {
  return adaptProducts(game, parseProducts(bytes));
}

/** Returns why a group could not be read. Rethrows errors that are no fault of the group. */
function faultOf(error: unknown): string {
  if (error instanceof MalformedFile || error instanceof OperatorError) return error.message;
  throw error;
}
