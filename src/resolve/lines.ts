import { foldText, foldWords } from '../domain/text.ts';
import { readText } from '../search/index.ts';
import { type ResolveItem, whyTooLong, withSingleSpaces } from './item.ts';

/** The meaning of a line of a list, or of a listing's title. */
export type Line =
  | {
      readonly kind: 'card';
      readonly item: ResolveItem;
      /** Whether the line may also be free text, which makes this only one reading. */
      readonly isTentative: boolean;
    }
  | { readonly kind: 'no card'; readonly reason: string };

/** The fields of a parsed line. */
type Fields = Omit<ResolveItem, 'text'>;

/** Reads a line in the formats of decklists. A line that fits none stays a text. */
export function readLine(text: string): Line {
  const line = withSingleSpaces(text);
  const reason = whyTooLong('The line', line) ?? whyNoCard(line);
  if (reason !== undefined) return { kind: 'no card', reason };
  const { rest, quantity, refusal } = readQuantity(withoutListMarks(line));
  if (refusal !== undefined) return { kind: 'no card', reason: refusal };
  const counted = quantity === undefined ? {} : { quantity };
  const { fields, isTentative } = readFields(rest, quantity !== undefined);
  return { kind: 'card', item: { text, ...counted, ...fields }, isTentative };
}

/**
 * Reads a line of a list into an item. Returns undefined for headings, comments and other lines
 * that are not cards. A line that fits no decklist format becomes an item with only its text.
 */
export function parseLine(line: string): ResolveItem | undefined {
  const read = readLine(line);
  return read.kind === 'card' ? read.item : undefined;
}

/** `SB: 4 Duress`, `* 4 Pikachu`, `- 4 Duress`, `Hero: Bravo`. */
function withoutListMarks(line: string): string {
  return withoutRole(line.replace(/^(?:SB: ?|[*•] )/, '').replace(/^- (?=\d)/, ''));
}

