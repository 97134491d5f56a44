import { OperatorError } from '../../domain/errors.ts';
import { CARD_ID_SPACES } from '../../domain/sources.ts';
import { APPS, type App, FIELDS, type Field, type Headers } from './apps.ts';

/**
 * The meanings of headers in tables of any origin. A column of sets may contain names or codes: the
 * resolver distinguishes them.
 */
const HEADERS: Headers = {
  text: ['text', 'line', 'listing', 'title', 'description', 'item'],
  name: ['name', 'cardname', 'englishname', 'productname', 'fullname', 'card'],
  set: ['setname', 'editionname', 'expansionname', 'set', 'edition', 'expansion', 'cardset'],
  setCode: ['setcode', 'editioncode', 'expansioncode', 'setabbreviation', 'ptcgocode'],
  setId: ['setid'],
  number: ['collectornumber', 'collectorsnumber', 'cardnumber', 'number', 'cardno', 'localid'],
  rarity: ['rarity', 'cardrarity'],
  game: ['game', 'productline', 'cardgame', 'tcg'],
  printing: ['printing', 'finish', 'foil', 'isfoil', 'foiling', 'variant', 'variance'],
  reverse: ['isreverseholo', 'reverseholo', 'reverse'],
  firstEdition: ['isfirsted', 'firstedition', '1stedition', 'isfirstedition'],
  condition: ['condition', 'cardcondition', 'cond'],
  language: ['language', 'lang'],
  grade: ['grade'],
  gradingCompany: ['gradingcompany', 'grader'],
  year: ['year', 'releaseyear'],
  quantity: ['quantity', 'qty', 'count', 'amount', 'quantityx', 'totalquantity', 'copies', 'have'],
};

/** The meanings of a table's columns. Column indexes start at 0. */
export interface Columns {
  /** Undefined for a table of unknown origin. */
  readonly app: App | undefined;
  readonly places: ReadonlyMap<Field, number>;
  /** The columns of external ids, by id space. */
  readonly ids: ReadonlyMap<string, number>;
  /** The printing that a column counts, by column. */
  readonly counts: ReadonlyMap<number, string>;
}

/** The operator's choice of columns: headers by field or id space. */
export type ChosenColumns = ReadonlyMap<string, string>;

const NONE: ChosenColumns = new Map();

/**
 * Returns the meanings of columns; undefined if they do not identify cards. Ignores chosen columns
 * that are missing.
 */
export function mapColumns(head: readonly string[], chosen = NONE): Columns | undefined {
  const columns = columnsOf(head);
  const places = new Map(columns.places);
  const ids = new Map(columns.ids);
  for (const [meaning, name] of chosen) {
    const place = findPlace(head, name);
    const field = FIELDS.find((one) => one === meaning);
    if (place === undefined) continue;
    if (field) places.set(field, place);
    else ids.set(meaning, place);
  }
  const mapped = { ...columns, places, ids };
  return saysCards(mapped) ? mapped : undefined;
}

/**
 * Like {@link mapColumns}, for columns that must identify cards.
 *
 * @throws OperatorError if they do not, or if a chosen column is missing.
 */
export function requireColumns(head: readonly string[], chosen: ChosenColumns): Columns {
  const missing = [...chosen.values()].find((name) => findPlace(head, name) === undefined);
  if (missing !== undefined) {
    throw new OperatorError(`There is no column "${missing}"; the columns are ${shown(head)}.`);
  }
  const columns = mapColumns(head, chosen);
  if (columns) return columns;
  throw new OperatorError(
    `No column was recognised as the card's name, its id, or its set and number: ${shown(head)}. ` +
      'Name the columns, for example with --columns name=Title,number=No, or read the file as ' +
      'plain lines with --input-format lines.',
  );
}

/**
 * Returns the headers of unused columns. Returns none for tables of known programs, because their
 * other columns are known not to matter.
 */
export function unusedColumns(head: readonly string[], columns: Columns): string[] {
  const { app, places, ids, counts } = columns;
  if (app) return [];
  const used = new Set([...places.values(), ...ids.values(), ...counts.keys()]);
  return head.filter((header, place) => header !== '' && !used.has(place));
}

function columnsOf(head: readonly string[]): Columns {
  const known = head.map(normalize);
  const app = APPS.find(({ signature }) => signature.every((name) => known.includes(name)));
  const headersOf = (field: Field) => app?.headers?.[field] ?? HEADERS[field] ?? [];
  return {
    app,
    places: placesOf(
      known,
      FIELDS.map((field) => [field, headersOf(field)]),
    ),
    ids: placesOf(
      known,
      [...CARD_ID_SPACES.keys()].map((space) => [space, idHeaders(space, app)]),
    ),
    counts: new Map(
      Object.entries(app?.counts ?? {}).flatMap(([name, printing]) => {
        const place = placeOf(known, [name]);
        return place === undefined ? [] : [[place, printing]];
      }),
    ),
  };
}

function idHeaders(space: string, app: App | undefined): readonly string[] {
  const own = app?.ids?.[space];
  return own === undefined ? [normalize(space), normalize(`${space} id`)] : [own];
}

/** Returns the column of each meaning that has a header in the table. */
function placesOf<Meaning>(
  known: readonly string[],
  meanings: readonly (readonly [Meaning, readonly string[]])[],
): Map<Meaning, number> {
  const places = new Map<Meaning, number>();
  for (const [meaning, headers] of meanings) {
    const place = placeOf(known, headers);
    if (place !== undefined) places.set(meaning, place);
  }
  return places;
}

function placeOf(known: readonly string[], names: readonly string[]): number | undefined {
  return names.map((name) => known.indexOf(name)).find((place) => place !== -1);
}

function normalize(header: string): string {
  return header.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

function saysCards({ places, ids }: Columns): boolean {
  if (places.has('text') || places.has('name') || ids.size > 0) return true;
  return places.has('number') && (places.has('set') || places.has('setCode'));
}

function findPlace(head: readonly string[], name: string): number | undefined {
  const exact = head.indexOf(name);
  return exact === -1 ? placeOf(head.map(normalize), [normalize(name)]) : exact;
}

/** Lists columns in a sentence, at most thirty. */
export function shown(head: readonly string[]): string {
  const names = head.slice(0, 30).map((name) => `"${name.slice(0, 40)}"`);
  return `${names.join(', ')}${head.length > names.length ? ', …' : ''}`;
}

/** The possible meanings of columns. */
const MEANINGS: readonly string[] = [...FIELDS, ...CARD_ID_SPACES.keys()];

/**
 * Parses `name=Card Name,set=Edition`.
 *
 * @throws OperatorError if the format is wrong or a field is unknown.
 */
export function parseChosenColumns(text: string): ChosenColumns {
  const pairs = text.split(/,(?=[^,=]*=)/).map((pair) => {
    const [meaning = '', ...rest] = pair.split('=').map((part) => part.trim());
    const name = rest.join('=');
    if (MEANINGS.includes(meaning) && name !== '') return [meaning, name] as const;
    throw new OperatorError(
      `--columns "${text}" is not written like name=Card Name,set=Edition, with these fields: ` +
        `${MEANINGS.join(', ')}.`,
    );
  });
  return new Map(pairs);
}
