import { findGame, type GameSlug } from '../../domain/games.ts';
import { languageAtCardmarket, languageName } from '../../domain/languages.ts';
import { CONDITION_NAMES } from '../../domain/price.ts';
import type { ResolveItem } from '../../resolve/item.ts';
import { splitConsoleName, splitProductName } from '../../sources/pricecharting/names.ts';
import type { Field } from './apps.ts';
import type { Columns } from './columns.ts';
import { type Asked, MAX_LENGTH, type NotAsked, tooLong } from './rows.ts';

type Mutable<Item> = { -readonly [Name in keyof Item]: Item[Name] };
type Draft = Mutable<ResolveItem>;

/** The cells of a row that are not empty, by field. */
type Known = Partial<Record<Field, string>>;

type Ids = NonNullable<ResolveItem['ids']>;

/**
 * Converts a row of a table to one item, or to one for each column that counts the copies of a
 * printing.
 */
export function askRow(cells: readonly string[], columns: Columns): (Asked | NotAsked)[] {
  if (cells.every((cell) => cell.trim() === '')) {
    return [{ status: 'not_a_card', reason: 'The row is empty.' }];
  }
  const known = knownOf(cells, columns);
  const ids = idsOf(cells, columns);
  const counted = [...columns.counts].flatMap(([place, printing]) => {
    const quantity = cells[place]?.trim() ?? '';
    return quantity === '' || quantity === '0' ? [] : [{ ...known, printing, quantity }];
  });
  if (counted.length > 0) return counted.map((one) => askKnown(one, ids, columns));
  return [askKnown(columns.counts.size > 0 ? { ...known, quantity: '0' } : known, ids, columns)];
}

function knownOf(cells: readonly string[], { places }: Columns): Known {
  const known: Known = {};
  for (const [field, place] of places) {
    const cell = cells[place]?.trim();
    if (cell) known[field] = cell;
  }
  return known;
}

function askKnown(known: Known, ids: Ids, columns: Columns): Asked | NotAsked {
  const cells = [...Object.values(known), ...Object.values(ids)];
  const long = cells.find((cell) => cell.length > MAX_LENGTH);
  if (long !== undefined) return tooLong('A cell', long);
  const game = gameOf(known, columns);
  if (game === null) return unknownGame(known.game ?? known.set ?? '');
  const quantity = known.quantity === undefined ? undefined : readQuantity(known.quantity);
  if (known.quantity !== undefined && quantity === undefined) {
    const reason = `The quantity "${known.quantity.slice(0, 40)}" is not a whole number.`;
    return { status: 'unreadable', reason };
  }
  const item = itemOf(known, ids, columns, game);
  if (!saysCard(item)) {
    return { status: 'not_a_card', reason: 'The row has neither a name nor an id nor a number.' };
  }
  const { isNameless } = columns.app ?? {};
  return {
    // Lists cannot have the quantity 0, but the row still identifies its card.
    item: quantity === undefined || quantity === 0 ? item : { ...item, quantity },
    ...(quantity === 0 && { copies: 0 }),
    ...(isNameless && item.name === undefined && { isNameless }),
  };
}

/** Returns the game; undefined if the row gives none, null if Cardprice does not have it. */
function gameOf(known: Known, { app }: Columns): GameSlug | null | undefined {
  if (known.game !== undefined) return readGame(known.game) ?? null;
  if (app?.dialect === 'pricecharting' && known.set) return readGame(known.set) ?? null;
  return app?.game;
}

function unknownGame(named: string): NotAsked {
  return { status: 'unknown', reason: `The game "${named.slice(0, 40)}" is not supported.` };
}

function itemOf(known: Known, ids: Ids, columns: Columns, game: GameSlug | undefined): ResolveItem {
  const item: Draft = { ...plainFields(known), ...(game !== undefined && { game }) };
  const { condition, printing } = known.condition ? readCondition(known.condition) : {};
  if (condition !== undefined) item.condition = condition;
  const printings = [...printingsOf(known), ...(printing === undefined ? [] : [printing])];
  if (printings.length > 0) item.printing = [...new Set(printings)].join(' ');
  const grade = known.grade && readGrade(known.grade, known.gradingCompany);
  if (grade) item.grade = grade;
  if (Object.keys(ids).length > 0) item.ids = ids;
  applyDialect(item, known, columns);
  return item;
}

/** Returns the fields that are passed on unchanged. Ignores the text of a row with a name. */
function plainFields(known: Known): Draft {
  const { text, name, set, setCode, setId, number, rarity, language, year } = known;
  return {
    ...(name === undefined && text !== undefined && { text }),
    ...(name !== undefined && { name }),
    ...(set !== undefined && { set }),
    ...(setCode !== undefined && { setCode }),
    // Other programs have their own set ids: `base1`.
    ...(setId !== undefined && readGame(setId.split('-')[0] ?? '') && { setId }),
    ...(number !== undefined && { number }),
    ...(rarity !== undefined && { rarity }),
    ...(language !== undefined && { language }),
    ...(year !== undefined && /^(?:19|20)\d\d$/.test(year) && { year: Number(year) }),
  };
}

function printingsOf({ firstEdition, edition, printing, reverse }: Known): string[] {
  const cells = [
    firstEdition && readPrinting(firstEdition, '1st Edition'),
    edition && readPrinting(edition, '1st Edition'),
    printing && readPrinting(printing, 'Foil'),
    reverse && readPrinting(reverse, 'Reverse Holofoil'),
  ];
  return cells.flatMap((cell) => (cell ? [cell] : []));
}

function idsOf(cells: readonly string[], { ids }: Columns): Ids {
  const known = [...ids].map(([idSpace, place]) => [idSpace, cells[place]?.trim() ?? ''] as const);
  // Programs write 0 for unknown ids.
  return Object.fromEntries(known.filter(([, id]) => id !== '' && id !== '0'));
}

