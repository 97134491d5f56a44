import { setImmediate as yieldToRequests } from 'node:timers/promises';
import { type Static, Type } from 'typebox';
import { type Card, type Printing, printingInLanguageOf } from '../../domain/card.ts';
import { isNamed, PLAIN_COPY } from '../../domain/copy.ts';
import { type Day, dayOf } from '../../domain/day.ts';
import { ApiError } from '../../domain/errors.ts';
import { findGame, GAME_SLUGS, type GameSlug } from '../../domain/games.ts';
import { formatGrade } from '../../domain/grade-names.ts';
import type { LanguageCode } from '../../domain/languages.ts';
import type { LocalPrices } from '../../domain/local-prices.ts';
import type { Product } from '../../domain/products.ts';
import { CARD_ID_SPACES } from '../../domain/sources.ts';
import {
  MOST_CANDIDATES,
  type ProductResolution,
  type Resolution,
  type ResolveItem,
  type ResolveOptions,
} from '../../resolve/index.ts';
import { invalidBody } from '../errors.ts';
import { CurrencyQuery, localPricesOf } from '../parameters.ts';
import {
  ITEM_MEMBERS,
  type ItemMember,
  MAX_CANDIDATES,
  MAX_ITEMS,
  MaxCandidates,
  ResolveBody,
  ResolvedItem,
} from '../resolve-schemas.ts';
import { Many } from '../schemas.ts';
import { shown } from '../validation.ts';
import { confidenceView } from './confidence-view.ts';
import { defineEndpoint, type Resources } from './endpoint.ts';
import { moneyView } from './money-view.ts';
import { batchCardIn, copyView, type DetailOptions, productSummary } from './views.ts';

/** Resolves items. A programming mistake refuses the request, a user's mistake only the item. */

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
 * Reads one item; `index` is its position in the request.
 * @throws ApiError INVALID_BODY if it is neither a text nor an object, or has a member that is
 * unknown or neither a text nor a number. Every item of such a program would be wrong.
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

/** The members with restricted values. The resolver itself limits quantities. */
const NARROW: Readonly<Partial<Record<ItemMember, Narrow>>> = {
  kind: { words: '`card` or `product`', fits: (text) => /^(?:card|product)$/.test(text) },
  game: { words: `one of ${GAME_SLUGS.join(', ')}`, fits: (text) => gameOf(text) !== undefined },
  year: { words: 'a year of four digits', fits: (text) => /^\d{4}$/.test(text) },
  quantity: { words: 'a number', fits: (text) => Number.isFinite(Number(text)) },
};

function gameOf(text: string): GameSlug | undefined {
  return findGame(text.toLowerCase())?.slug;
}

/** Possible candidates charged as one request: the same as the results on a page of a search. */
const CANDIDATES_PER_REQUEST = 100;

/** Items charged as one request, with the default number of candidates. */
const ITEMS_PER_REQUEST = CANDIDATES_PER_REQUEST / MOST_CANDIDATES;

/** Largest body, in bytes: a kilobyte per item, three times the size of a long description. */
const RESOLVE_BODY_LIMIT = MAX_ITEMS * 1024;

/** The handler checks the items, because listing every error of 100,000 items takes long. */
const Body = Type.Object(
  {
    items: Type.Unsafe<unknown[]>({ type: 'array' }),
    game: Type.Optional(Type.String()),
    maxCandidates: MaxCandidates,
  },
  { description: BODY_HINT },
);

