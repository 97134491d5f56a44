import { defaultPrinting, isOwnLanguage, type Printing } from '../domain/card.ts';
import { languageCalled } from '../domain/languages.ts';
import type { Product } from '../domain/products.ts';
import type { ExternalId } from '../domain/sources.ts';
import {
  type FoundProduct,
  type FoundProducts,
  findLink,
  saysProduct,
  termsOf,
} from '../search/index.ts';
import { type ResolveItem, whyTooLong } from './item.ts';
import { readQuantity } from './lines.ts';

/** The answer for an item that means a product. It never contains a card. */
export type ProductResolution = MatchedProduct | UndecidedProduct;

/** One product remains, and the item contains every word of its name. */
export interface MatchedProduct {
  readonly kind: 'product';
  readonly status: 'matched';
  readonly product: Product;
  readonly printing: Printing | null;
  /** 1 if the item gives none. */
  readonly quantity: number;
  /** From 0 to 1. */
  readonly confidence: number;
  readonly reasons: readonly string[];
}

/** Several products fit, or none. */
export interface UndecidedProduct {
  readonly kind: 'product';
  readonly status: 'ambiguous' | 'unknown';
  /** At most five, the best first. */
  readonly products: readonly Product[];
  readonly reasons: readonly string[];
}

/** The data for finding products. */
export interface ProductFinder {
  find(text: string, passes?: (product: Product) => boolean): FoundProducts;
  withId(id: ExternalId): Product | undefined;
  withUpc(upc: string): readonly Product[];
}

const MOST = 5;

const WHICH = 'Several products fit: give the whole name, or the UPC.';
const NONE = 'No product fits this description.';

/** The confidence of a match by words. A match by an id or a UPC is certain. */
const BY_WORDS = 0.95;

/** Whether an item can only mean a product: it says so, or gives a UPC. */
export function isProductItem({ kind, upc }: ResolveItem): boolean {
  return kind === 'product' || upc !== undefined;
}

/** Returns the words that describe an item. */
function wordsOf({ text, name, set, setCode }: ResolveItem): string {
  return [text, name, set, setCode].filter((part) => part !== undefined).join(' ');
}

/**
 * Whether the words of an item describe a product. An item with a collector number means a card.
 */
export function describesProduct(item: ResolveItem): boolean {
  return item.kind !== 'card' && item.number === undefined && saysProduct(wordsOf(item));
}

/** Words of products that no card and no set has. */
const ONLY =
  /\bbooster (?:box|pack|bundle|case|display)\b|\b(?:elite trainer box|blister|theme deck)\b/;

/** Whether the words of an item can only describe a product. */
export function saysOnlyProduct(item: ResolveItem): boolean {
  return ONLY.test(termsOf(wordsOf(item)).join(' '));
}

/** Returns an item with the ids of a pasted link instead of the link. */
function withoutLink(item: ResolveItem): ResolveItem {
  const link = findLink(item.text ?? '');
  if (!link) return item;
  const { text = '', ...others } = item;
  const around = `${text.slice(0, link.from)} ${text.slice(link.to)}`.trim();
  const ids = Object.fromEntries(link.ids.map((id) => id.split(':', 2)));
  return { ...others, ids: { ...ids, ...item.ids }, ...(around !== '' && { text: around }) };
}

/**
 * Returns the product of an external id or a pasted link, unless the item's words describe
 * something else.
 */
export function resolveProductId(
  given: ResolveItem,
  finder: ProductFinder,
): ProductResolution | undefined {
  const item = withoutLink(given);
  const ids = Object.entries(item.ids ?? {}).map(([space, id]) => ({ space, id }));
  const products = new Set(ids.flatMap((id) => finder.withId(id) ?? []));
  const [only, ...others] = products;
  if (!only) return undefined;
  if (others.length > 0) return undecided('ambiguous', [...products], WHICH);
  const words = wordsOf(item);
  const fits = words === '' || finder.find(words, (one) => one === only).isWhole;
  if (!fits) return undecided('ambiguous', [only], `The id is of ${only.name}, the words are not.`);
  return matched(item, only, 1, 'The external id is of this product.');
}

/** Resolves an item that means a product: by its UPC, otherwise by its words. */
export function resolveProduct(item: ResolveItem, finder: ProductFinder): ProductResolution {
  const { upc } = item;
  if (upc === undefined) return resolveWords(item, finder);
  const found = finder.withUpc(upc);
  const [only, ...others] = found;
  if (!only) return undecided('unknown', [], `No product has the UPC ${upc}.`);
  if (others.length === 0) return matched(item, only, 1, 'It has this UPC.');
  const words = wordsOf(item);
  const exact = words === '' ? [] : exactIn(finder.find(words, (one) => found.includes(one)));
  const [named, ...more] = exact;
  if (named && more.length === 0) return matched(item, named, 1, 'It has this UPC and name.');
  return undecided('ambiguous', found, 'Several products share this UPC: give the name.');
}

function resolveWords(item: ResolveItem, finder: ProductFinder): ProductResolution {
  const words = wordsOf(item);
  const refusal = whyTooLong('The line', words);
  if (refusal !== undefined) return undecided('unknown', [], refusal);
  const passes = ({ set }: Product) => item.game === undefined || set.game === item.game;
  const whole = finder.find(words, passes);
  const { rest, quantity = item.quantity } = readQuantity(words);
  // A number in front may be part of the name: `151 Booster Bundle`.
  const [only, ...others] = exactIn(whole);
  const isInName = only?.name.startsWith(words.slice(0, words.indexOf(' '))) === true;
  if (rest === words || (isInName && others.length === 0)) return decide(item, whole);
  const counted = quantity === undefined ? item : { ...item, quantity };
  return decide(counted, finder.find(rest, passes));
}

function exactIn({ found, isWhole }: FoundProducts): Product[] {
  return isWhole ? found.filter(isExact).map(({ product }) => product) : [];
}

function isExact({ isExact }: FoundProduct): boolean {
  return isExact;
}

function decide(item: ResolveItem, found: FoundProducts): ProductResolution {
  const [only, ...others] = exactIn(found);
  const near = found.found.map(({ product }) => product);
  if (only && others.length === 0) return matched(item, only, BY_WORDS, 'It has this name.');
  if (near.length === 0) return undecided('unknown', [], NONE);
  if (!found.isWhole) return undecided('unknown', near, NONE);
  return undecided('ambiguous', near, WHICH);
}

function matched(
  item: ResolveItem,
  product: Product,
  confidence: number,
  reason: string,
): ProductResolution {
  const language = item.language === undefined ? undefined : languageCalled(item.language);
  if (item.language !== undefined && !(language && isOwnLanguage(product, language))) {
    return undecided('unknown', [product], 'No product is known in this language.');
  }
  const printing = defaultPrinting(product) ?? null;
  const { quantity = 1 } = item;
  return {
    kind: 'product',
    status: 'matched',
    product,
    printing,
    quantity,
    confidence,
    reasons: [reason],
  };
}

function undecided(
  status: UndecidedProduct['status'],
  products: readonly Product[],
  reason: string,
): UndecidedProduct {
  return { kind: 'product', status, products: products.slice(0, MOST), reasons: [reason] };
}