/** Categories and tags after the card in lines of Archidekt, Moxfield or Deckstats. */
const TAG = / (?:\[[^[\]]*\]|\^[^^]*\^|#!?[A-Za-z][\w-]*)$/;

function readFields(text: string, hasQuantity: boolean): { fields: Fields; isTentative: boolean } {
  const { bare, printing } = withoutFoilMark(text);
  const marked = printing === undefined ? {} : { printing };
  const exact = readDashed(bare) ?? readSetInBrackets(bare) ?? readSetInBrackets(withoutTags(bare));
  if (exact) return { fields: { ...exact, ...marked }, isTentative: false };
  const coded = readCodeAndNumber(bare);
  if (coded) return { fields: { ...coded, ...marked }, isTentative: true };
  if (hasQuantity) return { fields: { name: withEnergy(bare), ...marked }, isTentative: true };
  return { fields: marked, isTentative: false };
}

function withoutTags(text: string): string {
  let bare = text;
  // No list has more.
  for (let i = 0; i < 4 && TAG.test(bare); i++) bare = bare.replace(TAG, '');
  return bare;
}

const FOIL_MARK = / \*(F|E|foil|etched)\*(?= |$)/i;

/** Moxfield and ManaBox mark foils with `*F*` and etched foils with `*E*`. */
function withoutFoilMark(text: string): { bare: string; printing?: string } {
  const mark = FOIL_MARK.exec(text)?.[1];
  if (mark === undefined) return { bare: text };
  const printing = /^e/i.test(mark) ? 'Etched Foil' : 'Foil';
  return { bare: text.replace(FOIL_MARK, ''), printing };
}

/** `Lightning Bolt (M11) 149`, `Lightning Bolt [M11] #149`, `Lightning Bolt (M11:149)`. */
const SET_AND_NUMBER =
  /^(.*\S) [([]([A-Za-z0-9][A-Za-z0-9:_-]{0,9}?)(?:[)\]] #?|[:#] ?)([A-Za-z★†-]{0,6}\d[\w★†/-]{0,9})[)\]]?$/u;
/** `URR_097 We Don't Talk About Bruno`. */
const CODE_IN_FRONT = /^([A-Z0-9]{2,5})_(\d{1,4}) (\S.*)$/;
/** Without a number, a code is in capitals: `Pummel (Red)` is a name. */
const SET_ALONE = /^(.*\S) [([]([A-Z0-9]{2,6})[)\]]$/;
/** `Charizard (Base Set) 4/102` and `Sol Ring (Commander Legends) 472`. */
const SET_NAME_AND_NUMBER = /^(.*\S) [([]([^()[\]]{3,60})[)\]] #?(\d[\w★†/-]{0,9})$/u;

const BRACKET = /[([]/;

function readSetInBrackets(text: string): Fields | undefined {
  const [, code, digits, title] = CODE_IN_FRONT.exec(text) ?? [];
  if (code !== undefined && digits !== undefined && title !== undefined) {
    return { name: title, setCode: code, number: digits };
  }
  if (!BRACKET.test(text)) return undefined;
  const [, name, setCode, number] = SET_AND_NUMBER.exec(text) ?? SET_ALONE.exec(text) ?? [];
  if (name !== undefined && setCode !== undefined && !isNoCode(number, setCode)) {
    return { name, setCode, ...(number === undefined ? {} : { number }) };
  }
  const [, named, set, numbered] = SET_NAME_AND_NUMBER.exec(text) ?? [];
  if (named === undefined || set === undefined || numbered === undefined) return undefined;
  if (isNoCode(numbered, set)) return undefined;
  return { name: named, set, number: numbered };
}

/** Whether an apparent code is a colour of Flesh and Blood, or digits without a number. */
function isNoCode(number: string | undefined, setCode: string): boolean {
  if (/^(?:red|yellow|blue)$/i.test(setCode)) return true;
  return number === undefined && (/^\d+$/.test(setCode) || /^[A-Z0-9]{3}\d{3}$/.test(setCode));
}

/** PTCGL: `Pikachu ex SVI 57`, `Charmander PAF 7 PH`. PH is a parallel holo. */
const CODE_AND_NUMBER = /^(.*\S) ([A-Z0-9][A-Z0-9-]{1,7}) ([A-Z]{0,5}\d{1,4}[a-z]?)( PH)?$/;

function readCodeAndNumber(text: string): Fields | undefined {
  const [, name, setCode, number, parallel] = CODE_AND_NUMBER.exec(text) ?? [];
  if (name === undefined || setCode === undefined || number === undefined) return undefined;
  if (!/[A-Z]/.test(setCode)) return undefined;
  const printing = parallel === undefined ? {} : { printing: 'Reverse Holofoil' };
  return { name: withEnergy(name), setCode, number, ...printing };
}

/** PTCGL's letters for the types of energy. */
const ENERGY: Readonly<Record<string, string>> = {
  G: 'Grass',
  R: 'Fire',
  W: 'Water',
  L: 'Lightning',
  P: 'Psychic',
  F: 'Fighting',
  D: 'Darkness',
  M: 'Metal',
  Y: 'Fairy',
};

function withEnergy(name: string): string {
  return name.replace(/\{([GRWLPFDMY])\}/g, (sign, letter: string) => ENERGY[letter] ?? sign);
}

/** `Name (Expansion) - `, the beginning of an article at Cardmarket. */
const NAME_AND_SET = /^(.*\S) [([]([^()[\]]{2,80})[)\]] - (?=\S)/;

const PRICE = /^(?:[€$£] ?)?\d+[.,]\d\d(?: ?(?:EUR|USD|GBP|€|\$|£))?$/i;
const NUMBER = /^[A-Z0-9]{0,6}-?[A-Z]{0,3}\d{1,4}[a-z★†]?(?:\/[A-Z]{0,3}\d{1,4})?$/;

/**
 * Reads a line of an order at Cardmarket: `Name (Expansion) - 48 - Rare - NM - English - 0,20 EUR`.
 * Returns undefined for other lines.
 */
function readDashed(text: string): Fields | undefined {
  const [whole = '', name, set] = NAME_AND_SET.exec(text) ?? [];
  if (name === undefined || set === undefined) return undefined;
  const parts = text.slice(whole.length).split(' - ');
  const fields: { -readonly [K in keyof Fields]?: Fields[K] } = { name, set };
  for (const part of parts.map((one) => one.trim())) {
    if (PRICE.test(part)) continue;
    const kind = kindOf(part);
    if (kind === undefined) return undefined;
    fields[kind] = part;
  }
  return fields;
}

type Kind = 'condition' | 'language' | 'rarity' | 'printing' | 'number';

/** Cardmarket's conditions. In other texts these abbreviations have other meanings. */
const CONDITION = /^(?:MT|NM|EX|GD|LP|PL|PO)$/;

function kindOf(part: string): Kind | undefined {
  if (CONDITION.test(part)) return 'condition';
  if (NUMBER.test(part)) return 'number';
  const { words, phrases } = readText(part);
  const whole = phrases.filter(({ from, to }) => to - from === words.length);
  return (['condition', 'language', 'rarity', 'printing'] as const).find((kind) => {
    return whole.some(({ as }) => as === kind);
  });
}

/** The highest quantity of a line. */
const MOST = 9999;

/** A line without its quantity. */
interface Counted {
  readonly rest: string;
  /** Undefined if the line has none. */
  readonly quantity?: number;
  /** Why the quantity is invalid. */
  readonly refusal?: string;
}

/** `4 `, `4x `, `x4 `, `(4) `, `[4] ` in front. Signs and fractions match too, to be refused. */
const IN_FRONT =
  /^(?:[x×]([+-]?\d{1,12}(?:\.\d{1,3})?)|[([]([+-]?\d{1,12})x?[)\]]|([+-]?\d{1,12}(?:\.\d{1,3})?)[x×]?)\s+(?=\S)/i;

/** `4xOP01-001`: without a space, only before a code. */
const BEFORE_CODE = /^(\d{1,4})[x×](?=[A-Z]{1,5}\d?\d?-?\d)/;

const BEHIND = /\s(?:[x×](\d{1,12})|(\d{1,4})[x×]|[([](\d{1,2})x?[)\]])$/i;

/** Numbers that begin names of sets and listings: `500 Years in the Future`, `1999`. */
const YEARS = /^(?:\d{3}|(?:19|20)\d\d)$/;

/** Reads the quantity at the beginning of a line, otherwise at its end. */
export function readQuantity(line: string): Counted {
  const front = IN_FRONT.exec(line) ?? BEFORE_CODE.exec(line);
  if (front) {
    const text = front[1] ?? front[2] ?? front[3] ?? '';
    if (!YEARS.test(text) || /[x×]/i.test(front[0])) {
      return checked(text, line.slice(front[0].length).replace(/^\|\s*/, ''));
    }
  }
  const behind = BEHIND.exec(line);
  if (!behind) return { rest: line };
  return checked(behind[1] ?? behind[2] ?? behind[3] ?? '', line.slice(0, behind.index));
}

function checked(text: string, rest: string): Counted {
  const quantity = Number(text);
  const refusal = refuseQuantity(quantity);
  return refusal === undefined ? { rest, quantity } : { rest, refusal };
}

/** Returns why a quantity is invalid; undefined if it is valid. */
export function refuseQuantity(quantity: number): string | undefined {
  if (Number.isInteger(quantity) && quantity >= 1 && quantity <= MOST) return undefined;
  return `The quantity ${quantity} is not a whole number from 1 to ${MOST}.`;
}

/** Headings in decklists, with or without a count: `Sideboard`, `Pokémon: 12`. */
const HEADINGS = new Set(
  [
    'deck|decklist|deck list|main|main deck|mainboard|side|side deck|sideboard|extra|extra deck',
    'maybeboard|maybe|considering|commander|commanders|companion|companions|tokens|about|attractions',
    'pokemon|trainer|trainers|energy|energies|total|total cards|cards|supporters|stadiums|tools',
    'creature|creatures|land|lands|instant|instants|sorcery|sorceries|artifact|artifacts',
    'enchantment|enchantments|planeswalker|planeswalkers|battles|spell|spells|other spells',
    'monster|monsters|trap|traps|leader|leaders|base|bases|ground units|space units|units',
    'upgrade|upgrades|event|events|stage|stages|hero|heroes|weapon|weapons|equipment|arena cards',
    'character|characters|action|actions|song|songs|item|items|location|locations|don deck',
    'wishlist|want list|wants|collection|binder|trades|for trade|quantity name',
  ].flatMap((line) => line.split('|')),
);

/** The most words of a heading with its count. */
const LONGEST_HEADING = 3;

/** Labels before a card's name: `Hero: Bravo, Showstopper`. */
const ROLES = new Set(['hero', 'weapon', 'weapons', 'equipment', 'leader', 'base', 'commander']);

/** Labels before a text that is not a card's name: `Name: My first deck`. */
const FACTS = new Set(['name', 'format', 'author', 'class', 'notes', 'description', 'date', 'url']);

/** Returns why a line is not a card; undefined if it may be one. */
export function whyNoCard(line: string): string | undefined {
  if (line === '') return 'The line is empty.';
  if (isComment(line)) return 'The line is a comment.';
  if (isHeading(line) || isFact(line)) return 'The line is a heading, not a card.';
  return /[\p{L}\p{N}]/u.test(line) ? undefined : 'The line has neither letters nor digits.';
}

function isComment(line: string): boolean {
  return line.startsWith('//') || /^#(?![#\s]*\d)/.test(line) || /^(?:;|--|<!)/.test(line);
}

/** Whether a line is one of the headings, possibly with a count or the marks of headings. */
function isHeading(line: string): boolean {
  const words = foldWords(line);
  if (words.length > LONGEST_HEADING) return false;
  const counted = words.filter((word) => !/^\d+$/.test(word));
  if (counted.length === 0 || counted.length < words.length - 1) return false;
  const isMarked = /^[=*[<!~-]|[:=\])]$|[:(\]-]\s*\d+\)?$/.test(line);
  return HEADINGS.has(counted.join(' ')) && (isMarked || counted.length === words.length);
}

function isFact(line: string): boolean {
  const [label = '', ...rest] = line.split(':');
  return rest.length > 0 && !rest.join('').startsWith('//') && FACTS.has(foldText(label));
}

/** Returns a line without the card's role in the deck, which comes before its name. */
function withoutRole(line: string): string {
  const colon = line.indexOf(':');
  return colon > 0 && ROLES.has(foldText(line.slice(0, colon)))
    ? line.slice(colon + 1).trim()
    : line;
}
