import { foldWords } from '../../domain/text.ts';
import { FormTable } from './forms.ts';
import { NameTable, otherNames, readSpecies, type SpeciesName } from './names.ts';
import { RomajiTable } from './romaji.ts';

export type { SpeciesName };

/** A species, and where its name ends in the query. */
export interface Translation extends SpeciesName {
  /** The place after its last word. */
  readonly to: number;
}

const ALL_SPECIES = readSpecies();
const NAMES = new NameTable(ALL_SPECIES);
const FORMS = new FormTable(NAMES);
const ROMAJI = new RomajiTable(ALL_SPECIES);

/**
 * Returns the longest species name that begins at `words[from]`, or undefined without one. Words are
 * folded by `foldWords`. A name is English, Japanese, German, Spanish, French, Korean, Russian, Thai,
 * Chinese, or Japanese in Latin letters. The others of an English name are those of all languages,
 * the others of any other name are the English and the Japanese one; none is the name itself. English
 * and Japanese names may have a form or an owner: `alolan vulpix`, アローラロコン, `misty's starmie`.
 */
export function translate(words: readonly string[], from: number): Translation | undefined {
  const inForm = FORMS.find(words, from);
  if (inForm) return inForm;
  const found = NAMES.find(words, from);
  if (!found) return undefined;
  const to = from + found.name.split(' ').length;
  return { to, ...otherNames(found.species, found.name) };
}

/**
 * Returns what a card is called in other languages if its name begins with a species, folded:
 * `リザアドン ex` for `Charizard ex`. What follows the species stays as it is.
 */
export function namesInOtherLanguages(name: string): string[] {
  const words = foldWords(name);
  const found = translate(words, 0);
  if (!found) return [];
  return found.others.map((other) => [...other, ...words.slice(found.to)].join(' '));
}

/**
 * Returns the species that a folded word names or sounds like as Japanese in Latin letters, with its
 * English and its Japanese name: `lizardon`, `rizardon`, `pikachuu`. Undefined if none or several do.
 * Only for words that nothing else explains, since other words may sound like one.
 */
export function fromRomaji(word: string): SpeciesName | undefined {
  const exact = NAMES.find([word], 0);
  if (exact) return otherNames(exact.species, exact.name);
  const species = ROMAJI.find(word);
  return species && otherNames(species, word);
}
