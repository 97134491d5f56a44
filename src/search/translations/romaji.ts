import type { Species } from './species.ts';

/** Shorter words sound like words of many languages: `raki` from ラッキー. */
const SHORTEST_WORD = 5;
const SHORTEST_SOUND = 4;
const SHORTEST_SKELETON = 5;
/** Sounds of at least this length may differ by one letter from the species. */
const SHORTEST_MISHEARD = 8;

/** Words that only sound like a species: `lizard` like リザード, `nature` like ナットレイ. */
const OTHER_WORDS = new Set(
  'aqueous doldo enter lizard luxior narci nashi nature numeral sandals shandalar'.split(' '),
);

/** Finds species by their Japanese names in Latin letters, in any spelling. */
export class RomajiTable {
  /** Species by sound and by skeleton; null if several species share it. */
  readonly #bySound = new Map<string, Species | null>();
  readonly #bySkeleton = new Map<string, Species | null>();
  /** The sounds that may be misheard, by their first letter. */
  readonly #byLetter: ReadonlyMap<string, readonly string[]>;

  constructor(allSpecies: readonly Species[]) {
    for (const species of allSpecies) {
      addUnlessShared(this.#bySound, species.sound, species);
      addUnlessShared(this.#bySkeleton, skeletonOf(species.sound), species);
    }
    const long = [...this.#bySound.keys()].filter(({ length }) => length >= SHORTEST_MISHEARD - 1);
    this.#byLetter = Map.groupBy(long, (sound) => sound.charAt(0));
  }

  /**
   * Returns the species that a folded word sounds like. The word must have the same sound or the
   * same skeleton. Long sounds may differ by one letter after the first. Returns undefined if
   * several species fit equally well.
   */
  find(word: string): Species | undefined {
    if (word.length < SHORTEST_WORD || !/^[a-z]+$/.test(word)) return undefined;
    const sound = soundOf(word);
    if (sound.length < SHORTEST_SOUND || OTHER_WORDS.has(word)) return undefined;
    const heard = this.#bySound.get(sound);
    if (heard !== undefined) return heard ?? undefined;
    return this.#findSkeleton(sound) ?? this.#findMisheard(sound);
  }

  #findSkeleton(sound: string): Species | undefined {
    const skeleton = skeletonOf(sound);
    if (skeleton.length < SHORTEST_SKELETON) return undefined;
    return this.#bySkeleton.get(skeleton) ?? undefined;
  }

  #findMisheard(sound: string): Species | undefined {
    if (sound.length < SHORTEST_MISHEARD) return undefined;
    const sounds = this.#byLetter.get(sound.charAt(0)) ?? [];
    const near = sounds.filter((other) => isOneEditAway(sound, other));
    const [only, ...more] = near.map((other) => this.#bySound.get(other));
    return more.length === 0 ? (only ?? undefined) : undefined;
  }
}

function addUnlessShared(table: Map<string, Species | null>, key: string, species: Species): void {
  table.set(key, table.has(key) ? null : species);
}

/** Whether two texts differ by at most one inserted, deleted or replaced letter. */
function isOneEditAway(a: string, b: string): boolean {
  const longer = Math.max(a.length, b.length);
  const shorter = Math.min(a.length, b.length);
  if (longer - shorter > 1) return false;
  let start = 0;
  while (start < shorter && a[start] === b[start]) start++;
  let end = 0;
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return longer - start - end <= 1;
}

/*
 * The sound of romanised Japanese. All spellings of a name fold to the same sound: `lizardon`,
 * `rizaadon`, `rizadon` and `Rizādon` to `rizadon`.
 */

/** Replacements that fold spellings to a sound, in the order of their application. */
const SOUNDS: readonly (readonly [spelling: RegExp, sound: string])[] = [
  [/tch/g, 'ch'],
  [/th/g, 's'],
  [/ph/g, 'f'],
  [/ck/g, 'k'],
  [/qu/g, 'ku'],
  [/x/g, 'kus'],
  [/sh/g, 'sy'],
  [/ch/g, 'ty'],
  [/c(?=[eiy])/g, 's'],
  [/c/g, 'k'],
  [/j/g, 'zy'],
  [/([stz])yi/g, '$1i'],
  [/tsu/g, 'tu'],
  [/fu/g, 'hu'],
  [/l/g, 'r'],
  [/v/g, 'b'],
  [/o[hu](?![aeiouy])/g, 'o'],
  [/ei/g, 'e'],
  [/(.)\1+/g, '$1'],
  // English spells a long vowel with an r: `lizardon` is リザードン.
  [/(?<=[aeiou])r(?![aeiouy])/g, ''],
  [/(.)\1+/g, '$1'],
];

/** Returns the sound of a folded Latin word, without vowel lengths and with l folded to r. */
export function soundOf(word: string): string {
  return SOUNDS.reduce((sound, [spelling, replacement]) => {
    return sound.replace(spelling, replacement);
  }, word);
}

/** Returns a sound without the vowels that Japanese adds: `kameks` for `kamekusu`, `kamekus`. */
function skeletonOf(sound: string): string {
  return sound
    .replace(/(?<=.)u/g, '')
    .replace(/(?<=[td])o(?![aeiou])/g, '')
    .replace(/(.)\1+/g, '$1');
}
