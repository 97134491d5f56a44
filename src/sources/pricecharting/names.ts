import type { GameSlug } from '../../domain/games.ts';
import { decodeEntities } from '../../domain/text.ts';

/** What PriceCharting puts into the names of products and of "consoles", taken apart. */

/** A product's name: `Charizard [1st Edition] #4`. */
export interface ProductName {
  readonly name: string;
  readonly number: string | null;
  /**
   * What stands in brackets, with a comma between, unless it is a finish. An edition is in here as
   * well as in the printing, for some have a card of their own.
   */
  readonly variant: string | null;
  /** As our catalogue calls it; undefined is the default one. */
  readonly printing: string | undefined;
}

/** Editions in brackets, and what our catalogue calls them. */
const EDITIONS: Readonly<Record<string, string>> = {
  '1st edition': '1st Edition',
  limited: 'Limited',
  unlimited: 'Unlimited',
};

/**
 * Finishes in brackets. `Non-Holo` is none: TCGplayer lists what decks and such have without foil
 * as cards of their own.
 */
const FINISHES: Readonly<Record<string, string>> = {
  'cold foil': 'Cold Foil',
  foil: 'Foil',
  holo: 'Holofoil',
  holofoil: 'Holofoil',
  'rainbow foil': 'Rainbow Foil',
  'reverse holo': 'Reverse Holofoil',
  'reverse holofoil': 'Reverse Holofoil',
};

const BRACKETS = /\[([^[\]]*)\]/g;
const NUMBER = / ?#\s?(\S+)$/;

/** Games whose cards have a code instead of a number, which is written without a `#`. */
const CODES: Readonly<Partial<Record<GameSlug, RegExp>>> = {
  onepiece: / ((?:[A-Z]{2,3}\d{2}|P)-\d{3})$/,
  yugioh: / ([A-Z0-9]{2,5}-[A-Z]{0,2}\d{1,4})$/,
};

export function splitProductName(text: string, game: GameSlug): ProductName {
  const whole = tidy(decodeEntities(text));
  const bare = tidy(whole.replace(BRACKETS, ' '));
  const [found = '', number = null] = NUMBER.exec(bare) ?? CODES[game]?.exec(bare) ?? [];
  const name = bare.slice(0, bare.length - found.length).trim();
  const marks = [...whole.matchAll(BRACKETS)].map(([, mark = '']) => tidy(mark));
  // A number alone, or brackets alone, are what the card is called.
  if (name === '') return { name: whole, number: null, variant: null, printing: undefined };
  return { name, number, ...sortMarks(marks, game) };
}

/** The printing is the edition with the finish; two of a kind make one that no card has. */
function sortMarks(
  marks: readonly string[],
  game: GameSlug,
): Pick<ProductName, 'variant' | 'printing'> {
  const editions = marks.flatMap((mark) => lookUp(EDITIONS, mark) ?? []);
  const finishes = marks.flatMap((mark) => finishOf(mark, game) ?? []);
  const printing = [...new Set([...editions, ...finishes])].join(' ');
  const others = marks.filter((mark) => mark !== '' && finishOf(mark, game) === undefined);
  return {
    printing: printing === '' ? undefined : printing,
    variant: others.length === 0 ? null : others.join(', '),
  };
}

/** All foils of Lorcana are what TCGplayer calls cold ones. */
function finishOf(mark: string, game: GameSlug): string | undefined {
  if (game === 'lorcana' && mark.toLowerCase() === 'foil') return 'Cold Foil';
  return lookUp(FINISHES, mark);
}

function lookUp(names: Readonly<Record<string, string>>, mark: string): string | undefined {
  const key = mark.toLowerCase();
  return Object.hasOwn(names, key) ? names[key] : undefined;
}

/** Words in the names of packs and boxes, and words that such names end in. */
const SEALED_WORDS = [
  'booster (?:box|pack|bundle|case|display)',
  'elite trainer box',
  '(?:theme|starter|structure|battle|commander|preconstructed) deck',
  'fat pack',
  'gift box',
  'trainer kit',
  'build & battle',
  'code card',
];
const SEALED_ENDS = ['box', 'tin', 'case', 'blister', 'bundle', 'collection', 'display'];
const SEALED = new RegExp(
  `\\b(?:${SEALED_WORDS.join('|')})\\b|\\b(?:${SEALED_ENDS.join('|')})$`,
  'i',
);

/** Whether a product without a number is named like packs and boxes are. */
export function isSealed({ name, number }: ProductName): boolean {
  return number === null && SEALED.test(name);
}

/** What "consoles" of a game begin with. What follows is the name of the set. */
const CONSOLES: readonly (readonly [RegExp, GameSlug])[] = [
  [/^Pokemon Japanese\b/i, 'pokemonjp'],
  [/^Pokemon\b/i, 'pokemon'],
  [/^Magic\b/i, 'mtg'],
  [/^Yu-?Gi-?Oh!?(?=\s|$)/i, 'yugioh'],
  [/^(?:Disney )?Lorcana\b/i, 'lorcana'],
  [/^One Piece\b/i, 'onepiece'],
  [/^Star Wars:? Unlimited\b/i, 'swu'],
  [/^Flesh (?:and|&) Blood\b/i, 'fab'],
];

const LANGUAGES = [
  'Japanese',
  'Chinese',
  'Simplified Chinese',
  'Traditional Chinese',
  'Korean',
  'German',
  'French',
  'Italian',
  'Spanish',
  'Portuguese',
  'Dutch',
  'Polish',
  'Russian',
  'Thai',
  'Indonesian',
];
const LANGUAGE = new RegExp(`^(?:${LANGUAGES.join('|')})\\b`, 'i');

export interface ConsoleName {
  readonly game: GameSlug;
  readonly setName: string | null;
}

export type NoConsole = 'not of a game of ours' | 'card in another language than English';

/** The game and the set that a "console" is: `Pokemon Japanese Jungle`. */
export function splitConsoleName(text: string): ConsoleName | NoConsole {
  const whole = tidy(
    decodeEntities(text)
      .normalize('NFC')
      .replace(/^Pokémon/i, 'Pokemon'),
  );
  const [start, game] = CONSOLES.find(([pattern]) => pattern.test(whole)) ?? [];
  if (!start || !game) return 'not of a game of ours';
  const setName = whole.replace(start, '').trim();
  if (LANGUAGE.test(setName)) return 'card in another language than English';
  return { game, setName: setName === '' ? null : setName };
}

function tidy(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
