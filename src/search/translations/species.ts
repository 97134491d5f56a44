import { type LanguageCode, languageCalled } from '../../domain/languages.ts';
import { readTable } from '../lexicon/table.ts';

/** A species that words of a query name. */
export interface SpeciesName {
  /** In English, as shown. */
  readonly species: string;
  /** Its other names, each as folded words. Its cards may have any of them. */
  readonly others: readonly (readonly string[])[];
}

/** A row of the table of species. Names are folded, with spaces between words. */
export interface Species {
  /** The English name, as shown. */
  readonly shown: string;
  readonly english: string;
  readonly japanese: string;
  /** How the Japanese name sounds (soundOf). */
  readonly sound: string;
  /** The Japanese names in Latin letters and the names in other languages, separated by bars. */
  readonly romanised: string;
  readonly foreign: string;
  /** The codes of the languages of each name in `foreign`, separated in the same way. */
  readonly languages: string;
}

/** The columns of `species.tsv`. */
export const SPECIES_COLUMNS = [
  'shown',
  'english',
  'japanese',
  'sound',
  'romanised',
  'foreign',
  'languages',
] as const;

/** Reads the table. To start faster, splits a name into words only when a query has it. */
export function readSpecies(): Species[] {
  return readTable('species.tsv', SPECIES_COLUMNS, (species) => {
    const { shown, english, japanese, sound } = species;
    if (!shown || !english || !japanese || !sound) throw new Error('an empty cell');
    return species;
  });
}

/** Returns a species with its other names: all for the English name, otherwise the main two. */
export function otherNames(species: Species, name: string): SpeciesName {
  const { shown, english, japanese, foreign } = species;
  const names = name === english ? [japanese, ...namesIn(foreign)] : namesBeside(species, name);
  const others = names.filter((other) => other !== name).map((other) => other.split(' '));
  return { species: shown, others };
}

/** Returns the languages in which a species has a name; none for English and Japanese names. */
export function languagesOf({ foreign, languages }: Species, name: string): LanguageCode[] {
  const codes = namesIn(languages)[namesIn(foreign).indexOf(name)] ?? '';
  return codes.split(',').flatMap((code) => languageCalled(code) ?? []);
}

/** Returns the Japanese and the English name; English first for names in other languages. */
function namesBeside({ english, japanese, foreign }: Species, name: string): string[] {
  return namesIn(foreign).includes(name) ? [english, japanese] : [japanese, english];
}

/** Every name of every species. */
export class NameTable {
  readonly #species = new Map<string, Species>();
  /** The word count of the longest name with several words, by first word. */
  readonly #longest = new Map<string, number>();

  constructor(allSpecies: readonly Species[]) {
    for (const species of allSpecies) {
      const { english, japanese, romanised, foreign } = species;
      const names = [english, japanese, ...namesIn(romanised), ...namesIn(foreign)];
      for (const name of names) this.#add(name, species);
    }
  }

  /** Returns the longest name that begins at `words[from]`, with its species, if there is one. */
  find(words: readonly string[], from: number): { name: string; species: Species } | undefined {
    const longest = this.#longest.get(words[from] ?? '') ?? 1;
    for (let length = longest; length > 0; length--) {
      const name = length === 1 ? words[from] : words.slice(from, from + length).join(' ');
      const species = name === undefined ? undefined : this.#species.get(name);
      if (name !== undefined && species) return { name, species };
    }
    return undefined;
  }

  #add(name: string, species: Species): void {
    this.#species.set(name, species);
    const space = name.indexOf(' ');
    if (space < 0) return;
    const first = name.slice(0, space);
    const length = name.split(' ').length;
    this.#longest.set(first, Math.max(length, this.#longest.get(first) ?? 1));
  }
}

function namesIn(column: string): string[] {
  return column === '' ? [] : column.split('|');
}
