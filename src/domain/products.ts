import type { Card } from './card.ts';
import { foldWords } from './text.ts';

/** Sealed products, code cards and accessories: everything a set is sold as, except its cards. */

/** A kind of product, with the words that its name has. The first that fits a name is its type. */
interface TypeRule {
  readonly label: string;
  /** Matches the name in folded words. */
  readonly words: RegExp;
}

/**
 * The types in the order in which names are compared with them: the outermost packaging comes
 * first, because a `Booster Box Case` is a case, and a deck box is not a deck.
 */
const TYPES = {
  'code-card': { label: 'Code card', words: /^code cards?\b/ },
  case: { label: 'Case', words: /\bcases?\b(?! file)/ },
  accessory: {
    label: 'Accessory',
    words:
      /\b(?:(?:card|deck) sleeves|sleeves|binder|portfolio|album|playmat|play mat|deck ?box(?:es)?|deck protectors?|dice|coin (?:set|pack)|damage counters?|top ?loaders?|storage box)\b/,
  },
  'booster-box': {
    label: 'Booster box',
    words:
      /\b(?:booster (?:box|display)(?:es)?|(?:draft|set|play|collector) boosters? (?:box|display))\b/,
  },
  display: { label: 'Display', words: /\bdisplay\b/ },
  'elite-trainer-box': { label: 'Elite trainer box', words: /\belite trainer box(?:es)?\b/ },
  bundle: { label: 'Bundle', words: /\bbundles?\b|\bfat packs?\b/ },
  blister: { label: 'Blister', words: /\bblisters?\b/ },
  tin: { label: 'Tin', words: /\btins?\b/ },
  kit: {
    label: 'Kit',
    words: /\bkits?\b|\bbuild (?:and )?battle\b|\btoolkit\b|\bprerelease (?:pack|kit|box)\b/,
  },
  deck: { label: 'Deck', words: /\bdecks?\b|\bstarter sets?\b|\bprecons?\b/ },
  collection: {
    label: 'Collection',
    words: /\bcollections?\b|\bpremium\b|\bcollector s? ?chest\b/,
  },
  booster: { label: 'Booster pack', words: /\bboosters?\b|\bpacks?\b/ },
  box: { label: 'Box', words: /\bbox(?:es)?\b|\bchests?\b|\bset\b/ },
} as const satisfies Readonly<Record<string, TypeRule>>;

export type ProductType = keyof typeof TYPES | 'other';

/** How people call each type. */
export const PRODUCT_TYPES: Readonly<Record<ProductType, string>> = {
  ...(Object.fromEntries(Object.entries(TYPES).map(([type, { label }]) => [type, label])) as Record<
    keyof typeof TYPES,
    string
  >),
  other: 'Other product',
};

/** Returns the type that the name of a product says; `other` if it says none. */
export function productTypeOf(name: string): ProductType {
  const words = foldWords(name).join(' ');
  for (const [type, rule] of Object.entries(TYPES)) {
    if (rule.words.test(words)) return type as ProductType;
  }
  return 'other';
}

/** What a product has and a card does not have. */
export interface ProductFacts {
  readonly type: ProductType;
  /** As {@link readUpc} returns it; null if no source gives it. Products may share one. */
  readonly upc: string | null;
}

/** A product. It has printings with prices like a card, but is never one. */
export interface Product extends Card, ProductFacts {}

/**
 * Returns a UPC, EAN or other article number in one spelling: without spaces and hyphens, a number
 * with at least 12 digits, which leading zeros fill up. Null for an empty text.
 */
export function readUpc(text: string): string | null {
  const plain = text.replace(/[\s-]/g, '').toUpperCase();
  if (plain === '') return null;
  return /^\d+$/.test(plain) ? plain.replace(/^0+/, '').padStart(12, '0') : plain;
}
