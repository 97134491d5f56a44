import { foldText } from './text.ts';

/** The languages in which cards are printed. */

interface LanguageDefinition {
  /** Scryfall's code. Chinese has three: one for each script, and one for an unknown script. */
  readonly code: string;
  /** Its English name, in which the catalogue names printings. */
  readonly name: string;
  /** Phrases that mean the language anywhere in a text, separated by commas. */
  readonly words: string;
  /** Abbreviations that are also words (`it`). They mean the language only in its own field. */
  readonly marks: string;
}

/** The words of collectors, shops and programs for each language, in several languages. */
export const LANGUAGES = [
  {
    code: 'en',
    name: 'English',
    words: 'english, eng, en, english version, englisch, anglais, inglese, ingles',
    marks: 'gb, uk, us',
  },
  {
    code: 'de',
    name: 'German',
    words: 'german, german version, deutsch, ger, deu, allemand, tedesco, aleman, alemao',
    marks: 'de, d',
  },
  {
    code: 'fr',
    name: 'French',
    words:
      'french, french version, francais, francaise, franzosisch, fr, fre, fra, francese, frances',
    marks: 'f',
  },
  {
    code: 'it',
    name: 'Italian',
    words: 'italian, italian version, italiano, italiana, italienisch, italien, ita',
    marks: 'it, i',
  },
  {
    code: 'es',
    name: 'Spanish',
    words:
      'spanish, spanish version, espanol, espanola, castellano, spanisch, espagnol, spagnolo, spa',
    marks: 'es, sp, esp',
  },
  {
    code: 'pt',
    name: 'Portuguese',
    words:
      'portuguese, portuguese version, portugues, portugiesisch, portoghese, por, pt-br, brazilian portuguese',
    marks: 'pt, br, bra',
  },
  {
    code: 'ja',
    name: 'Japanese',
    words:
      'japanese, japanese version, japan, jp, jpn, jap, ja, japonais, japanisch, japones, giapponese, 日本語',
    marks: 'j',
  },
  {
    code: 'ko',
    name: 'Korean',
    words: 'korean, korean version, korea, kr, kor, koreanisch, coreen, coreano, 한국어',
    marks: 'ko, k',
  },
  {
    code: 'zhs',
    name: 'Simplified Chinese',
    words:
      'simplified chinese, chinese simplified, s-chinese, chs, zhs, zh-s, zh-cn, zh-hans, 简体中文',
    marks: 'cs, sc',
  },
  {
    code: 'zht',
    name: 'Traditional Chinese',
    words:
      'traditional chinese, chinese traditional, t-chinese, cht, zht, zh-t, zh-tw, zh-hant, 繁體中文',
    marks: 'ct, tc, tw',
  },
  {
    code: 'zh',
    name: 'Chinese',
    words: 'chinese, chinese version, chn, cn, chinesisch, chinois, cinese, chino',
    marks: 'zh, ch',
  },
  { code: 'ru', name: 'Russian', words: 'russian, russian version, rus, russisch', marks: 'ru' },
  { code: 'th', name: 'Thai', words: 'thai', marks: 'th, tha' },
  { code: 'id', name: 'Indonesian', words: 'indonesian', marks: 'id, idn' },
  { code: 'nl', name: 'Dutch', words: 'dutch, dutch version, nederlands', marks: 'nl, nld' },
  { code: 'pl', name: 'Polish', words: 'polish, polish version, polski', marks: 'pl, pol' },
] as const satisfies readonly LanguageDefinition[];

/** A language of cards: `de`. */
export type LanguageCode = (typeof LANGUAGES)[number]['code'];

const NAMES = new Map(LANGUAGES.map(({ code, name }) => [code, name] as const));

/** Returns the English name of a language. */
export function languageName(code: LanguageCode): string {
  return NAMES.get(code) ?? code;
}

/** The codes by all folded names of each language. */
const CODES = new Map(
  LANGUAGES.flatMap(({ code, name, words, marks }) => {
    return [code, name, ...words.split(', '), ...marks.split(', ')].map((called) => {
      return [foldText(called), code] as const;
    });
  }),
);

/**
 * A region or script after a language's name: Cardmarket's `Chinese (S)`, `Portuguese (Brazil)`.
 */
const MORE = new Map<string, LanguageCode>([
  ['chineses', 'zhs'],
  ['chineset', 'zht'],
  ['portuguesebrazil', 'pt'],
  ['portuguesebrazilian', 'pt'],
]);

/** Returns the language of a field that names one: `German`, `de`, `DEU`, `Français`. */
export function languageCalled(text: string): LanguageCode | undefined {
  const folded = foldText(text);
  return CODES.get(folded) ?? MORE.get(folded);
}

/** Cardmarket's languages, numbered from 1. */
const CARDMARKET: readonly LanguageCode[] = [
  ...(['en', 'fr', 'de', 'es', 'it', 'zhs', 'ja', 'pt', 'ru', 'ko', 'zht'] as const),
];

/** Returns the language for one of Cardmarket's numbers; undefined for other texts. */
export function languageAtCardmarket(number: string): LanguageCode | undefined {
  return CARDMARKET[Number(number) - 1];
}

