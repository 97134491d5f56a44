/*
 * The only normaliser. Names, set names, rarities, numbers and typed text are all compared through
 * it, so the same spellings are equal everywhere.
 */

const ASCII = /^[\x20-\x7e]*$/;
const TO_REWRITE = /['`&]/;
/** ASCII without the signs that are rewritten or end an HTML entity: nearly all texts. */
const PLAIN = /^[\x20-\x25\x28-\x3a\x3c-\x5f\x61-\x7e]*$/;

const SIGNS = '\\p{Script=Han}\\p{Script=Katakana}ー';
const JAPANESE = new RegExp(`[${SIGNS}]`, 'u');

/** A run of Japanese, or a run of other letters and digits; ★ and † only as part of a number. */
const WORD = new RegExp(`[${SIGNS}]+|(?:(?![${SIGNS}])[\\p{L}\\p{N}★†‡])+`, 'gu');

/** Letters without a separable accent, and Greek letters that card names use as words. */
const SPELLED_OUT: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ß: 'ss',
  ı: 'i',
  α: ' alpha ',
  β: ' beta ',
  γ: ' gamma ',
  δ: ' delta ',
  σ: ' sigma ',
  ω: ' omega ',
  '♀': ' f ',
  '♂': ' m ',
  '♢': ' prism star ',
  '◇': ' prism star ',
};
const TO_SPELL_OUT = new RegExp(`[${Object.keys(SPELLED_OUT).join('')}]`, 'g');

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  quot: '"',
  apos: "'",
  lt: '<',
  gt: '>',
  nbsp: ' ',
};

/** Katakana by their vowel, which a long vowel mark repeats. */
const KANA_BY_VOWEL: readonly (readonly [vowel: string, kana: string])[] = [
  ['ア', 'アァカガサザタダナハバパマヤャラワヮ'],
  ['イ', 'イィキギシジチヂニヒビピミリ'],
  ['ウ', 'ウゥクグスズツヅヌフブプムユュルヴ'],
  ['エ', 'エェケゲセゼテデネヘベペメレ'],
  ['ウ', 'オォコゴソゾトドノホボポモヨョロヲ'],
];
const LENGTHENED = new Map(
  KANA_BY_VOWEL.flatMap(([vowel, kana]) => [...kana].map((sign) => [sign, vowel] as const)),
);
const HIRAGANA_TO_KATAKANA = 0x60;

/**
 * Returns a text without case, accents, width, spaces and punctuation, so texts that look the same
 * to a reader fold alike. `&` is `and`, hiragana is katakana, HTML entities are decoded.
 */
export function foldText(text: string): string {
  return foldWords(text).join('');
}

/**
 * Returns the folded words of a text, in order. Apostrophes join words (`Farfetch'd` is
 * `farfetchd`). All other punctuation separates them (`Yu-Gi-Oh` is `yu`, `gi`, `oh`), and so does
 * a change between Japanese and other scripts.
 */
export function foldWords(text: string): string[] {
  return PLAIN.test(text) ? asciiWordsOf(text.toLowerCase()) : wordsOf(foldCharacters(text));
}

/** A piece of a text between spaces: the folded words before and after its first slash. */
export interface Chunk {
  readonly words: readonly string[];
  readonly afterSlash: readonly string[];
  /** The words before the slash as typed, in lower case; folded if the counts differ. */
  readonly typed: readonly string[];
}

/** Returns the pieces of a text between spaces, and keeps `OP01-025` and `4/102` whole. */
export function foldChunks(text: string): Chunk[] {
  const folded = foldCharacters(text).split(/\s+/);
  const pieces = ASCII.test(text) ? folded : text.toLowerCase().split(/\s+/);
  return folded
    .map((piece, i) => {
      const [before = '', ...after] = piece.split('/');
      const words = wordsOf(before);
      const typed = pieces.length === folded.length ? wordsOf(pieces[i] ?? '') : words;
      const isAsMany = typed.length === words.length;
      return { words, afterSlash: wordsOf(after.join('/')), typed: isAsMany ? typed : words };
    })
    .filter(({ words, afterSlash }) => words.length + afterSlash.length > 0);
}

/** Whether a folded word is Japanese, which is written without spaces. */
export function isJapanese(word: string): boolean {
  return JAPANESE.test(word);
}

