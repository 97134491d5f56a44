import { GAME_SLUGS } from '../../src/domain/games.ts';
import { ENTRIES, type PhraseKind } from '../../src/search/lexicon/index.ts';
import type { Entry, Evidence } from '../../src/search/lexicon/phrase.ts';
import { listed } from '../../src/search/lexicon/table.ts';
import { table } from './table.ts';

/** The kinds in the order of the page, each with its heading and introduction. */
const SECTIONS: readonly (readonly [kind: PhraseKind, heading: string, text: string])[] = [
  [
    'rarity',
    'Rarities',
    'A word can be a rarity in one game and mean nothing in another. A plain `rare` is only the ' +
      'rarity Rare; holo rare has its own words.',
  ],
  [
    'printing',
    'Printings',
    'A card matches if it has such a printing, or if its name or set says so.',
  ],
  [
    'treatment',
    'Treatments',
    'A card matches if its name, including variants in brackets, has these words. Otherwise its ' +
      'rarity or set decides.',
  ],
  [
    'language',
    'Languages',
    'The catalogue has English cards, and Japanese Pokémon cards. The names of other languages are ' +
      'recognised but change no result.',
  ],
  [
    'game',
    'Games',
    'A word that only names a game excludes the cards of other games. A word that also occurs in ' +
      'names, such as `magic`, ranks the cards of its game higher.',
  ],
  ['condition', 'Conditions', 'Conditions do not influence which card is found.'],
  [
    'grade',
    'Grades',
    'Grades do not influence which card is found. A number from 1 to 10, in steps of a half, follows ' +
      'a company with or without a space: `PSA 10`, `psa10`, `CGC 9.5`. ACE, AOG, GMA, HGA, KSA, ' +
      'PCA and TAG count as companies only with a number.',
  ],
  ['noise', 'Noise', 'These words are ignored.'],
  ['set', 'Sets', "Nicknames of sets. A set's code and the words of its name need no table."],
];

/** Only lists of numbers are this long. */
const LONG_LIST = 60;

/** Returns the page of every table of search words. */
export function searchWordsPage(): string {
  return `# Search words

A query mixes the name of a card with other words ([search.md](../../docs/search.md)). These tables
list the other words that the search knows. They are compared like names: case, accents and
punctuation do not count, and spaces may be left out (\`near mint\`, \`nearmint\`). A word in a table can
still be part of a name: readings compete, and the name weighs most.

A number from 1993 to next year is a year. A card matches if it was released in that year, or has the
year in its name or in the name of its set.

The last column says how a card matches: by any one of the entries. Where an entry has several words,
the card must have them all; it must not have a word with a minus in front.

${SECTIONS.map(section).join('\n')}`;
}

function section([kind, heading, text]: (typeof SECTIONS)[number]): string {
  const entries = ENTRIES.filter(({ as }) => as === kind).filter(isShown);
  const hasGames = entries.some(({ games }) => games);
  const hasEvidence = kind !== 'set' && entries.some(({ evidence }) => evidence);
  const columns = [
    column('means', ({ means }) => means),
    column('words', ({ words }) => wordsOf(words)),
    ...(hasGames ? [column('game', gamesOf)] : []),
    ...(hasEvidence ? [column('a card matches by', evidenceOf)] : []),
    ...(kind === 'game'
      ? [column('excludes others', ({ isFilter }) => (isFilter ? 'yes' : ''))]
      : []),
  ];
  const rows = entries.map((entry) => columns.map(({ cell }) => cell(entry)));
  const titles = columns.map(({ title }) => title);
  return `## ${heading}\n\n${text}\n\n${table(titles, rows)}\n`;
}

/** Shows only PSA's grades with a number: those of other companies differ only in the name. */
function isShown({ as, means, grade }: Entry): boolean {
  if (as !== 'grade' || grade === undefined) return true;
  return grade.company === null || grade.number === null || /^PSA (10|9\.5|9)$/.test(means);
}

function column(title: string, cell: (entry: Entry) => string) {
  return { title, cell };
}

/** Lists the words of an entry. A long list of numbers shows only its ends. */
function wordsOf(words: string): string {
  const all = listed(words).map(code);
  const shown = all.length < LONG_LIST ? all : [...all.slice(0, 4), '…', ...all.slice(-2)];
  return shown.join(', ');
}

function gamesOf({ games }: Entry): string {
  if (!games) return 'all';
  const others = GAME_SLUGS.filter((slug) => !games.includes(slug));
  return others.length === 1 ? `all but ${others.map(code)}` : games.map(code).join(', ');
}

function evidenceOf({ evidence }: Entry): string {
  return evidence ? FIELDS.flatMap((field) => fieldOf(field, evidence)).join('; ') : '';
}

const FIELDS = ['rarity', 'printing', 'name', 'set'] as const;

function fieldOf(field: (typeof FIELDS)[number], evidence: Evidence): string[] {
  const items = listed(evidence[field] ?? '').map(field === 'rarity' ? String : code);
  return items.length === 0 ? [] : [`${field} ${items.join(' or ')}`];
}

function code(text: string): string {
  return `\`${text.replace(/\s+/g, ' ')}\``;
}
