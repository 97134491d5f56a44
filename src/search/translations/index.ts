import { foldWords, isJapanese } from '../../domain/text.ts';
import { readTable, required } from '../lexicon/table.ts';
import { RomajiTable } from './romaji.ts';
import {
  languagesOf,
  NameTable,
  otherNames,
  readSpecies,
  type Species,
  type SpeciesName,
} from './species.ts';

/** A species in a query. */
interface Translation extends SpeciesName {
  /** The index after its last word. */
  readonly to: number;
}

type Words = readonly string[];

interface Form {
  readonly english: Words;
  readonly japanese: Words;
}

/** A species with a form in a query. */
interface FormName extends SpeciesName {
  /** The index after its last word. */
  readonly to: number;
}

/** Finds species with a form: `alolan vulpix`, アローラロコン, `アローラ ロコン`. */
class FormTable {
  readonly #names: NameTable;
  readonly #byFirstWord: ReadonlyMap<string, readonly Form[]>;
  /** The forms of one Japanese word, which may be written as one word with the species. */
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

  /** Returns the species with a form whose name begins at `words[from]`. */
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

/** Returns the name as one word and as two: アローラロコン, アローラ ロコン. */
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
 * Returns the longest species name that begins at `words[from]`, or undefined if there is none.
 * Words are folded by `foldWords`. A name may be English, Japanese, German, Spanish, French,
 * Korean, Russian, Thai, Chinese, or Japanese in Latin letters. For an English name, `others` has
 * the names in all other languages. For any other name, it has the English and Japanese names.
 * English and Japanese names may have a form or an owner: `alolan vulpix`, アローラロコン,
 * `misty's starmie`.
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
 * Returns the species whose name in another language than English and Japanese begins at
 * `words[from]`, with these languages; undefined if there is none.
 */
export function translateForeign(words: readonly string[], from: number) {
  const found = NAMES.find(words, from);
  const languages = found ? languagesOf(found.species, found.name) : [];
  if (!found || languages.length === 0) return undefined;
  return { to: from + countWords(found.name), name: found.species.shown, languages };
}

/**
 * Returns the folded names of a card in other languages if its name begins with a species: `リザアドン
 * ex` for `Charizard ex`. The words after the species stay unchanged.
 */
export function namesInOtherLanguages(name: string): string[] {
  const words = foldWords(name);
  const found = translate(words, 0);
  if (!found) return [];
  return found.others.map((other) => [...other, ...words.slice(found.to)].join(' '));
}

/**
 * Returns the species that a folded word names, or sounds like as Japanese in Latin letters:
 * `lizardon`, `rizardon`, `pikachuu`. Returns undefined if none or several fit. Use it only for
 * words without another reading, because other words may sound like a species.
 */
export function fromRomaji(word: string): SpeciesName | undefined {
  const exact = NAMES.find([word], 0);
  if (exact) return otherNames(exact.species, exact.name);
  const species = ROMAJI.find(word);
  return species && otherNames(species, word);
}
