import { GAMES, type Game } from '../../domain/games.ts';
import { ANY_GRADER, formatGrade } from '../../domain/grade-names.ts';
import {
  COMPANY_GRADES,
  namesOf,
  plainSpellings,
  spellingsOf,
} from '../../domain/grade-spellings.ts';
import { GRADERS, type GradeParts, type Grader, gradeOf } from '../../domain/grades.ts';
import { LANGUAGES } from '../../domain/languages.ts';
import { CONDITIONS } from '../../domain/price.ts';
import { compareText, foldWords } from '../../domain/text.ts';
import type { Entry, Evidence, GradeReading, PhraseKind } from './phrase.ts';
import { type Cells, listed, readGame, readGames, readTable, required } from './table.ts';

const PHRASES = ['games', 'means', 'words'] as const;
const WITH_EVIDENCE = [...PHRASES, 'rarity', 'printing', 'name', 'set'] as const;
const RARITY = ['games', 'label', 'other labels', 'words', 'also means', 'name', 'set'] as const;
const SET = ['game', 'means', 'words', 'sets'] as const;

/** Reads the meaning, words and games of a row. */
function phrasesOf(as: PhraseKind, cells: Cells<'means' | 'words'> & { games?: string }): Entry {
  const games = readGames(cells.games ?? '');
  const words = listed(required(cells.words, 'words')).flatMap(withEachNumber);
  for (const phrase of words) {
    if (foldWords(phrase).length === 0) throw new Error(`no word in \`${phrase}\``);
  }
  const means = required(cells.means, 'meaning');
  return { as, means, words: words.join(', '), ...(games && { games }) };
}

/** Returns `x1`, `x2` up to `x99` for `x{1-99}`. */
function withEachNumber(phrase: string): string[] {
  const [range, from, to] = /\{(\d+)-(\d+)\}/.exec(phrase) ?? [];
  if (range === undefined) return [phrase];
  const count = Number(to) - Number(from) + 1;
  return Array.from({ length: count }, (_, i) => phrase.replace(range, `${Number(from) + i}`));
}

function withEvidence(as: PhraseKind, cells: Cells<(typeof WITH_EVIDENCE)[number]>): Entry {
  const { rarity, printing, name, set } = cells;
  if (`${rarity}${printing}${name}${set}` === '') throw new Error('nothing that agrees');
  return { ...phrasesOf(as, cells), evidence: filled({ rarity, printing, name, set }) };
}

/** Reads a rarity. Its labels are also phrases, and a card with any of the labels agrees. */
function rarityOf(cells: Cells<(typeof RARITY)[number]>): Entry {
  const { games, label, name, set } = cells;
  const labels = [label, ...listed(cells['other labels'])];
  const words = [...labels, ...listed(cells.words)].join(', ');
  const rarity = [...labels, ...listed(cells['also means'])].join(', ');
  return {
    ...phrasesOf('rarity', { games, means: label, words }),
    evidence: filled({ rarity, name, set }),
  };
}

function filled(evidence: Evidence): Evidence {
  return Object.fromEntries(Object.entries(evidence).filter(([, cell]) => cell !== ''));
}

function setOf({ game, means, words, sets }: Cells<(typeof SET)[number]>): Entry {
  const games = [readGame(game)];
  const names = sets === '' ? [means] : sets.split(' | ');
  return { ...phrasesOf('set', { means, words }), games, evidence: { sets: names } };
}

function conditionOf({ means, words, condition }: Cells<'means' | 'words' | 'condition'>): Entry {
  const entry = phrasesOf('condition', { means, words });
  if (condition === '') return entry;
  const known = CONDITIONS.find((one) => one === condition);
  if (!known) throw new Error(`no condition \`${condition}\``);
  return { ...entry, condition: known };
}

/** The companies' names of grades, with the numbers that they represent. */
const LABELS: readonly (readonly [label: string, words: string, numbers: readonly number[]])[] = [
  ['Gem Mint', 'gem mint, gem mt', [9.5, 10]],
  ['Mint', 'mint', [9, 9.5, 10]],
  ['NM-MT', 'nm mt, nm mint', [8, 8.5]],
  ['Perfect', 'perfect', [10]],
  ['Pristine', 'pristine', [10]],
];