export const resolve = defineEndpoint({
  method: 'POST',
  path: '/v1/resolve',
  scope: 'bulk',
  feature: 'resolve',
  bodyLimit: RESOLVE_BODY_LIMIT,
  errors: ['INVALID_BODY', 'BATCH_LIMIT_EXCEEDED', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
  schema: {
    operationId: 'resolveCards',
    summary: 'Find the cards meant by lines of text or descriptions',
    description:
      'One answer per item: the card and printing, or candidates if it is not certain. Up to ' +
      `${ITEMS_PER_REQUEST} items cost one request; with \`maxCandidates\`, as many as may have ` +
      `${CANDIDATES_PER_REQUEST} candidates. All are charged or none. Requires the Trader plan or above.`,
    querystring: CurrencyQuery,
    body: Body,
    response: { 200: Many(ResolvedItem, 'One answer per item, in the order of the request.') },
  },
  documentedBody: ResolveBody,
  cost({ body: { items, maxCandidates = MOST_CANDIDATES } }) {
    const candidates = Math.min(items.length * maxCandidates, MAX_CANDIDATES);
    return Math.max(1, Math.ceil(candidates / CANDIDATES_PER_REQUEST));
  },
  async answer(resources, { body, query }) {
    const options = checkBody(body);
    const read = body.items.map(readItem);
    const asked = read.flatMap(({ item }) => (item ? [item] : []));
    const resolved = await resolveAtOnce(resources, asked, options);
    const today = dayOf(resources.clock());
    const local = localPricesOf(query, resources.catalog, today);
    const data = answersOf(read, resolved, { today, estimates: resources.estimates, local });
    await yieldToRequests();
    return { data };
  },
});

type AnyResolution = Resolution | ProductResolution;

/** Resolves items from one publication. Starts again if another one is loaded during the work. */
async function resolveAtOnce(
  { catalog, resolver }: Pick<Resources, 'catalog' | 'resolver'>,
  items: readonly ResolveItem[],
  options: ResolveOptions,
): Promise<readonly AnyResolution[]> {
  for (;;) {
    const { id } = catalog.publication;
    const resolved = await resolver.resolveAny(items, options);
    // Building and serialising a body of a megabyte each take a few milliseconds.
    await yieldToRequests();
    if (catalog.publication.id === id) return resolved;
  }
}

/**
 * Returns how to resolve the items of the body.
 *
 * @throws ApiError if the body has none or too many items or candidates, an unknown game or another
 * member.
 */
function checkBody(body: Static<typeof Body>): ResolveOptions {
  const { items, game, maxCandidates = MOST_CANDIDATES } = body;
  const unknown = Object.keys(body).find((member) => !Object.hasOwn(Body.properties, member));
  if (unknown !== undefined) {
    throw invalidBody('body', `has the unknown member "${shown(unknown)}".`, BODY_HINT);
  }
  if (items.length === 0) throw invalidBody('items', 'must have at least one item.', BODY_HINT);
  if (items.length > MAX_ITEMS) {
    const message = `A request holds at most ${MAX_ITEMS} items; ${items.length} were sent.`;
    const details = [{ parameter: 'items', message }];
    throw new ApiError('BATCH_LIMIT_EXCEEDED', message, { details });
  }
  const candidates = items.length * maxCandidates;
  if (candidates > MAX_CANDIDATES) {
    const message =
      `An answer has at most ${MAX_CANDIDATES} candidates; ${items.length} items with ` +
      `${maxCandidates} each may have ${candidates}.`;
    const details = [{ parameter: 'maxCandidates', message }];
    throw new ApiError('BATCH_LIMIT_EXCEEDED', message, { details });
  }
  return { maxCandidates, ...(game !== undefined && { game: requireGame(game) }) };
}

/** @throws ApiError for an unknown game. */
function requireGame(game: string): GameSlug {
  const slug = findGame(game)?.slug;
  if (slug !== undefined) return slug;
  const allowed = `it must be one of ${GAME_SLUGS.join(', ')}.`;
  throw invalidBody('game', `"${shown(game)}" is not allowed; ${allowed}`, BODY_HINT);
}

/** Returns the answers for all items: the resolutions, and the reasons for refusing others. */
function answersOf(
  read: readonly ReadItem[],
  resolved: readonly AnyResolution[],
  options: Options,
) {
  let next = 0;
  return read.map(({ refusal }) => {
    if (refusal !== undefined) {
      return { status: 'unknown' as const, candidates: [], candidateCount: 0, reasons: [refusal] };
    }
    const resolution = resolved[next];
    next += 1;
    if (!resolution) throw new Error('the resolver left out an item');
    return answerOf(resolution, options);
  });
}

/** The display of prices. */
interface Options extends DetailOptions {
  /** Converts them into another currency. */
  readonly local: LocalPrices | undefined;
}

function answerOf(resolution: AnyResolution, options: Options) {
  if ('kind' in resolution) return productAnswer(resolution, options);
  const { status, reasons, language } = resolution;
  const { today, local } = options;
  const named = language && { language };
  if (status === 'matched') {
    const { quantity, copy, confidence } = resolution;
    const card = local?.card(resolution.card) ?? resolution.card;
    const printing =
      resolution.printing && (local?.printing(resolution.printing) ?? resolution.printing);
    const { price, ...priceOf } = copyView(printing, copy, options);
    return {
      status,
      card: cardView(card, language, today),
      printing: printing?.name ?? null,
      ...named,
      market: price,
      ...priceOf,
      ...moneyView(printing ?? undefined),
      quantity,
      condition: copy.condition,
      grade: copy.grade && formatGrade(copy.grade),
      confidence,
      reasons,
      ...(!isNamed(copy) && marketConfidence(printing, today)),
    };
  }
  const { copy = PLAIN_COPY } = resolution;
  const candidates = resolution.candidates.map((candidate) => {
    const card = local?.card(candidate.card) ?? candidate.card;
    const priced = isNamed(copy)
      ? copyView(printingInLanguageOf(card, language), copy, options)
      : {};
    return { ...cardView(card, language, today), reasons: candidate.reasons, ...priced };
  });
  const { candidateCount } = resolution;
  const { condition, grade } = copy;
  const said = isNamed(copy) ? { condition, grade: grade && formatGrade(grade) } : {};
  return { status, ...named, ...said, candidates, candidateCount, reasons };
}

function cardView(card: Card, language: LanguageCode | undefined, today: Day) {
  const { set, rarity, image } = card;
  return { ...batchCardIn(language, card, today), set: set.name, rarity, image };
}

function productAnswer(resolution: ProductResolution, { today, local }: Options) {
  const { kind, status, reasons } = resolution;
  const summary = (product: Product) => productSummary(product, today, local);
  if (status !== 'matched') {
    return { status, kind, products: resolution.products.map(summary), reasons };
  }
  const { printing, quantity, confidence } = resolution;
  const product = summary(resolution.product);
  const { market, confidence: priceConfidence } = product.prices;
  const answer = { status, kind, product, printing: printing?.name ?? null, market };
  return { ...answer, quantity, confidence, reasons, priceConfidence };
}

/** The confidence in a market price. It is unknown for the other prices of a printing. */
function marketConfidence(printing: Printing | null, today: Day) {
  const { confidence, ...dispute } = confidenceView(printing ?? undefined, today);
  return { priceConfidence: confidence, ...dispute };
}
