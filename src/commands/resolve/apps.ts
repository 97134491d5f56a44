import type { GameSlug } from '../../domain/games.ts';

/** The fields of a card that a column may contain, apart from external ids. */
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

/** Headers by field. The first one in a table counts. Compares only letters and digits. */
export type Headers = Readonly<Partial<Record<Field, readonly string[]>>>;

/** A program or site that writes tables of cards. */
export interface App {
  readonly name: string;
  /** A table with all of these headers comes from this program. */
  readonly signature: readonly string[];
  /** Its only game. */
  readonly game?: GameSlug;
  /** Headers that differ from tables of any origin. Empty for fields that it does not have. */
  readonly headers?: Headers;
  /** Headers of external ids by id space, where they differ from the id space. */
  readonly ids?: Readonly<Record<string, string>>;
  /** Columns that each count the copies of one printing. */
  readonly counts?: Readonly<Record<string, string>>;
  /** Whether its tables identify cards by set and number alone, without names. */
  readonly isNameless?: true;
  /** The program whose cells need their own rules. */
  readonly dialect?: 'cardmarket' | 'pricecharting' | 'dreamborn';
}

/**
 * The programs and sites whose tables are recognised, each by some of its headers. Unlisted headers
 * have the same meaning as in tables of any origin (columns.ts). The first match counts, so
 * programs with more headers come first.
 */
export const APPS: readonly App[] = [
  { name: 'ManaBox', signature: ['manaboxid'], game: 'mtg' },
  {
    name: 'Moxfield',
    signature: ['tradelistcount', 'edition', 'collectornumber'],
    game: 'mtg',
    headers: { setCode: ['edition'], set: [] },
  },
  { name: 'Deckbox', signature: ['tradelistcount', 'edition', 'cardnumber'] },
  { name: 'Archidekt', signature: ['editionname', 'editioncode', 'multiverseid'], game: 'mtg' },
  {
    name: 'Delver Lens',
    signature: ['editioncode', 'collectorsnumber'],
    game: 'mtg',
    counts: { nonfoilquantity: 'Normal', foilquantity: 'Foil' },
  },
  { name: 'Delver Lens', signature: ['quantityx', 'editioncode'], game: 'mtg' },
  { name: 'Dragon Shield', signature: ['foldername', 'tradequantity', 'cardname'] },
  {
    // Its "TCGplayer Id" identifies a condition of a printing, not the product.
    name: 'TCGplayer, seller',
    signature: ['tcgplayerid', 'productline', 'productname'],
    headers: { text: [], quantity: ['totalquantity', 'addtoquantity'] },
    ids: { tcgplayer: 'productid' },
  },
  {
    name: 'TCGplayer, app',
    signature: ['simplename', 'productid'],
    ids: { tcgplayer: 'productid' },
  },
  {
    name: 'Cardmarket',
    signature: ['idproduct'],
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
    signature: ['productname', 'consolename'],
    headers: { set: ['consolename'], grade: ['includestring'] },
    ids: { pricecharting: 'id' },
    dialect: 'pricecharting',
  },
  {
    name: 'Collectr',
    signature: ['portfolioname', 'productname', 'variance'],
    headers: { game: ['category'] },
  },
  {
    name: 'Dreamborn',
    signature: ['setnumber', 'cardnumber', 'variant', 'count'],
    game: 'lorcana',
    headers: { set: ['setnumber'] },
    isNameless: true,
    dialect: 'dreamborn',
  },
  {
    name: 'Dreamborn',
    signature: ['normal', 'foil', 'name', 'set', 'cardnumber'],
    game: 'lorcana',
    headers: { printing: [], quantity: [] },
    counts: { normal: 'Normal', foil: 'Foil' },
  },
  {
    name: 'SWU-DB',
    signature: ['set', 'cardnumber', 'count', 'isfoil'],
    game: 'swu',
    headers: { setCode: ['set'], set: [] },
    isNameless: true,
  },
  {
    name: 'Fabrary',
    signature: ['identifier', 'pitch', 'setnumber', 'foiling'],
    game: 'fab',
    headers: { number: ['setnumber'], edition: ['edition'], set: ['set'] },
  },
  {
    name: 'YGOPRODeck',
    signature: ['cardname', 'cardq', 'cardcode'],
    game: 'yugioh',
    headers: { number: ['cardcode'], edition: ['cardedition'], quantity: ['cardq'] },
  },
];
