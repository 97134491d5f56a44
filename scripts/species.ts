/**
 * Writes `data/words/species.tsv`, the names of species in all languages, from the npm package
 * `pokemon`: `node scripts/species.ts`. A test fails if the file and the package disagree.
 */
import { writeFileSync } from 'node:fs';
import pokemon from 'pokemon';
import { toRomaji } from 'wanakana';
import { foldWords } from '../src/domain/text.ts';
import { readTable, required } from '../src/search/lexicon/table.ts';
import { soundOf } from '../src/search/translations/romaji.ts';
import { SPECIES_COLUMNS } from '../src/search/translations/species.ts';

const LANGUAGES = ['de', 'es', 'fr', 'ko', 'ru', 'th', 'zh-Hans', 'zh-Hant'] as const;

/** The codes of languages that the package writes differently. */
const CODES: Readonly<Partial<Record<(typeof LANGUAGES)[number], string>>> = {
  'zh-Hans': 'zhs',
  'zh-Hant': 'zht',
};

/** Shorter names in Latin letters are words of many languages: `pii` is Cleffa, `fu` Mienfoo. */
const SHORTEST_LATIN = 4;

/** Names that are words of other cards: `Spectrum` is the German Haunter. */
const OTHER_WORDS = new Set(
  'arktos boreas bulu dodo draco gruff metamorph rafflesia spectrum unknown'.split(' '),
);

/** Katakana of foreign sounds, which the romaniser spells sign by sign: `dei` of ディ. */
const FOREIGN_SOUNDS: readonly (readonly [kana: RegExp, romaji: string])[] = [
  [/ディ/g, 'di'],
  [/ティ/g, 'ti'],
  [/デュ/g, 'dyu'],
  [/ドゥ/g, 'du'],
  [/トゥ/g, 'tu'],
  [/フ([ァィェォ])/g, 'f$1'],
  [/ウ([ィェォ])/g, 'w$1'],
  [/ヴ([ァィェォ])/g, 'v$1'],
  [/ヴ/g, 'vu'],
  [/(?<=[シジチ])ィ/g, ''],
  [/(?<![シジチ])ェ/g, 'e'],
  [/ァ/g, 'a'],
  [/ィ/g, 'i'],
  [/ォ/g, 'o'],
];

interface Species {
  readonly shown: string;
  readonly english: string;
  readonly japanese: string;
  /** The sound of the Japanese name. */
  readonly sound: string;
  readonly romaji: readonly string[];
  /** The codes of the languages of each name. */
  readonly foreign: ReadonlyMap<string, readonly string[]>;
}

/** The text of `data/words/species.tsv`. */
export function speciesTable(): string {
  const rows = withoutAmbiguous(pokemon.all().map(speciesOf)).map(rowOf);
  return [SPECIES_COLUMNS.join('\t'), ...rows, ''].join('\n');
}

function speciesOf(shown: string, index: number): Species {
  const japanese = pokemon.all('ja')[index] ?? '';
  const foreign = Map.groupBy(LANGUAGES, (language) => fold(pokemon.all(language)[index] ?? ''));
  return {
    shown,
    english: fold(shown),
    japanese: fold(japanese),
    sound: soundOf(fold(romanise(japanese)).replaceAll(' ', '')),
    romaji: romanisationsOf(shown, japanese),
    foreign: new Map(
      [...foreign].map(([name, some]) => [name, some.map((one) => CODES[one] ?? one)]),
    ),
  };
}

const PUBLISHED = new Map(
  readTable('romanised.tsv', ['species', 'romanised'], ({ species, romanised }) => {
    return [required(species, 'species'), required(romanised, 'name')] as const;
  }),
);

/** `rizaadon`, `rizadon`, `riza don` from `riza-don`, and the publisher's spelling: `lizardon`. */
function romanisationsOf(shown: string, japanese: string): string[] {
  const full = fold(romanise(japanese));
  const short = fold(romanise(japanese.replaceAll('ー', '')).replace(/([aeiou])\1+|(o)u/g, '$1$2'));
  const split = fold(romanise(japanese.replaceAll('ー', '-')));
  const published = fold(PUBLISHED.get(shown) ?? '');
  const all = new Set([published, full, short, split, published.replaceAll(' ', '')]);
  return [...all];
}

function romanise(katakana: string): string {
  const spelled = FOREIGN_SOUNDS.reduce((text, [kana, romaji]) => {
    return text.replace(kana, romaji);
  }, katakana);
  return spelled
    .split(/([a-z]+)/)
    .map((part) => toRomaji(part))
    .join('');
}

function fold(name: string): string {
  return foldWords(name).join(' ');
}

/**
 * A name means the species with this English or Japanese name. Otherwise, if several species have
 * the name, it means none.
 */
function withoutAmbiguous(species: readonly Species[]): Species[] {
  const primary = new Set(species.flatMap(({ english, japanese }) => [english, japanese]));
  const counts = new Map<string, number>();
  for (const { romaji, foreign } of species) {
    for (const name of new Set([...romaji, ...foreign.keys()])) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  const isOwn = (name: string) => {
    return !primary.has(name) && counts.get(name) === 1 && !isCommon(name);
  };
  return species.map(({ romaji, foreign, ...rest }) => ({
    ...rest,
    romaji: romaji.filter(isOwn),
    foreign: new Map([...foreign].filter(([name]) => isOwn(name) && !romaji.includes(name))),
  }));
}

/** Whether a name is, or probably is, a word with another meaning. */
function isCommon(name: string): boolean {
  const letters = name.replaceAll(' ', '').length;
  const shortest = name.includes(' ') ? SHORTEST_LATIN + 1 : SHORTEST_LATIN;
  return OTHER_WORDS.has(name) || (/^[a-z ]*$/.test(name) && letters < shortest);
}

function rowOf({ shown, english, japanese, sound, romaji, foreign }: Species): string {
  const names = [...foreign.keys()].join('|');
  const languages = [...foreign.values()].map((codes) => codes.join(',')).join('|');
  return [shown, english, japanese, sound, romaji.join('|'), names, languages].join('\t');
}

if (import.meta.main) {
  const file = new URL('../data/words/species.tsv', import.meta.url);
  writeFileSync(file, speciesTable());
}
