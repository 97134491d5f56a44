import { foldWords } from '../../domain/text.ts';
import { findPhrases } from '../../search/index.ts';
import type { ResolveItem } from '../types.ts';

/** `Name (Expansion) - `, before what Cardmarket writes of an article. */
const NAME_AND_SET = /^(.*\S) [([]([^()[\]]{2,80})[)\]] - (?=\S)/;

const PRICE = /^(?:[€$£] ?)?\d+[.,]\d\d(?: ?(?:EUR|USD|GBP|€|\$|£))?$/i;
const NUMBER = /^[A-Z0-9]{0,6}-?[A-Z]{0,3}\d{1,4}[a-z★†]?(?:\/[A-Z]{0,3}\d{1,4})?$/;

type Fields = Omit<ResolveItem, 'text'>;

/**
 * Reads a line of an order at Cardmarket: `Name (Expansion) - 48 - Rare - NM - English - 0,20 EUR`.
 * Undefined for any other.
 */
export function readDashed(text: string): Fields | undefined {
  const [whole = '', name, set] = NAME_AND_SET.exec(text) ?? [];
  if (name === undefined || set === undefined) return undefined;
  const parts = text.slice(whole.length).split(' - ');
  const fields: { -readonly [K in keyof Fields]?: Fields[K] } = { name, set };
  for (const part of parts.map((one) => one.trim())) {
    if (PRICE.test(part)) continue;
    const kind = kindOf(part);
    if (kind === undefined) return undefined;
    fields[kind] = part;
  }
  return fields;
}

type Kind = 'condition' | 'language' | 'rarity' | 'printing' | 'number';

/** Cardmarket's scale of conditions, which is short for what other texts mean otherwise. */
const CONDITION = /^(?:MT|NM|EX|GD|LP|PL|PO)$/;

function kindOf(part: string): Kind | undefined {
  if (CONDITION.test(part)) return 'condition';
  if (NUMBER.test(part)) return 'number';
  const words = foldWords(part);
  const phrases = findPhrases(words).filter(({ from, to }) => to - from === words.length);
  return (['condition', 'language', 'rarity', 'printing'] as const).find((kind) => {
    return phrases.some(({ as }) => as === kind);
  });
}