/** Returns the entries of grades: `PSA 10`, `psa10`, `gem mint`, `mint 9`, `slabbed`, `raw`. */
function gradeEntries(): Entry[] {
  return [
    grade('Graded', 'graded, slab, slabs, slabbed', null, null),
    grade('Ungraded', 'raw, ungraded', null, null),
    grade('Gem Mint', 'gem mint, gem mt', null, null),
    ...GRADERS.flatMap(companyAlone),
    ...COMPANY_GRADES.map(companyGrade),
    ...LABELS.flatMap(([label, words, numbers]) => labelGrades(label, words, numbers)),
  ];
}

/** Returns the entry of a company's name alone, unless it is also a word in names of cards. */
function companyAlone(grader: Grader): Entry[] {
  if (grader.isWord || grader.slug === ANY_GRADER) return [];
  return [grade(grader.name, namesOf(grader).join(', '), grader.name, null)];
}

/** The words for a 7 or less are also conditions, and marks in names: `EX`. */
const LEAST_WORDED = 8;

function companyGrade(parts: GradeParts): Entry {
  const { grader, number, label } = parts;
  const means = formatGrade(gradeOf(parts));
  const spellings = number < LEAST_WORDED ? plainSpellings(parts) : spellingsOf(parts);
  const alone = label === 'Black Label' ? ['black label'] : [];
  return grade(means, [...spellings, ...alone].join(', '), grader.name, number);
}

function labelGrades(label: string, words: string, numbers: readonly number[]): Entry[] {
  return numbers.map((number) => {
    const written = words.split(', ').map((name) => `${name} ${number}`);
    return grade(`${label} ${number}`, written.join(', '), null, number);
  });
}

function grade(
  means: string,
  words: string,
  company: GradeReading['company'],
  number: GradeReading['number'],
): Entry {
  return { as: 'grade', means, words, grade: { company, number } };
}

/** Suffixes of a game's name, as in `one piece tcg`. A hint with a suffix is a name. */
const SUFFIXES = [' tcg', ' ccg', ' card game'];

/**
 * Returns the entries that name games. Names exclude cards of other games. Hints also occur in card
 * names, so they only rank the cards of their game higher.
 */
function gameEntries(): Entry[] {
  const byLabel = GAMES.toSorted((a, b) => compareText(a.search.label, b.search.label));
  return byLabel.flatMap(entriesOf);
}

function entriesOf({ slug, search: { label, names, hints, alsoMeans } }: Game): Entry[] {
  const games = [slug, ...alsoMeans];
  const suffixed = [...names, ...hints].flatMap((name) => SUFFIXES.map((suffix) => name + suffix));
  const words = [...names, ...suffixed].join(', ');
  const named: Entry = { as: 'game', means: label, words, games, isFilter: true };
  if (hints.length === 0) return [named];
  return [named, { as: 'game', means: label, words: hints.join(', '), games }];
}

/** Returns the entries of languages. Cards in the catalogue's language of their game agree. */
function languageEntries(): Entry[] {
  return LANGUAGES.map(({ code, name, words }) => {
    const games = GAMES.filter(({ language }) => language === code).map(({ slug }) => slug);
    const entry = { as: 'language', means: name, words, language: code } as const;
    return games.length > 0 ? { ...entry, games } : entry;
  });
}

/** The entries of all tables. If words have several meanings, earlier entries come first. */
export const ENTRIES: readonly Entry[] = [
  ...readTable('rarities.tsv', RARITY, rarityOf),
  ...readTable('printings.tsv', WITH_EVIDENCE, (cells) => withEvidence('printing', cells)),
  ...readTable('treatments.tsv', WITH_EVIDENCE, (cells) => withEvidence('treatment', cells)),
  ...languageEntries(),
  ...gameEntries(),
  ...readTable('conditions.tsv', ['means', 'words', 'condition'], conditionOf),
  ...gradeEntries(),
  ...readTable('noise.tsv', PHRASES, (cells) => phrasesOf('noise', cells)),
  ...readTable('sets.tsv', SET, setOf),
];
