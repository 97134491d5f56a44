import type { CardSet } from '../domain/card.ts';
import {
  bracketsOf,
  isOversized,
  withoutBrackets,
  withoutNumber,
  withoutYear,
} from '../domain/card-name.ts';
import type { NamedCopy } from '../domain/copy.ts';
import { type GameSlug, gameBySlug, rulesOf } from '../domain/games.ts';
import { type LanguageCode, languageCalled } from '../domain/languages.ts';
import { type ComparableName, readName } from '../domain/naming/comparable-name.ts';
import { PRINTING, spell } from '../domain/naming/game-rules.ts';
import { foldWords } from '../domain/text.ts';
import { readCopy, readState } from './copy.ts';
import type { ResolveItem } from './item.ts';
import { codeInFront } from './numbers.ts';
import { printingIn, readPrinting } from './printing.ts';
import type { KnownSets, MeantSets } from './sets.ts';

/** An item, parsed for comparison with cards. */
export class Wanted {
  readonly item: ResolveItem;
  /** Without a number or set that was part of it; empty if the item has no name. */
  readonly name: string;
  readonly game: GameSlug | undefined;
  readonly sets: MeantSets | undefined;
  readonly number: string | undefined;
  /** The sets of the code in front of the number, if the item gives no set. */
  readonly codeSets: readonly CardSet[];
  /** The catalogue's name of the printing; undefined if the item gives none. */
  readonly printing: string | undefined;
  /** Undefined if the item names none, or an unknown one. */
  readonly language: LanguageCode | undefined;
  readonly copy: NamedCopy;
  /** The part of the item's printing that is a variant of the card: `Borderless`. */
  readonly #treatment: string | null;
  readonly #names = new Map<GameSlug, ComparableName>();

  constructor(item: ResolveItem, known: KnownSets) {
    this.item = item;
    this.language = languageCalled(item.language ?? '');
    this.game = gameOf(item, this.language);
    const set = item.set ?? item.setCode ?? item.setId;
    const inName = set === undefined ? setInBrackets(item.name, this.game, known) : undefined;
    const { name, number } = takeNumber(item, inName);
    this.name = name;
    this.number = number;
    const inState = printingIn(readState(item.condition));
    const { printing, treatment } = splitPrinting(item.printing ?? inState);
    this.printing = printing;
    this.#treatment = treatment;
    const fields = inName === undefined ? item : { ...item, set: inName };
    this.sets = withVariantSets(known.find({ ...fields, ...gameField(this.game) }), this, known);
    this.codeSets = this.sets ? [] : setsOfNumber(number, this.game, known);
    this.copy = readCopy(item);
  }

