import type { Card } from './card.ts';
import { foldWords } from './text.ts';

/** Sealed products, code cards and accessories: all products of a set except its cards. */

/**
 * The words in names of each type, folded. The first match is the type. The outermost packaging
 * comes first, because a `Booster Box Case` is a case, and a deck box is not a deck.
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

/** Returns the type in the name of a product; `other` if the name gives none. */
export function productTypeOf(name: string): ProductType {
  const words = foldWords(name).join(' ');
  for (const [type, pattern] of Object.entries(TYPES)) {
    if (pattern.test(words)) return type as ProductType;
  }
  return 'other';
}

/** The properties that only products have. */
export interface ProductFacts {
  readonly type: ProductType;
  /** In the form of {@link readUpc}; null if no source gives it. Products may share one. */
  readonly upc: string | null;
}

export const CONTENT_KINDS = ['product', 'pack', 'deck', 'card', 'other'] as const;

/** An item in a product, under its source's name. */
export interface ContentItem {
  /** A `pack` is a booster, by its type (`draft`). A `product` is also sold separately. */
  readonly kind: (typeof CONTENT_KINDS)[number];
  readonly count: number;
  readonly name: string;
  readonly setCode?: string;
  /** For cards: the collector number. */
  readonly number?: string;
  readonly isFoil?: true;
  /** TCGplayer's id, if the source gives it. */
  readonly tcgplayerId?: string;
}

/** The contents of a product. */
export interface ProductContents {
  readonly items: readonly ContentItem[];
  /** The differences between copies: each copy has one option of each choice. */
  readonly choices: readonly (readonly (readonly ContentItem[])[])[];
}

/** A product. It has printings with prices like a card, but is never a card. */
export interface Product extends Card, ProductFacts {
  /** Null if no source gives them. */
  readonly contents: ProductContents | null;
}

/**
 * Returns a UPC, EAN or other article number in one spelling: without spaces and hyphens, and with
 * leading zeros if a number has fewer than 12 digits. Null for an empty text.
 */
export function readUpc(text: string): string | null {
  const plain = text.replace(/[\s-]/g, '').toUpperCase();
  if (plain === '') return null;
  return /^\d+$/.test(plain) ? plain.replace(/^0+/, '').padStart(12, '0') : plain;
}
