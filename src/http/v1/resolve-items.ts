import { findGame, GAME_SLUGS, type GameSlug } from '../../domain/games.ts';
import { CARD_ID_SPACES } from '../../domain/id-spaces.ts';
import type { ResolveItem } from '../../resolve/index.ts';
import { invalidBody } from '../errors.ts';
import { ITEM_MEMBERS, type ItemMember } from '../resolve-schemas.ts';
import { shown } from '../validation.ts';

/** Reads the items of a request. A program's mistake refuses them all, a person's only the item. */

/** An item for the resolver, or the reason why it cannot be resolved. */
export type ReadItem =
  | { readonly item: ResolveItem; readonly refusal?: undefined }
  | { readonly item?: undefined; readonly refusal: string };

/** Longest value of a member, in UTF-16 units. */
const MAX_MEMBER = 200;

const MEMBERS: ReadonlySet<string> = new Set([
  ...Object.keys(ITEM_MEMBERS),
  ...CARD_ID_SPACES.keys(),
]);

/**
 * Reads one item; `index` is its place in the request.
 *
 * @throws ApiError INVALID_BODY if it is neither a text nor an object, or has a member that is
 * unknown or neither a text nor a number: every item of such a program would be wrong.
 */
export function readItem(sent: unknown, index: number): ReadItem {
  const place = `items[${index}]`;
  if (typeof sent === 'string') return isBlank(sent) ? EMPTY : { item: { text: sent } };
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
    throw invalidBody(place, 'must be a text or an object.', BODY_HINT);
  }
  const members = new Map<string, string>();
  for (const [member, value] of Object.entries(sent)) {
    if (!MEMBERS.has(member)) throw invalidBody(place, unknownMember(member), BODY_HINT);
    const text = textOf(value);
    if (text === undefined) {
      throw invalidBody(`${place}.${member}`, 'must be a text or a number.', BODY_HINT);
    }
    if (!isBlank(text)) members.set(member, text.trim());
  }
  return members.size === 0 ? EMPTY : readMembers(members);
}

const EMPTY: ReadItem = { refusal: 'The item is empty.' };

/** Describes a valid body. */
export const BODY_HINT =
  'The body must be a JSON object with an array "items" of texts or objects that describe cards.';

function unknownMember(member: string): string {
  return `has the unknown member "${shown(member)}"; it may have ${[...MEMBERS].join(', ')}.`;
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}

/** Returns a member as text, `''` for null; undefined if it is neither a text nor a number. */
function textOf(value: unknown): string | undefined {
  if (value === null) return '';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function readMembers(members: ReadonlyMap<string, string>): ReadItem {
  const refusal = problemIn(members);
  if (refusal !== undefined) return { refusal };
  const { game: named = '', year, quantity, ...texts } = Object.fromEntries(members);
  const game = gameOf(named);
  const ids = Object.entries(texts).filter(([member]) => CARD_ID_SPACES.has(member));
  const known = Object.entries(texts).filter(([member]) => !CARD_ID_SPACES.has(member));
  return {
    item: {
      ...Object.fromEntries(known),
      ...(game && { game }),
      ...(year !== undefined && { year: Number(year) }),
      ...(quantity !== undefined && { quantity: Number(quantity) }),
      ...(ids.length > 0 && { ids: Object.fromEntries(ids) }),
    },
  };
}

/** Returns the first problem that keeps an item from being resolved. */
function problemIn(members: ReadonlyMap<string, string>): string | undefined {
  for (const [member, text] of members) {
    // The resolver itself limits the length of lines.
    if (text.length > MAX_MEMBER && member !== 'text') {
      return `${member}: it has ${text.length} characters; at most ${MAX_MEMBER} are read.`;
    }
    const allowed = NARROW[member as ItemMember];
    if (allowed && !allowed.fits(text)) {
      return `${member}: "${shown(text)}" is not allowed; it must be ${allowed.words}.`;
    }
  }
  return undefined;
}

interface Narrow {
  readonly words: string;
  fits(text: string): boolean;
}

/** The members that not every text is valid for. The resolver itself limits quantities. */
const NARROW: Readonly<Partial<Record<ItemMember, Narrow>>> = {
  game: { words: `one of ${GAME_SLUGS.join(', ')}`, fits: (text) => gameOf(text) !== undefined },
  year: { words: 'a year of four digits', fits: (text) => /^\d{4}$/.test(text) },
  quantity: { words: 'a number', fits: (text) => Number.isFinite(Number(text)) },
};

function gameOf(text: string): GameSlug | undefined {
  return findGame(text.toLowerCase())?.slug;
}