  /** Whether the item says that it means an oversized card. */
  get isOversized(): boolean {
    return isOversized(this.#treatment === null ? this.name : `${this.name} (${this.#treatment})`);
  }

  /** The item's name with its variants, by the rules of a game. */
  nameIn(game: GameSlug): ComparableName {
    let name = this.#names.get(game);
    if (!name) {
      name = readName(rulesOf(game), withoutYear(this.name), this.#treatment);
      this.#names.set(game, name);
    }
    return name;
  }
}

function setsOfNumber(
  number: string | undefined,
  game: GameSlug | undefined,
  known: KnownSets,
): readonly CardSet[] {
  const setCode = number === undefined ? undefined : codeInFront(number);
  return (setCode && known.find({ setCode, ...gameField(game) })?.sets) || [];
}

function gameField(game: GameSlug | undefined): { game?: GameSlug } {
  return game === undefined ? {} : { game };
}

/** Returns the item's game. Japanese Pokémon cards have their own game. */
function gameOf({ game }: ResolveItem, language: LanguageCode | undefined): GameSlug | undefined {
  if (game === undefined || language !== 'ja') return game;
  const { translation } = gameBySlug(game);
  return translation !== null && gameBySlug(translation).language === 'ja' ? translation : game;
}

/** `(OP01-024)` or `[LOB-EN005]` at the end, or the whole name. */
const CODED_NUMBER =
  /(?:^| [([]?)([A-Z][A-Z0-9]{0,5}-[A-Z]{0,3}\d{3}|(?=\d?[A-Z])[A-Z0-9]{3}\d{3})[)\]]?$/;
const CODED_NUMBER_IN_FRONT = /^([A-Z][A-Z0-9]{0,5}-[A-Z]{0,3}\d{3}) (?=\S)/;
const NUMBER_IN_NAME = /(?: -)? [(#]?([A-Z]{0,4}\d{1,4}\/[A-Z]{0,4}\d{1,4})\)?$/;

/** Removes from a name a number with a total or a code, and a set in brackets. */
function takeNumber(
  { name: whole = '', number }: ResolveItem,
  inBrackets: string | undefined,
): { readonly name: string; readonly number?: string } {
  const name = inBrackets === undefined ? whole : withoutBrackets(whole);
  if (number !== undefined && number.trim() !== '') {
    const bare = bareNumber(number);
    return { name: withoutNumber(name, bare), number: bare };
  }
  const front = CODED_NUMBER_IN_FRONT.exec(name);
  if (front?.[1]) return { name: name.slice(front[0].length), number: front[1] };
  const found = NUMBER_IN_NAME.exec(name) ?? CODED_NUMBER.exec(name);
  return found?.[1] ? { name: name.slice(0, found.index), number: found[1] } : { name };
}

/** `#4`, `no. 4`, `№4`, `4 / 102`. */
function bareNumber(number: string): string {
  return number
    .trim()
    .replace(/^(?:no\.? ?|nr\.? ?|№ ?|# ?)(?=\S)/i, '')
    .replace(/ ?\/ ?/, '/');
}

/** Variants in brackets that are also names of sets. */
const IN_NAMES = /^(?:red|yellow|blue|delta species)$/i;

/** Returns the set's name or code that a name has in brackets, if any. */
function setInBrackets(
  name: string | undefined,
  game: GameSlug | undefined,
  known: KnownSets,
): string | undefined {
  return bracketsOf(name ?? '').find((text) => {
    if (IN_NAMES.test(text)) return false;
    const found = known.find({ set: text, ...gameField(game) });
    return found !== undefined && found.sets.length > 0 && !found.isPartial;
  });
}

/** Splits an item's printing: `Borderless Foil` is a treatment and a printing. */
function splitPrinting(text: string | undefined): {
  printing: string | undefined;
  treatment: string | null;
} {
  const printing = text === undefined ? '' : readPrinting(text);
  if (printing === '' || PRINTING.test(printing)) {
    return { printing: printing === '' ? undefined : printing, treatment: null };
  }
  const words = printing.split(' ');
  const isOf = (word: string) => /^(?:foil|holofoil|normal|etched)$/.test(word);
  const kept = words.filter(isOf).join(' ');
  const rest = words.filter((word) => !isOf(word)).join(' ');
  const etched = kept.includes('etched') ? 'foil etched' : '';
  return {
    printing: kept.replace(/ ?etched ?/, '') || undefined,
    treatment: [rest, etched].filter((part) => part !== '').join(', ') || null,
  };
}

/** Adds the separate sets of the item's variants and of oversized cards. */
function withVariantSets(
  meant: MeantSets | undefined,
  wanted: Pick<Wanted, 'isOversized' | 'nameIn' | 'printing'>,
  known: KnownSets,
): MeantSets | undefined {
  if (!meant) return undefined;
  const sets = meant.sets.flatMap((set) => {
    if (wanted.isOversized) return [set, ...known.oversized(set.game)];
    const rules = rulesOf(set.game);
    if (rules.variantSets.length === 0) return [set];
    const { title, variants } = wanted.nameIn(set.game);
    const given = [...variants, spell(wanted.printing ?? '', rules.variants)];
    const names = foldWords(set.name).join(' ');
    for (const { ownSet, variant, within, inBoth } of rules.variantSets) {
      if (names !== within || !given.some((phrase) => variant.test(phrase))) continue;
      const own = known.spelt(set.game, ownSet);
      return inBoth.includes(title) ? [set, ...own] : own;
    }
    return [set];
  });
  return { ...meant, sets, rowIds: new Set(sets.map(({ rowId }) => rowId)) };
}
