import { dayOf, type Millis } from '../domain/day.ts';
import { GAMES } from '../domain/games.ts';
import { knownFiles } from '../ingest/import.ts';
import type { KnownFiles } from '../sources/contract/files.ts';
import { isUrl, openFolder, type Tree, webTree } from '../sources/io/tree.ts';
import { originsNamed } from '../sources/io/web.ts';
import { openTcgcsv, readLastUpdated } from '../sources/tcgcsv/read.ts';
import { lastFinishedImport } from '../store/catalogue/imports.ts';
import { countImports } from '../store/catalogue/sync.ts';
import type { Store } from '../store/connect.ts';
import {
  describeBroken,
  type SnapshotResult,
  type SyncResult,
  type SyncSource,
  total,
} from './source.ts';

const NAME = 'tcgcsv';
const ADDRESS = 'https://tcgcsv.com';
/** TCGCSV's rules: about this pause, and fewer daily requests than would lead to a ban. */
const PAUSE_MS = 100;
const REQUESTS_A_DAY = 9_000;

/**
 * TCGCSV, or a mirror or folder of it. A sync reads `last-updated.txt` first, and reads the tree
 * only if its day was not imported yet.
 */
export function tcgcsvSource(named?: string): SyncSource {
  const location = named ?? ADDRESS;
  const rules = { pauseMs: PAUSE_MS, trustedOrigins: originsNamed(named) };
  return {
    name: NAME,
    async sync(context) {
      const tree = isUrl(location)
        ? webTree(location, context.openClient(rules, REQUESTS_A_DAY))
        : await openFolder(location);
      try {
        const observedAt = await readLastUpdated(tree, context.clock());
        if (await isDone(context.store, observedAt, tree)) {
          return { kind: 'unchanged', version: null };
        }
        const known = await knownFiles(context.store, NAME);
        const rest = isUrl(location) ? withoutKnownFiles(tree, known, observedAt) : tree;
        const snapshot = await openTcgcsv(rest, { games: GAMES, observedAt });
        return resultOf(await context.importers.snapshot(snapshot));
      } finally {
        await tree.close();
      }
    },
  };
}

/** How often a tree with broken parts is imported before the parts are accepted as broken. */
const MAX_IMPORTS = 3;
/** More broken parts than this mean that the source failed, rather than a quirk of the tree. */
const MAX_BROKEN = 20;

/**
 * Whether there is nothing to import. TCGCSV's rules of use allow one download of a tree per day.
 */
async function isDone({ db }: Store, observedAt: Millis, { location }: Tree): Promise<boolean> {
  const last = await lastImport(db);
  if (last === undefined) return false;
  if (last.broken > 0) {
    const isQuirk = last.observedAt === observedAt && last.broken <= MAX_BROKEN;
    return isQuirk && (await countImports(db, NAME, observedAt)) >= MAX_IMPORTS;
  }
  if (isUrl(location)) return dayOf(observedAt) <= dayOf(last.observedAt);
  return observedAt === last.observedAt;
}

/** The last import of a tree, if it included all games. */
async function lastImport(db: Store['db']) {
  const last = await lastFinishedImport(db, NAME);
  if (!last?.summary || last.observedAt === null) return undefined;
  const { broken = [], games = [] } = last.summary;
  if (!GAMES.every(({ slug }) => games.includes(slug))) return undefined;
  return { observedAt: last.observedAt, broken: broken.length };
}

/** The tree without the files that an earlier import of the same state has read. */
function withoutKnownFiles(tree: Tree, known: KnownFiles, observedAt: Millis): Tree {
  return {
    ...tree,
    async read(path, etag) {
      const isKnown = etag !== undefined && known(path)?.observedAt === observedAt;
      return isKnown ? { kind: 'unchanged' } : tree.read(path, etag);
    },
  };
}

function resultOf(summary: SnapshotResult): SyncResult {
  const { observedAt, pricesChanged, quarantined, broken, brokenCount } = summary;
  const { sets, setsUnchanged } = summary;
  const counts = {
    observedAt,
    pricesChanged,
    quarantined: total(quarantined),
    unmatched: 0,
    broken: brokenCount,
    parts: sets + setsUnchanged + brokenCount,
    firstBroken: describeBroken(broken),
  };
  return { kind: 'imported', counts, version: null };
}
