import { OperatorError } from '../../domain/errors.ts';
import { APPS } from './apps.ts';
import { type App, FIELDS, type Field, type Headers } from './fields.ts';

/**
 * What headers mean in tables of any origin. A set's column may have names or codes, which
 * the resolver tells apart.
 */
const HEADERS: Headers = {
  text: ['text', 'line', 'listing', 'title', 'description', 'item'],
  name: ['name', 'cardname', 'englishname', 'productname', 'fullname', 'card'],
  set: ['setname', 'editionname', 'expansionname', 'set', 'edition', 'expansion', 'cardset'],
  setCode: ['setcode', 'editioncode', 'expansioncode', 'setabbreviation', 'ptcgocode'],
  setId: ['setid'],
  number: ['collectornumber', 'collectorsnumber', 'cardnumber', 'number', 'cardno', 'localid'],
  game: ['game', 'productline', 'cardgame', 'tcg'],
  printing: ['printing', 'finish', 'foil', 'isfoil', 'foiling', 'variant', 'variance'],
  reverse: ['isreverseholo', 'reverseholo', 'reverse'],
  firstEdition: ['isfirsted', 'firstedition', '1stedition', 'isfirstedition'],
  condition: ['condition', 'cardcondition'],
  language: ['language', 'lang'],
  grade: ['grade'],
  gradingCompany: ['gradingcompany', 'grader'],
  year: ['year', 'releaseyear'],
  quantity: ['quantity', 'qty', 'count', 'amount', 'quantityx', 'totalquantity', 'copies', 'have'],
  tcgplayer: ['tcgplayer', 'tcgplayerid', 'tcgplayerproductid'],
  scryfall: ['scryfall', 'scryfallid'],
  cardmarket: ['cardmarket', 'cardmarketid', 'mkmid'],
  mtgjson: ['mtgjson', 'mtgjsonid', 'mtgjsonuuid'],
  pricecharting: ['pricecharting', 'pricechartingid'],
};

/** Where a table says what. */
export interface Columns {
  /** Undefined for a table of unknown origin. */
  readonly app: App | undefined;
  /** The place of each field's column, from 0. */
  readonly places: ReadonlyMap<Field, number>;
  /** The printing that each of these columns counts. */
  readonly counts: ReadonlyMap<number, string>;
}

/** What the operator says of columns: their headers by field. */
export type ChosenColumns = ReadonlyMap<Field, string>;

const NONE: ChosenColumns = new Map();

/**
 * Returns what columns mean; undefined when they do not say which cards are meant. Chosen columns
 * that are missing are ignored.
 */
export function mapColumns(head: readonly string[], chosen = NONE): Columns | undefined {
  const columns = columnsOf(head);
  const places = new Map(columns.places);
  for (const [field, name] of chosen) {
    const place = findPlace(head, name);
    if (place !== undefined) places.set(field, place);
  }
  return saysCards(places) ? { ...columns, places } : undefined;
}

/**
 * Like {@link mapColumns}, for columns that have to say which cards are meant.
 *
 * @throws OperatorError when they do not, or when a chosen column is missing.
 */
export function requireColumns(head: readonly string[], chosen: ChosenColumns): Columns {
  const missing = [...chosen.values()].find((name) => findPlace(head, name) === undefined);
  if (missing !== undefined) {
    throw new OperatorError(`There is no column "${missing}"; the columns are ${shown(head)}.`);
  }
  const columns = mapColumns(head, chosen);
  if (columns) return columns;
  throw new OperatorError(
    `None of the columns is known to have the name, the id or the set and number of cards: ` +
      `${shown(head)}. Say which is which, as --columns name=Title,number=No; or read the file as ` +
      `plain lines with --format lines.`,
  );
}

function columnsOf(head: readonly string[]): Columns {
  const known = head.map(normalize);
  const app = APPS.find(({ tells }) => tells.every((name) => known.includes(name)));
  const places = new Map<Field, number>();
  for (const field of FIELDS) {
    const place = placeOf(known, app?.headers?.[field] ?? HEADERS[field] ?? []);
    if (place !== undefined) places.set(field, place);
  }
  const counts = Object.entries(app?.counts ?? {}).flatMap(([name, printing]) => {
    const place = placeOf(known, [name]);
    return place === undefined ? [] : [[place, printing] as const];
  });
  return { app, places, counts: new Map(counts) };
}

function placeOf(known: readonly string[], names: readonly string[]): number | undefined {
  return names.map((name) => known.indexOf(name)).find((place) => place !== -1);
}

function normalize(header: string): string {
  return header.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

const SUFFICIENT: readonly Field[] = [
  'text',
  'name',
  'tcgplayer',
  'scryfall',
  'cardmarket',
  'mtgjson',
  'pricecharting',
];

function saysCards(places: ReadonlyMap<Field, number>): boolean {
  if (SUFFICIENT.some((field) => places.has(field))) return true;
  return places.has('number') && (places.has('set') || places.has('setCode'));
}

function findPlace(head: readonly string[], name: string): number | undefined {
  const exact = head.indexOf(name);
  return exact === -1 ? placeOf(head.map(normalize), [normalize(name)]) : exact;
}

function shown(head: readonly string[]): string {
  const names = head.slice(0, 30).map((name) => `"${name.slice(0, 40)}"`);
  return `${names.join(', ')}${head.length > names.length ? ', …' : ''}`;
}

/**
 * Reads `name=Card Name,set=Edition`.
 *
 * @throws OperatorError when it is not written so, or names an unknown field.
 */
export function parseChosenColumns(text: string): ChosenColumns {
  const pairs = text.split(/,(?=[^,=]*=)/).map((pair) => {
    const [field = '', ...rest] = pair.split('=');
    const known = FIELDS.find((one) => one === field.trim());
    const name = rest.join('=').trim();
    if (known && name !== '') return [known, name] as const;
    throw new OperatorError(
      `--columns "${text}" is not written like name=Card Name,set=Edition, with these fields: ` +
        `${FIELDS.join(', ')}.`,
    );
  });
  return new Map(pairs);
}
