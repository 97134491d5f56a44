import type { GameSlug } from '../../domain/games.ts';

/** What a column may say of a card, besides external ids. */
export const FIELDS = [
  'text',
  'name',
  'set',
  'setCode',
  'setId',
  'number',
  'rarity',
  'game',
  'printing',
  'edition',
  'reverse',
  'firstEdition',
  'condition',
  'language',
  'grade',
  'gradingCompany',
  'year',
  'quantity',
] as const;

export type Field = (typeof FIELDS)[number];

/** Headers by field, the first that a table has counts. Only letters and digits are compared. */
export type Headers = Readonly<Partial<Record<Field, readonly string[]>>>;

/** A program or site that writes tables of cards. */
export interface App {
  readonly name: string;
  /** A table that has all of these headers is its own. */
  readonly tells: readonly string[];
  /** Its only game. */
  readonly game?: GameSlug;
  /** What its headers mean where that differs from tables of any origin; none for what it has not. */
  readonly headers?: Headers;
  /** The headers of external ids that are not called by their id space, by id space. */
  readonly ids?: Readonly<Record<string, string>>;
  /** Columns that count the copies of one printing each. */
  readonly counts?: Readonly<Record<string, string>>;
  /** Whether its tables name cards by set and number, so that nothing else has to confirm them. */
  readonly isNameless?: true;
  /** Its own way to write cells that others write otherwise. */
  readonly dialect?: 'cardmarket' | 'pricecharting' | 'dreamborn';
}

/**
 * The programs and sites whose tables are read as they are, with the headers by which each is told.
 * A header means here what it means in tables of any origin (columns.ts), unless it is listed.
 * The first that fits counts, so those with more headers come before those with fewer.
 */
export const APPS: readonly App[] = [
  { name: 'ManaBox', tells: ['manaboxid'], game: 'mtg' },
  {
    name: 'Moxfield',
    tells: ['tradelistcount', 'edition', 'collectornumber'],
    game: 'mtg',
    headers: { setCode: ['edition'], set: [] },
  },
  { name: 'Deckbox', tells: ['tradelistcount', 'edition', 'cardnumber'] },
  { name: 'Archidekt', tells: ['editionname', 'editioncode', 'multiverseid'], game: 'mtg' },
  {
    name: 'Delver Lens',
    tells: ['editioncode', 'collectorsnumber'],
    game: 'mtg',
    counts: { nonfoilquantity: 'Normal', foilquantity: 'Foil' },
  },
  { name: 'Delver Lens', tells: ['quantityx', 'editioncode'], game: 'mtg' },
  { name: 'Dragon Shield', tells: ['foldername', 'tradequantity', 'cardname'] },
  {
    // Its "TCGplayer Id" is that of a condition of a printing, not that of the product.
    name: 'TCGplayer, seller',
    tells: ['tcgplayerid', 'productline', 'productname'],
    headers: { text: [], quantity: ['totalquantity', 'addtoquantity'] },
    ids: { tcgplayer: 'productid' },
  },
  {
    name: 'TCGplayer, app',
    tells: ['simplename', 'productid'],
    ids: { tcgplayer: 'productid' },
  },
  {
    name: 'Cardmarket',
    tells: ['idproduct'],
    headers: {
      setCode: ['exp'],
      set: ['expname'],
      language: ['idlanguage', 'language'],
      quantity: ['amount', 'groupcount'],
    },
    ids: { cardmarket: 'idproduct' },
    dialect: 'cardmarket',
  },
  {
    name: 'PriceCharting',
    tells: ['productname', 'consolename'],
    headers: { set: ['consolename'], grade: ['includestring'] },
    ids: { pricecharting: 'id' },
    dialect: 'pricecharting',
  },
  {
    name: 'Collectr',
    tells: ['portfolioname', 'productname', 'variance'],
    headers: { game: ['category'] },
  },
  {
    name: 'Dreamborn',
    tells: ['setnumber', 'cardnumber', 'variant', 'count'],
    game: 'lorcana',
    headers: { set: ['setnumber'] },
    isNameless: true,
    dialect: 'dreamborn',
  },
  {
    name: 'Dreamborn',
    tells: ['normal', 'foil', 'name', 'set', 'cardnumber'],
    game: 'lorcana',
    headers: { printing: [], quantity: [] },
    counts: { normal: 'Normal', foil: 'Foil' },
  },
  {
    name: 'SWU-DB',
    tells: ['set', 'cardnumber', 'count', 'isfoil'],
    game: 'swu',
    headers: { setCode: ['set'], set: [] },
    isNameless: true,
  },
  {
    name: 'Fabrary',
    tells: ['identifier', 'pitch', 'setnumber', 'foiling'],
    game: 'fab',
    headers: { number: ['setnumber'], edition: ['edition'], set: ['set'] },
  },
  {
    name: 'YGOPRODeck',
    tells: ['cardname', 'cardq', 'cardcode'],
    game: 'yugioh',
    headers: { number: ['cardcode'], edition: ['cardedition'], quantity: ['cardq'] },
  },
];
