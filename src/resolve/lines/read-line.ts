import { whyTooLong, withSingleSpaces } from '../bounds.ts';
import type { ResolveItem } from '../types.ts';
import { whyNoCard, withoutRole } from './headings.ts';
import { readQuantity } from './quantity.ts';
import { readDashed } from './read-dashed.ts';

/** What a line of a list or a listing's title says. */
export type Line =
  | {
      readonly kind: 'card';
      readonly item: ResolveItem;
      /** Whether the line may as well be free text, of which this is one reading. */
      readonly isTentative: boolean;
    }
  | { readonly kind: 'no card'; readonly reason: string };

/** The fields that stand behind a name. */
type Fields = Omit<ResolveItem, 'text'>;

/** Reads a line in the formats of decklists; one that fits none stays a text. */
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
 * Reads a line of a list into an item; undefined for a heading, a comment and whatever else is no
 * card. A line that fits no format of decklists becomes an item with its text alone.
 */
export function parseLine(line: string): ResolveItem | undefined {
  const read = readLine(line);
  return read.kind === 'card' ? read.item : undefined;
}

/** `SB: 4 Duress`, `* 4 Pikachu`, `- 4 Duress`, `Hero: Bravo`. */
function withoutListMarks(line: string): string {
  return withoutRole(line.replace(/^(?:SB: ?|[*•] )/, '').replace(/^- (?=\d)/, ''));
}

/** What follows the card in a line of Archidekt, Moxfield or Deckstats: categories and tags. */
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
/** Without a number a code is in capitals: `Pummel (Red)` is a name. */
/** `URR_097 We Don't Talk About Bruno`. */
const CODE_IN_FRONT = /^([A-Z0-9]{2,5})_(\d{1,4}) (\S.*)$/;
const SET_ALONE = /^(.*\S) [([]([A-Z0-9]{2,6})[)\]]$/;
/** `Charizard 4/102 (Base Set)` and `Sol Ring (Commander Legends) 472`, names of sets. */
const SET_NAME_AND_NUMBER = /^(.*\S) [([]([^()[\]]{3,60})[)\]] #?(\d[\w★†/-]{0,9})$/u;

function readSetInBrackets(text: string): Fields | undefined {
  const [, code, digits, title] = CODE_IN_FRONT.exec(text) ?? [];
  if (code !== undefined && digits !== undefined && title !== undefined) {
    return { name: title, setCode: code, number: digits };
  }
  const [, name, setCode, number] = SET_AND_NUMBER.exec(text) ?? SET_ALONE.exec(text) ?? [];
  if (name !== undefined && setCode !== undefined && !isNoCode(number, setCode)) {
    return { name, setCode, ...(number === undefined ? {} : { number }) };
  }
  const [, named, set, numbered] = SET_NAME_AND_NUMBER.exec(text) ?? [];
  if (named === undefined || set === undefined || numbered === undefined) return undefined;
  if (isNoCode(numbered, set)) return undefined;
  return { name: named, set, number: numbered };
}

/** Whether what looks like a code is a colour of Flesh and Blood, or digits without a number. */
function isNoCode(number: string | undefined, setCode: string): boolean {
  if (/^(?:red|yellow|blue)$/i.test(setCode)) return true;
  return number === undefined && (/^\d+$/.test(setCode) || /^[A-Z0-9]{3}\d{3}$/.test(setCode));
}

/** PTCGL: `Pikachu ex SVI 57`, `Charmander PAF 7 PH`; PH stands for a parallel holo. */
const CODE_AND_NUMBER = /^(.*\S) ([A-Z0-9][A-Z0-9-]{1,7}) ([A-Z]{0,5}\d{1,4}[a-z]?)( PH)?$/;

function readCodeAndNumber(text: string): Fields | undefined {
  const [, name, setCode, number, parallel] = CODE_AND_NUMBER.exec(text) ?? [];
  if (name === undefined || setCode === undefined || number === undefined) return undefined;
  if (!/[A-Z]/.test(setCode)) return undefined;
  const printing = parallel === undefined ? {} : { printing: 'Reverse Holofoil' };
  return { name: withEnergy(name), setCode, number, ...printing };
}

/** The letters by which PTCGL names the types of energy. */
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
