import { readSetName } from '../../domain/card-name.ts';
import { foldText, foldWords } from '../../domain/text.ts';
import type { CompiledEvidence, Entry, Evidence, Facts, WordTest } from './phrase.ts';
import { listed } from './table.ts';

type PrintingTest = (name: string) => boolean;

/** Returns an entry's test for cards, or undefined if it does not describe cards. */
export function compileFits(
  { games }: Entry,
  compiled: CompiledEvidence | undefined,
): ((card: Facts) => boolean) | undefined {
  if (!compiled) return games && (({ game }) => games.includes(game));
  if (!games) return (card) => agrees(card, compiled);
  return (card) => games.includes(card.game) && agrees(card, compiled);
}

/** Returns an entry's test for printing names, or undefined if it does not name printings. */
export function compileFitsPrinting({ evidence }: Entry): PrintingTest | undefined {
  if (evidence?.printing === undefined) return undefined;
  const tests = readTests(evidence.printing);
  // A catalogue has a few dozen names of printings, and a search compares thousands of cards.
  const known = new Map<string, boolean>();
  return (name) => {
    const fits = known.get(name) ?? passesAny(foldWords(name), tests);
    known.set(name, fits);
    return fits;
  };
}

/** Compiles evidence. `fitsPrinting` is its test for printings, if there is one. */
export function compileEvidence(
  { rarity, name, set, sets = [] }: Evidence,
  fitsPrinting: PrintingTest | undefined,
): CompiledEvidence {
  return {
    fitsPrinting,
    rarities: new Set(listed(rarity ?? '').map(foldText)),
    names: readTests(name ?? ''),
    sets: readTests(set ?? ''),
    setNames: sets.flatMap((text) => [foldWords(text), foldWords(readSetName(text).name)]),
  };
}

function readTests(field: string): WordTest[] {
  return listed(field).map((test) => {
    const words = test.split(' ');
    const isForbidden = (word: string) => word.startsWith('-');
    return {
      all: words.filter((word) => !isForbidden(word)),
      none: words.filter(isForbidden).map((word) => word.slice(1)),
    };
  });
}

function agrees(card: Facts, evidence: CompiledEvidence): boolean {
  return (
    (card.rarity !== null && evidence.rarities.has(card.rarity)) ||
    passesAny(card.nameTerms, evidence.names) ||
    fitsSetTerms(card.setTerms, evidence) ||
    hasPrinting(card, evidence.fitsPrinting)
  );
}

function hasPrinting({ printings }: Facts, fits: PrintingTest | undefined): boolean {
  if (!fits) return false;
  for (const { name } of printings) {
    if (fits(name)) return true;
  }
  return false;
}

/** Whether the terms of a set's name agree. */
export function fitsSetTerms(terms: readonly string[], evidence: CompiledEvidence): boolean {
  return passesAny(terms, evidence.sets) || isOneOf(terms, evidence.setNames);
}

function passesAny(words: readonly string[], tests: readonly WordTest[]): boolean {
  for (const test of tests) {
    if (passes(words, test)) return true;
  }
  return false;
}

/** Whether words pass a test. */
export function passes(words: readonly string[], { all, none }: WordTest): boolean {
  for (const word of all) {
    if (!words.includes(word)) return false;
  }
  for (const word of none) {
    if (words.includes(word)) return false;
  }
  return true;
}

function isOneOf(terms: readonly string[], names: readonly (readonly string[])[]): boolean {
  for (const name of names) {
    if (isSame(terms, name)) return true;
  }
  return false;
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) {
    if (a[i] !== b[i]) return false;
  }
  return true;
}