/** Returns a word without the leading zeros of its numbers: `4` for `004`, `tg1` for `tg01`. */
export function withoutZeros(word: string): string {
  return word.includes('0') ? word.replace(/(?<!\d)0+(?=\d)/g, '') : word;
}

function wordsOf(folded: string): string[] {
  return ASCII.test(folded) ? asciiWordsOf(folded) : (folded.match(WORD) ?? []);
}

/** Returns the runs of letters and digits. A regular expression takes twice as long. */
function asciiWordsOf(folded: string): string[] {
  const words: string[] = [];
  let begin = 0;
  for (let i = 0; i <= folded.length; i++) {
    if (i < folded.length && isWordCharacter(folded.charCodeAt(i))) continue;
    if (begin < i) words.push(folded.slice(begin, i));
    begin = i + 1;
  }
  return words;
}

/** Whether a code unit is one of `a` to `z` or `0` to `9`. */
function isWordCharacter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);
}

function foldCharacters(text: string): string {
  const decoded = text.includes(';') ? decodeEntities(text) : text;
  const folded = ASCII.test(decoded) ? decoded.toLowerCase() : foldUnicode(decoded);
  return TO_REWRITE.test(folded) ? folded.replace(/['`]/g, '').replaceAll('&', ' and ') : folded;
}

/**
 * Returns a text with its HTML entities decoded. Some sources send them and some people paste them
 * (`Ace &amp; Newgate`). Also decodes `andamp;`, an `&amp;` whose `&` was written out.
 */
export function decodeEntities(text: string): string {
  if (!text.includes(';')) return text;
  return text
    .replace(/\band(?=amp;)/gi, '&')
    .replace(/&#(\d{1,6});/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&([a-z]{2,4});/gi, (entity, name: string) => ENTITIES[name.toLowerCase()] ?? entity);
}

function foldUnicode(text: string): string {
  const composed = text
    .toWellFormed()
    .replace(/[’‘ʼ´′＇]/g, "'") // before NFKC, which turns some of them into spaces
    .normalize('NFKC')
    .toLowerCase();
  const plain = composed
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '') // not the voicing marks of kana
    .normalize('NFC')
    .replace(TO_SPELL_OUT, (letter) => SPELLED_OUT[letter] ?? letter);
  return foldJapanese(foldStars(plain));
}

/** ★ belongs to a number (`117★`), is a word by itself (`Pikachu ★`) or decorates one. */
function foldStars(text: string): string {
  return text
    .replace(/(?<!\d)[†‡]/g, ' ')
    .replace(/(?<!\d)[★☆](?=[\p{L}\p{N}])/gu, ' ')
    .replace(/(?<!\d)[★☆]/g, ' star ');
}

function foldJapanese(text: string): string {
  if (!/[\u3040-\u30ff]/.test(text)) return text;
  return text
    .replace(/[ぁ-ゖ]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) + HIRAGANA_TO_KATAKANA))
    .replace(/([ァ-ヶ])ー/g, (pair, kana: string) => {
      const vowel = LENGTHENED.get(kana);
      return vowel === undefined ? pair : kana + vowel;
    })
    .replace(/(?<=[ァ-ヶ])(?:&(?=[ァ-ヶ])|-)/g, ' '); // between Japanese names `&` is read as `・`
}

/** Compares texts by code units, independently of the machine's language. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Returns the start of a text from others, safe to show on one line. Replaces control characters
 * and characters that change the direction of writing.
 */
export function safeText(text: string, maxLength: number): string {
  const isLong = text.length > maxLength;
  const start = isLong ? `${text.slice(0, maxLength)}…` : text;
  return start.replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, '\uFFFD');
}

/**
 * How well a label matches a typed text: 0 for the whole label, 1 for its beginning, 2 for a part.
 */
export type LabelMatch = 0 | 1 | 2;

/**
 * Matches labels, such as a name and a code, with the folded text `part`. Returns how well the best
 * label matches. Undefined if none contains it, or if the text has no letters or digits.
 */
export function matchLabels(labels: readonly string[], part: string): LabelMatch | undefined {
  if (part === '') return undefined;
  const folded = labels.map(foldText);
  if (folded.includes(part)) return 0;
  if (folded.some((label) => label.startsWith(part))) return 1;
  return folded.some((label) => label.includes(part)) ? 2 : undefined;
}
