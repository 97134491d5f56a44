import type { Card } from './card.ts';
import { foldWords } from './text.ts';

/** Sealed products, code cards and accessories: everything a set is sold as, except its cards. */

/**
 * The words that names of each type have, in folded words. The first that fits a name is its type:
 * the outermost packaging comes first, because a `Booster Box Case` is a case, and a deck box is
 * not a deck.
 */
const TYPES = {
  'code-card': /^code cards?\b/,
  case: /\bcases?\b(?! file)/,
  accessory:
    /\b(?:(?:card|deck) sleeves|sleeves|binder|portfolio|album|playmat|play mat|deck ?box(?:es)?|deck protectors?|dice|coin (?:set|pack)|damage counters?|top ?loaders?|storage box)\b/,
  'booster-box':
    /\b(?:booster (?:box|display)(?:es)?|(?:draft|set|play|collector) boosters? (?:box|display))\b/,
  display: /\bdisplay\b/,
  'elite-trainer-box': /\belite trainer box(?:es)?\b/,
  bundle: /\bbundles?\b|\bfat packs?\b/,
  blister: /\bblisters?\b/,
  tin: /\btins?\b/,
  kit: /\bkits?\b|\bbuild (?:and )?battle\b|\btoolkit\b|\bprerelease (?:pack|kit|box)\b/,
  deck: /\bdecks?\b|\bstarter sets?\b|\bprecons?\b/,
  collection: /\bcollections?\b|\bpremium\b|\bcollector s? ?chest\b/,
  booster: /\bboosters?\b|\bpacks?\b/,
  box: /\bbox(?:es)?\b|\bchests?\b|\bset\b/,
} as const satisfies Readonly<Record<string, RegExp>>;

export type ProductType = keyof typeof TYPES | 'other';

export const PRODUCT_TYPES = [...Object.keys(TYPES), 'other'] as readonly ProductType[];

/** Returns the type that the name of a product says; `other` if it says none. */
export function productTypeOf(name: string): ProductType {
  const words = foldWords(name).join(' ');
  for (const [type, pattern] of Object.entries(TYPES)) {
    if (pattern.test(words)) return type as ProductType;
  }
  return 'other';
}

/** What a product has and a card does not have. */
export interface ProductFacts {
  readonly type: ProductType;
  /** As {@link readUpc} returns it; null if no source gives it. Products may share one. */
  readonly upc: string | null;
}

export const CONTENT_KINDS = ['product', 'pack', 'deck', 'card', 'other'] as const;

/** Something that is in a product, as a source names it. */
export interface ContentItem {
  /** A `pack` is a booster by its type (`draft`); a `product` is sold alone as well. */
  readonly kind: (typeof CONTENT_KINDS)[number];
  readonly count: number;
  readonly name: string;
  readonly setCode?: string;
  /** Of cards: the collector number. */
  readonly number?: string;
  readonly isFoil?: true;
  /** TCGplayer's id, where the source gives it. */
  readonly tcgplayerId?: string;
}

/** What is in a product. */
export interface ProductContents {
  readonly items: readonly ContentItem[];
  /** What copies differ in: each copy has one option of each choice. */
  readonly choices: readonly (readonly (readonly ContentItem[])[])[];
}

/** A product. It has printings with prices like a card, but is never one. */
export interface Product extends Card, ProductFacts {
  /** Null if no source gives them. */
  readonly contents: ProductContents | null;
}

/**
 * Returns a UPC, EAN or other article number in one spelling: without spaces and hyphens, a number
 * with at least 12 digits, which leading zeros fill up. Null for an empty text.
 */
export function readUpc(text: string): string | null {
  const plain = text.replace(/[\s-]/g, '').toUpperCase();
  if (plain === '') return null;
  return /^\d+$/.test(plain) ? plain.replace(/^0+/, '').padStart(12, '0') : plain;
}
