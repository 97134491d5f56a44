import { foldWords, isJapanese } from '../../domain/text.ts';
import { readTable, required } from '../lexicon/table.ts';
import { RomajiTable } from './romaji.ts';

/** A species, and where its name ends in the query. */
interface Translation extends SpeciesName {
  /** The place after its last word. */
  readonly to: number;
}

/** A species that words of a query name. */
export interface SpeciesName {
  /** In English, as shown. */
  readonly species: string;
  /** The folded words of each other name under which its cards may be listed. */
  readonly others: readonly (readonly string[])[];
}

/** A row of the table of species; names are folded, their words separated by spaces. */
export interface Species {
  /** The English name, as shown. */
  readonly shown: string;
  readonly english: string;
  readonly japanese: string;
  /** How the Japanese name sounds (soundOf). */
  readonly sound: string;
  /** The Japanese name in Latin letters, the names in other languages: separated by bars. */
  readonly romanised: string;
  readonly foreign: string;
}

/** The columns of `species.tsv`. */
export const SPECIES_COLUMNS = [
  'shown',
  'english',
  'japanese',
  'sound',
  'romanised',
  'foreign',
] as const;

/** Reads the table. Names are split into words only when a query has them: the start is quicker. */
export function readSpecies(): Species[] {
  return readTable('species.tsv', SPECIES_COLUMNS, (species) => {
    const { shown, english, japanese, sound } = species;
    if (!shown || !english || !japanese || !sound) throw new Error('an empty cell');
    return species;
  });
}

/** Returns a species with its names but one: all of them for the English name, else the listed. */
function otherNames(species: Species, name: string): SpeciesName {
  const { shown, english, japanese, foreign } = species;
  const names = name === english ? [japanese, ...namesIn(foreign)] : namesBeside(species, name);
  const others = names.filter((other) => other !== name).map((other) => other.split(' '));
  return { species: shown, others };
}

/** The English and the Japanese name; the Japanese first when a name is Japanese in Latin letters. */
function namesBeside({ english, japanese, foreign }: Species, name: string): string[] {
  return namesIn(foreign).includes(name) ? [english, japanese] : [japanese, english];
}

/** Every name of every species. */
class NameTable {
  readonly #species = new Map<string, Species>();
  /** How many words names of several words have at most, by their first word. */
  readonly #longest = new Map<string, number>();

  constructor(allSpecies: readonly Species[]) {
    for (const species of allSpecies) {
      const { english, japanese, romanised, foreign } = species;
      const names = [english, japanese, ...namesIn(romanised), ...namesIn(foreign)];
      for (const name of names) this.#add(name, species);
    }
  }

  /** Returns the longest name that begins at a word, with its species, or undefined without one. */
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

type Words = readonly string[];

interface Form {
  readonly english: Words;
  readonly japanese: Words;
}

/** A species in a form, and where its name ends in the query. */
interface FormName extends SpeciesName {
  /** The place after its last word. */
  readonly to: number;
}

/** Finds species in a form: `alolan vulpix`, アローラロコン, `アローラ ロコン`. */
class FormTable {
  readonly #names: NameTable;
  readonly #byFirstWord: ReadonlyMap<string, readonly Form[]>;
  /** Those of one Japanese word, which may be written as one with the species. */
  readonly #prefixes: readonly Form[];

  constructor(names: NameTable) {
    this.#names = names;
    const forms = readForms();
    this.#prefixes = forms.filter(({ japanese }) => japanese.length === 1);
    const separate = forms.filter(({ japanese }) => japanese.length > 1);
    this.#byFirstWord = new Map([
      ...Map.groupBy(forms, ({ english }) => english[0] ?? ''),
      ...Map.groupBy(separate, ({ japanese }) => japanese[0] ?? ''),
    ]);
  }

  /** Returns the species in a form of which the name begins at `words[from]`. */
  find(words: Words, from: number): FormName | undefined {
    const first = words[from] ?? '';
    const forms = isJapanese(first) ? this.#prefixes : (this.#byFirstWord.get(first) ?? []);
    for (const form of forms) {
      const found = this.#findEnglish(form, words, from) ?? this.#findJapanese(form, words, from);
      if (found) return found;
    }
    return undefined;
  }

  #findEnglish({ english, japanese }: Form, words: Words, from: number): FormName | undefined {
    const at = from + english.length;
    if (!startsWith(words, from, english)) return undefined;
    const found = this.#names.find(words, at);
    if (!found) return undefined;
    const { name, species } = found;
    const inEnglish = [...english, ...species.english.split(' ')];
    const others = japaneseNames(japanese, species);
    if (name !== species.english) others.unshift(inEnglish); // `alolan rokon`
    return { to: at + countWords(name), species: species.shown, others };
  }

  #findJapanese({ english, japanese }: Form, words: Words, from: number): FormName | undefined {
    const last = japanese.at(-1) ?? '';
    const at = from + japanese.length - 1;
    const word = words[at];
    if (!word?.startsWith(last) || !startsWith(words, from, japanese.slice(0, -1)))
      return undefined;
    // The species without its form: in the same word, or in the next.
    const isJoined = word !== last;
    const rest = [...(isJoined ? [word.slice(last.length)] : []), ...words.slice(at + 1)];
    const found = this.#names.find(rest, 0);
    if (!found || found.name !== found.species.japanese) return undefined;
    const { shown, english: inEnglish } = found.species;
    const [joined = [], apart = []] = japaneseNames(japanese, found.species);
    const others = [[...english, ...inEnglish.split(' ')], isJoined ? apart : joined];
    return { to: at + countWords(found.name) + (isJoined ? 0 : 1), species: shown, others };
  }
}

/** As one word, and as two: アローラロコン, アローラ ロコン. */
function japaneseNames(form: Words, species: Species): Words[] {
  const name = species.japanese.split(' ');
  const [first = '', ...more] = name;
  const joined = [...form.slice(0, -1), `${form.at(-1)}${first}`, ...more];
  return [joined, [...form, ...name]];
}

function readForms(): Form[] {
  return readTable('forms.tsv', ['english', 'japanese'], ({ english, japanese }) => ({
    english: foldWords(required(english, 'English form')),
    japanese: foldWords(required(japanese, 'Japanese form')),
  }));
}

function startsWith(words: Words, from: number, beginning: Words): boolean {
  return beginning.every((word, place) => words[from + place] === word);
}

function countWords(name: string): number {
  return name.split(' ').length;
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
