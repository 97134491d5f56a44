import { UNSPECIFIED } from '../../domain/card.ts';
import { GAMES, type GameSlug, gameBySlug } from '../../domain/games.ts';
import { LANGUAGES, printingInLanguage } from '../../domain/languages.ts';
import { decodeEntities } from '../../domain/text.ts';

/** Splits PriceCharting's names of products and of "consoles" into their parts. */

/** A product's name: `Charizard [1st Edition] #4`. */
export interface ProductName {
  readonly name: string;
  readonly number: string | null;
  /**
   * The marks in brackets other than finishes, separated by commas. Editions are listed here and in
   * the printing, because some editions are separate cards.
   */
  readonly variant: string | null;
  /**
   * The catalogue's name of the printing, with a language in brackets if there is one; undefined
   * for the default printing.
   */
  readonly printing: string | undefined;
}

/** The catalogue's names of editions in brackets. */
const EDITIONS: Readonly<Record<string, string>> = {
  '1st edition': '1st Edition',
  limited: 'Limited',
  unlimited: 'Unlimited',
};

/**
 * The catalogue's names of finishes in brackets. `Non-Holo` is a variant: TCGplayer lists non-foil
 * cards from decks as separate cards.
 */
const FINISHES: Readonly<Record<string, string>> = {
  'cold foil': 'Cold Foil',
  holo: 'Holofoil',
  holofoil: 'Holofoil',
  'rainbow foil': 'Rainbow Foil',
  'reverse holo': 'Reverse Holofoil',
  'reverse holofoil': 'Reverse Holofoil',
};

const BRACKETS = /\[([^[\]]*)\]/g;
const NUMBER = / ?#\s?(\S+)$/;

export function splitProductName(text: string, game: GameSlug): ProductName {
  const whole = tidy(decodeEntities(text));
  const bare = tidy(whole.replace(BRACKETS, ' '));
  const [found = '', number = null] =
    NUMBER.exec(bare) ?? gameBySlug(game).pricecharting?.code?.exec(bare) ?? [];
  const name = bare.slice(0, bare.length - found.length).trim();
  const marks = [...whole.matchAll(BRACKETS)].map(([, mark = '']) => tidy(mark));
  // A name that consists only of a number or brackets is the name of the card.
  if (name === '') return { name: whole, number: null, variant: null, printing: undefined };
  return { name, number, ...sortMarks(marks, game) };
}

/**
 * The printing is the edition plus the finish. Two of the same kind give a name that no card has.
 */
function sortMarks(
  marks: readonly string[],
  game: GameSlug,
): Pick<ProductName, 'variant' | 'printing'> {
  const editions = marks.flatMap((mark) => lookUp(EDITIONS, mark) ?? []);
  const finishes = marks.flatMap((mark) => finishOf(mark, game) ?? []);
  const printing = [...new Set([...editions, ...finishes])].join(' ');
  const language = LANGUAGES.find(({ name }) => marks.includes(name));
  const others = marks.filter((mark) => {
    return mark !== '' && mark !== language?.name && finishOf(mark, game) === undefined;
  });
  const plain = printing === '' ? undefined : printing;
  return {
    printing: language ? printingInLanguage(plain ?? UNSPECIFIED, language.code) : plain,
    variant: others.length === 0 ? null : others.join(', '),
  };
}

function finishOf(mark: string, game: GameSlug): string | undefined {
  if (mark.toLowerCase() === 'foil') return gameBySlug(game).pricecharting?.foil;
  return lookUp(FINISHES, mark);
}

function lookUp(names: Readonly<Record<string, string>>, mark: string): string | undefined {
  const key = mark.toLowerCase();
  return Object.hasOwn(names, key) ? names[key] : undefined;
}

/** Words in the names of packs and boxes, and words at the end of such names. */
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

/** Whether a product is a pack or a box: it has no number, and a typical name. */
export function isSealed({ name, number }: ProductName): boolean {
  return number === null && SEALED.test(name);
}

/** The first words of the "consoles" of each game. The rest is the name of the set. */
const CONSOLES = GAMES.flatMap(({ slug, pricecharting }) =>
  pricecharting ? [[pricecharting.console, slug] as const] : [],
);

const LANGUAGE = new RegExp(`^(?:${LANGUAGES.map(({ name }) => name).join('|')})\\b`, 'i');

export interface ConsoleName {
  readonly game: GameSlug;
  readonly setName: string | null;
}

export type NoConsole = 'not of a game of ours' | 'card in another language than English';

/** Splits a "console" into game and set: `Pokemon Japanese Jungle`. */
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
