import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addDays, dayOf, formatDay, type Millis } from '../../../src/domain/day.ts';
import type { Cents } from '../../../src/domain/money.ts';
import { formatSets, type StarterSet } from '../../../src/sources/starter.ts';

/** The game of the sets, and their number: as many as the largest game has. */
export const MANY_SETS = { game: 'yugioh', count: 1100 } as const;

const WORDS = (
  'ancient blazing crimson duelist eternal forbidden galactic hidden infinite judgment kingdom ' +
  'legend maximum nova origin pharaoh quarter rising shadow tactical union vortex warrior zenith'
).split(' ');

const LAST = Date.parse('2026-01-28T00:00:00Z') as Millis;

/** Writes {@link MANY_SETS} in the format of the starter catalogue, each with one priced card. */
export async function writeManySets(folder: string): Promise<void> {
  const sets = Array.from({ length: MANY_SETS.count }, (_, index) => setAt(index));
  await writeFile(join(folder, `${MANY_SETS.game}.jsonl`), formatSets(sets));
}

function setAt(index: number): StarterSet {
  const word = (step: number) => capital(WORDS[(index * step + (index >> 4)) % WORDS.length] ?? '');
  const id = `many-${index}`;
  return {
    idSpace: 'starter',
    set: {
      externalId: id,
      game: MANY_SETS.game,
      code: `M${index.toString(36).toUpperCase()}`,
      name: `${word(1)} ${word(5)} ${word(7)} ${index}`,
      releaseDate: formatDay(addDays(dayOf(LAST), -8 * index)),
    },
    observedAt: LAST,
    cards: [cardOf(id, index)],
  };
}

function cardOf(set: string, index: number): StarterSet['cards'][number] {
  const market = (((index * 7919) % 900_000) + 25) as Cents;
  const days = [{ day: dayOf(LAST), market, low: null, mid: null, high: null }];
  return {
    externalId: `${set}-card`,
    name: `Dragon of ${capital(WORDS[index % WORDS.length] ?? '')} ${index}`,
    number: `M-EN${String(index).padStart(4, '0')}`,
    rarity: 'Super Rare',
    image: null,
    printings: [{ name: '1st Edition', days }],
  };
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