/** An abbreviation of a language in a text, with its position. */
export interface LanguageMark {
  readonly language: LanguageCode;
  readonly from: number;
  readonly to: number;
  /** Its replacement, with as many characters: blanks, letters of a number, or itself. */
  readonly instead: string;
}

/**
 * Places where abbreviations mean a language although they are also words: in brackets, as the last
 * word in capitals or after a number, and in capitals between words that are not. None of them is a
 * rarity, a condition or the code of a set.
 */
const MARKS = [
  /[([](?:de|it|es|esp|pt|ko|ru|zh)[)\]]/i,
  /(?<=\s)(?:DE|IT|ES|PT|KO|RU|ZH)(?=\s*$)/,
  /(?<=\d.*\s)(?:de|it|es|pt|ko|ru|zh)(?=\s*$)/,
];
/** An abbreviation anywhere. A fast check, because most texts have none. */
const ANY_MARK = /(?<![a-z])(?:de|it|esp?|pt|ko|ru|zh)(?![a-z])/i;
const IN_CAPITALS = /(?<![\p{L}\p{N}'’-])(?:DE|IT|ES|PT|KO|RU|ZH)(?![\p{L}\p{N}'’-])/u;

/**
 * Finds a language in a text: an abbreviation in a place where it is not a word (`(DE)`, `Charizard
 * 4/102 IT`), in the number of a Yu-Gi-Oh! card (`LOB-DE005`), or in a link.
 */
export function findLanguageMark(text: string): LanguageMark | undefined {
  const inLink = findLanguageInLink(text);
  if (inLink) return inLink;
  if (!ANY_MARK.test(text)) return findLanguageInNumber(text);
  const isMixed = /\p{Ll}/u.test(text);
  for (const mark of isMixed ? [...MARKS, IN_CAPITALS] : MARKS) {
    const found = mark.exec(text);
    const language = found && languageCalled(found[0]);
    if (!found || !language) continue;
    const [{ length }] = found;
    const from = found.index;
    return { language, from, to: from + length, instead: ' '.repeat(length) };
  }
  return findLanguageInNumber(text);
}

/**
 * `?Language=German` of TCGplayer, `?language=3` of Cardmarket, `/card/m11/149/de/` of Scryfall.
 */
const IN_LINK = /[?&]language=(\w+)|scryfall\.com\/card\/[^/\s]+\/[^/\s]+\/([a-z]{2,3})\//i;

/** Finds the language that a link selects. The link stays unchanged. */
function findLanguageInLink(text: string): LanguageMark | undefined {
  const found = IN_LINK.exec(text);
  if (!found) return undefined;
  const [instead, selected, inPath = ''] = found;
  const value = selected ?? inPath;
  const language = languageAtCardmarket(value) ?? languageCalled(value);
  if (!language || language === 'en') return undefined;
  return { language, from: found.index, to: found.index + instead.length, instead };
}

/** Numbers of other games, and English numbers of Yu-Gi-Oh!, have another form. */
const CODED = /\b([A-Z0-9]{3,4}-)(DE|FR|IT|PT|SP|JP|KR|G|F|I|P|S|J|K)(?=\d{3}\b)/i;

function findLanguageInNumber(text: string): LanguageMark | undefined {
  const found = CODED.exec(text);
  if (!found) return undefined;
  const [, code = '', letters = ''] = found;
  const language = languageCalled(IN_NUMBERS[letters.toUpperCase()] ?? letters);
  if (!language) return undefined;
  const from = found.index + code.length;
  return { language, from, to: from + letters.length, instead: 'EN'.slice(0, letters.length) };
}

/** The letters of old European numbers. */
const IN_NUMBERS: Readonly<Record<string, string>> = { G: 'de', P: 'pt', S: 'es' };

const IN_PRINTING = / \(([^()]+)\)$/;

const BY_NAME = new Map(LANGUAGES.map(({ code, name }) => [name as string, code] as const));

/**
 * Returns the language of a translated printing: `de` for `Foil (German)`. Undefined for the
 * printings in the language of the card in the catalogue.
 */
export function languageOfPrinting(name: string): LanguageCode | undefined {
  return name.endsWith(')') ? BY_NAME.get(IN_PRINTING.exec(name)?.[1] ?? '') : undefined;
}

/** A language in the brackets of a card's name: `(German)`, `(JP Exclusive)`. */
const IN_NAME = new RegExp(
  `[([][^()[\\]]*\\b(${LANGUAGES.map(({ name }) => name).join('|')}|JP)\\b`,
);

/** Returns the language in the brackets of a card's name: `ja` for `Pikachu (JP Exclusive)`. */
export function languageInName(name: string): LanguageCode | undefined {
  const called = name.includes('(') || name.includes('[') ? IN_NAME.exec(name)?.[1] : undefined;
  return called === undefined ? undefined : languageCalled(called);
}

/** Returns the name of a printing in another language: `Foil (German)` for `Foil`. */
export function printingInLanguage(name: string, language: LanguageCode): string {
  return `${name} (${languageName(language)})`;
}

/** Returns the name of a printing without its language: `Foil` for `Foil (German)`. */
export function withoutLanguage(name: string): string {
  return languageOfPrinting(name) === undefined ? name : name.replace(IN_PRINTING, '');
}
