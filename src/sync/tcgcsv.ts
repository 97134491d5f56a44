import { dayOf, type Millis } from '../domain/day.ts';
import { GAMES } from '../domain/games.ts';
import { knownFiles } from '../ingest/files.ts';
import type { KnownFiles } from '../sources/contract/snapshot.ts';
import { isUrl, openFolder, type Tree, webTree } from '../sources/io/tree.ts';
import { openTcgcsv, readLastUpdated } from '../sources/tcgcsv/read.ts';
import type { Store } from '../store/connect.ts';
import { lastFinishedImport } from '../store/imports.ts';
import { countImports } from '../store/sync.ts';
import {
  describeBroken,
  type ImportedSnapshot,
  type Pulled,
  type SyncSource,
  total,
} from './source.ts';

const NAME = 'tcgcsv';
const ADDRESS = 'https://tcgcsv.com';
/** As TCGCSV asks for: about this pause, and fewer requests a day than would get us banned. */
const PAUSE_MS = 100;
const REQUESTS_A_DAY = 9_000;

/**
 * TCGCSV, or a mirror or a folder of it: its `last-updated.txt` first, and the tree only when
 * that tells of a day whose tree was not pulled yet.
 */
export function tcgcsvSource(place: string = ADDRESS): SyncSource {
  return {
    name: NAME,
    async pull(visit) {
      const tree = isUrl(place)
        ? webTree(place, visit.openClient({ pause: PAUSE_MS }, REQUESTS_A_DAY))
        : await openFolder(place);
      try {
        const observedAt = await readLastUpdated(tree, visit.clock());
        if (await isPulled(visit.store, observedAt, tree)) {
          return { kind: 'unchanged', version: null };
        }
        const known = await knownFiles(visit.store, NAME);
        const rest = isUrl(place) ? passOverPulled(tree, known, observedAt) : tree;
        const snapshot = await openTcgcsv(rest, { games: GAMES, observedAt });
        return pulled(await visit.importers.snapshot(snapshot));
      } finally {
        await tree.close();
      }
    },
  };
}

/** Parts of a tree that are broken are asked for again so many times; then they are as they are. */
const MAX_PULLS = 3;
/** More broken parts than this are no quirk of the tree, but a source that failed. */
const MAX_BROKEN = 20;

/** Whether there is nothing to pull. On the web one pull a day is what the rules of use allow. */
async function isPulled({ db }: Store, observedAt: Millis, { location }: Tree): Promise<boolean> {
  const last = await lastPull(db);
  if (last === undefined) return false;
  if (last.broken > 0) {
    const isQuirk = last.observedAt === observedAt && last.broken <= MAX_BROKEN;
    return isQuirk && (await countImports(db, NAME, observedAt)) >= MAX_PULLS;
  }
  if (isUrl(location)) return dayOf(observedAt) <= dayOf(last.observedAt);
  return observedAt === last.observedAt;
}

/** The last import of a tree, if it was of all games. */
async function lastPull(db: Store['db']) {
  const last = await lastFinishedImport(db, NAME);
  if (!last?.summary || last.observed_at === null) return undefined;
  const { broken, games } = JSON.parse(last.summary) as { broken: object[]; games: string[] };
  if (!GAMES.every(({ slug }) => games.includes(slug))) return undefined;
  return { observedAt: last.observed_at, broken: broken.length };
}

/**
 * The tree without the files that an earlier try of the same pull has read: they are not asked
 * for again.
 */
function passOverPulled(tree: Tree, known: KnownFiles, observedAt: Millis): Tree {
  return {
    ...tree,
    async read(path, etag) {
      const isPulled = etag !== undefined && known(path)?.observedAt === observedAt;
      return isPulled ? { kind: 'unchanged' } : tree.read(path, etag);
    },
  };
}

function pulled(summary: ImportedSnapshot): Pulled {
  const { observedAt, pricesChanged, heldBack, broken, sets, setsUnchanged } = summary;
  const counts = {
    observedAt,
    pricesChanged,
    heldBack: total(heldBack),
    unmatched: 0,
    broken: broken.length,
    parts: sets + setsUnchanged + broken.length,
    firstBroken: describeBroken(broken),
  };
  return { kind: 'imported', counts, version: null };
}
