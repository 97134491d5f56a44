import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dayOf, type Millis, startOfDay } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import { GAMES, type GameSlug } from '../../domain/games.ts';
import type { Group, Listing, Snapshot } from '../contract/snapshot.ts';
import { parseSets, type StarterSet } from './format.ts';

/**
 * Opens the starter catalogue: a folder with a file of JSON lines for each game, which
 * `scripts/make-starter.ts` writes. It is small, and read as a whole.
 *
 * A set whose printings were last observed at different moments comes as several groups, oldest
 * first, so that no price is served as newer than it is.
 *
 * @throws OperatorError when there is none, or a line is not of the format.
 */
export async function openStarter(folder: URL | string): Promise<Snapshot> {
  const path = folder instanceof URL ? fileURLToPath(folder) : folder;
  const sets: StarterSet[] = [];
  for (const { slug } of GAMES) sets.push(...(await readGame(path, slug)));
  if (sets.length === 0) {
    throw new OperatorError(`${path} holds no starter catalogue: pokemon.jsonl is expected in it.`);
  }
  const groups = sets.flatMap(groupsOf);
  return {
    source: 'starter',
    games: [...new Set(sets.map(({ set }) => set.game))],
    marketplace: 'tcgplayer',
    observedAt: Math.max(...sets.map((set) => set.observedAt)),
    groupCount: groups.length,
    async *groups() {
      for (const group of groups) yield { kind: 'read', part: partOf(group), group };
    },
  };
}

function partOf({ set }: Group): string {
  return `${set.game}/${set.externalId}`;
}

/** Returns the sets of one game; none when the catalogue does not have the game. */
async function readGame(folder: string, game: GameSlug): Promise<StarterSet[]> {
  const file = join(folder, `${game}.jsonl`);
  try {
    return parseSets(game, file, await readFile(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Returns a set as one group for each moment at which printings of it were last observed. */
function groupsOf(starter: StarterSet): Group[] {
  const { idSpace, set, observedAt, cards } = starter;
  const byMoment = Map.groupBy(lastObservations(starter), ({ moment }) => moment);
  const moments = byMoment.size === 0 ? [observedAt] : [...byMoment.keys()].sort((a, b) => a - b);
  return moments.map((moment, index) => ({
    idSpace,
    set,
    observedAt: moment,
    cards: index === 0 ? cards : 'unchanged',
    listings: byMoment.get(moment)?.map(({ listing }) => listing) ?? [],
    skipped: {},
    files: [],
  }));
}

interface LastObservation {
  readonly moment: Millis;
  readonly listing: Listing;
}

function lastObservations({ observedAt, cards }: StarterSet): LastObservation[] {
  const observations: LastObservation[] = [];
  for (const { externalId, printings } of cards) {
    for (const { name: printing, days } of printings) {
      const newest = days.at(-1);
      if (!newest) continue;
      const { day, ...prices } = newest;
      // The time of day is known for the newest day only.
      const moment = day === dayOf(observedAt) ? observedAt : startOfDay(day);
      observations.push({
        moment,
        listing: { externalId, printing, prices, earlierDays: days.slice(0, -1) },
      });
    }
  }
  return observations;
}
