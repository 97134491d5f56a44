import { GAME_SLUGS } from '../../src/domain/games.ts';
import { type Entry, type Evidence, listed } from '../../src/search/lexicon/entry.ts';
import { ENTRIES, type PhraseKind } from '../../src/search/lexicon/index.ts';

/** The kinds in the order of the page, with their heading and what has to be said of them. */
const SECTIONS: readonly (readonly [kind: PhraseKind, heading: string, text: string])[] = [
  [
    'rarity',
    'Rarities',
    'A word may be a rarity in one game and nothing in another. A plain `rare` is the rarity ' +
      'Rare alone. The holo rare has words of its own.',
  ],
  [
    'printing',
    'Printings',
    'A card agrees that has such a printing, or whose name or set says so.',
  ],
  [
    'treatment',
    'Treatments',
    'A card agrees whose name, variants in brackets included, has these words; else by its ' +
      'rarity or its set.',
  ],
  [
    'language',
    'Languages',
    'The catalogue has English cards and Japanese ones of Pokémon. The words of other languages ' +
      'are understood, and no card agrees or disagrees with them.',
  ],
  [
    'game',
    'Games',
    'Words that name a game and nothing else exclude the cards of other games. Others, such as ' +
      '`magic`, are words of names too, and rank the cards of their game higher.',
  ],
  ['condition', 'Conditions', 'They say nothing about which card is meant.'],
  [
    'grade',
    'Grades',
    'They say nothing about which card is meant. A number from 1 to 10, with halves, follows a ' +
      'company with or without a space: `PSA 10`, `psa10`, `CGC 9.5`. ACE, AOG, GMA, HGA, KSA, ' +
      'PCA and TAG are read as companies only with a number.',
  ],
  ['noise', 'Noise', 'These say nothing about the card.'],
  [
    'set',
    'Sets',
    "What collectors call sets, where it is neither the set's code nor a part of its name: those " +
      'are found without a table.',
  ],
];

/** Only lists of numbers are longer. */
const LONG_LIST = 60;

/** Returns docs/search-words.md: every table of `src/search/lexicon/`. */
export function searchWordsPage(): string {
  return `# What words in a query mean

A query is a mixture of a card's name and of other words ([search.md](search.md)). These are the
other words, as the search knows them. They are compared like names, without case, accents and
punctuation, and may be written together: \`near mint\` is also \`nearmint\`. A word of these tables
may still be a word of a name: readings compete, and the name weighs most.

A year from 1993 to the next one is a year. A card agrees that came out in it, or that has it in its
name or its set's.

A card agrees by one of what the last column names. Of several words all have to occur; one with a
minus in front must not.

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
    ...(hasEvidence ? [column('a card agrees by', evidenceOf)] : []),
    ...(kind === 'game'
      ? [column('excludes others', ({ isFilter }) => (isFilter ? 'yes' : ''))]
      : []),
  ];
  const rows = [
    columns.map(({ title }) => title),
    columns.map(() => '---'),
    ...entries.map((entry) => columns.map(({ cell }) => cell(entry))),
  ];
  return `## ${heading}\n\n${text}\n\n${rows.map(tableRow).join('\n')}\n`;
}

/** Of the grades with a number only one company is shown: the others differ in its name alone. */
function isShown({ as, means, grade }: Entry): boolean {
  if (as !== 'grade' || grade === undefined) return true;
  return grade.company === null || grade.number === null || /^PSA (10|9\.5|9)$/.test(means);
}

function column(title: string, cell: (entry: Entry) => string) {
  return { title, cell };
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** Shows the words of an entry, of a long list of numbers only both ends. */
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
