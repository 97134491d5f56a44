import { CONDITIONS } from '../../domain/price.ts';
import { foldWords } from '../../domain/text.ts';
import { gameEntries } from './games.ts';
import { gradeEntries } from './grades.ts';
import type { Entry, Evidence, PhraseKind } from './phrase.ts';
import { type Cells, listed, readGame, readGames, readTable, required } from './table.ts';

const PHRASES = ['games', 'means', 'words'] as const;
const WITH_EVIDENCE = [...PHRASES, 'rarity', 'printing', 'name', 'set'] as const;
const RARITY = ['games', 'label', 'other labels', 'words', 'also means', 'name', 'set'] as const;
const SET = ['game', 'means', 'words', 'sets'] as const;

/** The entries of all tables, in the order in which readings of the same words compete. */
export const ENTRIES: readonly Entry[] = [
  ...readTable('rarities.tsv', RARITY, rarityOf),
  ...readTable('printings.tsv', WITH_EVIDENCE, (cells) => withEvidence('printing', cells)),
  ...readTable('treatments.tsv', WITH_EVIDENCE, (cells) => withEvidence('treatment', cells)),
  ...readTable('languages.tsv', PHRASES, (cells) => phrasesOf('language', cells)),
  ...gameEntries(),
  ...readTable('conditions.tsv', ['means', 'words', 'condition'], conditionOf),
  ...gradeEntries(),
  ...readTable('noise.tsv', PHRASES, (cells) => phrasesOf('noise', cells)),
  ...readTable('sets.tsv', SET, setOf),
];

/** Reads the words of a row, whose games and evidence may be added. */
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

/** The labels of a rarity are phrases as well, and a card with one of them agrees. */
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