function saysCard({ text, name, number, ids }: ResolveItem): boolean {
  return [text, name, number, ids].some((field) => field !== undefined);
}

function applyDialect(item: Draft, known: Known, { app }: Columns): void {
  if (app?.dialect === 'cardmarket') {
    if (known.condition) item.condition = readCardmarketCondition(known.condition);
    if (known.language) item.language = readCardmarketLanguage(known.language);
  } else if (app?.dialect === 'dreamborn') {
    const set = readLorcanaSet(known.set ?? '');
    if (set) item.set = set;
    else delete item.set;
  } else if (app?.dialect === 'pricecharting') {
    splitProduct(item);
  }
}

/** PriceCharting puts number and printing into the name, and the game into the set's name. */
function splitProduct(item: Draft): void {
  if (!item.name || !item.game) return;
  const { name, number, variant, printing } = splitProductName(item.name, item.game);
  item.name = variant === null ? name : `${name} (${variant})`;
  if (number !== null) item.number = number;
  if (printing !== undefined) item.printing = printing;
  const console = splitConsoleName(item.set ?? '');
  if (typeof console !== 'string' && console.setName !== null) item.set = console.setName;
}

/** Returns the game that a cell names; undefined if it is not supported. */
function readGame(cell: string): GameSlug | undefined {
  const known = findGame(cell.toLowerCase());
  if (known) return known.slug;
  if (/^pok[eé]mon\b.*\bjap/i.test(cell)) return 'pokemonjp';
  const console = splitConsoleName(cell);
  return typeof console === 'string' ? undefined : console.game;
}

const YES = ['true', 'yes', 'y', 'x', '1', 'foil'];
const NO = ['false', 'no', 'n', '0', '-', 'none'];
const PLAIN = ['normal', 'nonfoil', 'non-foil'];

/** The foils of Flesh and Blood, and its first edition. */
const SHORTENED: ReadonlyMap<string, string> = new Map([
  ['rainbow', 'Rainbow Foil'],
  ['cold', 'Cold Foil'],
  ['first', '1st Edition'],
]);

/** Returns the printing in a cell. `yes` is the meaning of a cell like `true` or `x`. */
function readPrinting(cell: string, yes: string): string | undefined {
  const folded = cell.toLowerCase();
  if (YES.includes(folded)) return yes;
  if (PLAIN.includes(folded)) return 'Normal';
  return NO.includes(folded) ? undefined : (SHORTENED.get(folded) ?? cell);
}

/** A condition, and the printing that TCGplayer's seller exports have in the same cell. */
interface ConditionCell {
  readonly condition: string;
  readonly printing?: string;
}

/** Splits `Near Mint 1st Edition Holofoil`. Prefers brackets: `Good (Lightly Played)`. */
function readCondition(cell: string): ConditionCell {
  const condition = /\(([^()]+)\)$/.exec(cell)?.[1] ?? cell;
  const folded = condition.toLowerCase();
  const known = CONDITION_WORDS.find((words) => folded.startsWith(`${words} `));
  if (known === undefined) return { condition };
  const printing = condition.slice(known.length + 1);
  return { condition: condition.slice(0, known.length), printing };
}

const CONDITION_WORDS = Object.values(CONDITION_NAMES).map((name) => name.toLowerCase());

/** Returns the grade with the company from its own column; undefined for an ungraded card. */
function readGrade(cell: string, company: string | undefined): string | undefined {
  if (/^(?:un-?graded|not graded|raw|none|no|-)$/i.test(cell)) return undefined;
  const number = /^(?:grade[d]? )?(\d{1,2}(?:\.\d)?)$/i.exec(cell)?.[1];
  return number !== undefined && company !== undefined ? `${company} ${number}` : cell;
}

/** Returns the count in a cell such as `4`, `4x` or `1,000`; undefined if it is not a count. */
function readQuantity(cell: string): number | undefined {
  const digits = /^x? ?(-?\d{1,3}(?:,?\d{3})*)(?:\.0+)? ?x?$/i.exec(cell)?.[1];
  return digits === undefined ? undefined : Number(digits.replaceAll(',', ''));
}

/** Cardmarket's conditions by code and position, in the words of the American scale. */
const CARDMARKET_CONDITIONS: readonly (readonly [code: string, condition: string])[] = [
  ['MT', 'Near Mint'],
  ['NM', 'Near Mint'],
  ['EX', 'Lightly Played'],
  ['GD', 'Moderately Played'],
  ['LP', 'Moderately Played'],
  ['PL', 'Heavily Played'],
  ['PO', 'Damaged'],
];

function readCardmarketCondition(cell: string): string {
  const found = CARDMARKET_CONDITIONS.find(([code], index) => {
    return cell.toUpperCase() === code || cell === String(index + 1);
  });
  return found?.[1] ?? cell;
}

function readCardmarketLanguage(cell: string): string {
  const language = languageAtCardmarket(cell);
  return language === undefined ? cell : languageName(language);
}

/** Lorcana's sets, which Dreamborn and the cards number from 1. */
const LORCANA_SETS = [
  'The First Chapter',
  'Rise of the Floodborn',
  'Into the Inklands',
  "Ursula's Return",
  'Shimmering Skies',
  'Azurite Sea',
  "Archazia's Island",
  'Reign of Jafar',
  'Fabled',
  'Whispers in the Well',
];

/** Returns the name of a set by its number; undefined for a newer set. */
function readLorcanaSet(cell: string): string | undefined {
  return /^\d+$/.test(cell) ? LORCANA_SETS[Number(cell) - 1] : cell;
}
