import type { Card } from '../domain/card.ts';
import { findLink, type Lookup, readFileName } from '../search/index.ts';
import type { ResolveItem } from './item.ts';

/** `[[Lightning Bolt]]`, `[[Lightning Bolt|LEA]]` or `[[Lightning Bolt|LEA|161]]`. */
const BRACKETS = /^\[\[[$!#]?([^[\]|]+)(?:\|([^[\]|]*))?(?:\|([^[\]|]*))?\]\]$/;

/**
 * Returns an item in which a pasted link, file name or `[[name|set]]` is replaced by its meaning.
 * Returns a reason if it contains only a link that leads to no card.
 */
export function readPasted(item: ResolveItem, lookup: Lookup): ResolveItem | string {
  const { text } = item;
  if (text === undefined) return item;
  const link = findLink(text);
  if (!link) return { ...item, text: readFileName(text) ?? withoutBrackets(text) };
  const id = link.ids.find((one) => lookup.cardWithId(one));
  const card = id === undefined ? undefined : lookup.cardWithId(id);
  const around = `${text.slice(0, link.from)} ${text.slice(link.to)}`.trim();
  if (id !== undefined && card) return ofCard(item, id, card, around);
  const words = `${link.words} ${around}`.trim();
  if (words === '') return `The link to ${link.site} leads to no card of this catalogue.`;
  return { ...item, text: words };
}

/** Words around a link, such as a grade, are read as a title of its card. */
function ofCard(item: ResolveItem, id: string, card: Card, around: string): ResolveItem {
  const { name, number, set } = card;
  if (around !== '') return { ...item, text: `${name} ${number ?? ''} ${set.name} ${around}` };
  const { text: _, ...others } = item;
  const [space = '', own] = id.split(':', 2);
  if (own !== undefined) return { ...others, ids: { ...others.ids, [space]: own } };
  return { ...others, name, setId: set.id, ...(number !== null && { number }) };
}

function withoutBrackets(text: string): string {
  const [, name, set, number = ''] = BRACKETS.exec(text.trim()) ?? [];
  if (name === undefined) return text;
  return set === undefined || set === '' ? name : `${name} (${set}) ${number}`.trim();
}
