import { setImmediate as yieldToRequests } from 'node:timers/promises';
import { Type } from 'typebox';
import { type Day, dayOf } from '../../domain/day.ts';
import { ApiError } from '../../domain/errors.ts';
import { findGame, GAME_SLUGS, type GameSlug } from '../../domain/games.ts';
import type { Resolution, ResolveItem } from '../../resolve/index.ts';
import { invalidBody } from '../errors.ts';
import { MAX_ITEMS, ResolveBody, ResolvedItem } from '../resolve-schemas.ts';
import { Many } from '../schemas.ts';
import { shown } from '../validation.ts';
import { defineEndpoint, type Resources } from './endpoint.ts';
import { BODY_HINT, type ReadItem, readItem } from './resolve-items.ts';
import { batchCard, dollars } from './views.ts';

/** How many items are charged as one request. */
const ITEMS_PER_REQUEST = 20;

/** Largest body, in bytes: a kilobyte for each item, three times what a long description takes. */
const RESOLVE_BODY_LIMIT = MAX_ITEMS * 1024;

/** The handler checks the items, because listing every error of 100,000 items takes long. */
const Body = Type.Object(
  { items: Type.Unsafe<unknown[]>({ type: 'array' }), game: Type.Optional(Type.String()) },
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
    summary: 'Find the cards that lines or descriptions mean',
    description:
      'One answer per item, in the order of the request: the one card and printing, or an honest ' +
      `no. Charged as one request per begun ${ITEMS_PER_REQUEST} items, all or nothing. Requires ` +
      'the Trader plan or above.',
    body: Body,
    response: { 200: Many(ResolvedItem, 'One answer per item, in the order of the request.') },
  },
  documentedBody: ResolveBody,
  cost({ body: { items } }) {
    const requests = Math.ceil(Math.min(items.length, MAX_ITEMS) / ITEMS_PER_REQUEST);
    return Math.max(1, requests);
  },
  async answer(resources, { body }) {
    const game = checkBody(body);
    const read = body.items.map(readItem);
    const asked = read.flatMap(({ item }) => (item ? [item] : []));
    const resolved = await resolveAtOnce(resources, asked, game);
    const data = answersOf(read, resolved, dayOf(resources.clock()));
    await yieldToRequests();
    return { data };
  },
});

/** Resolves items from one publication. Starts again if another one is loaded in the meantime. */
async function resolveAtOnce(
  { catalog, resolver }: Pick<Resources, 'catalog' | 'resolver'>,
  items: readonly ResolveItem[],
  game: GameSlug | undefined,
): Promise<readonly Resolution[]> {
  for (;;) {
    const { id } = catalog.publication;
    const resolved = await resolver.resolve(items, game === undefined ? {} : { game });
    // Building and serialising a body of a megabyte take a few milliseconds each.
    await yieldToRequests();
    if (catalog.publication.id === id) return resolved;
  }
}

/**
 * Returns the game of the body.
 *
 * @throws ApiError when the body has none or too many items, an unknown game or another member.
 */
function checkBody(body: { items: readonly unknown[]; game?: string }): GameSlug | undefined {
  const { items, game } = body;
  const unknown = Object.keys(body).find((member) => member !== 'items' && member !== 'game');
  if (unknown !== undefined) {
    throw invalidBody('body', `has the unknown member "${shown(unknown)}".`, BODY_HINT);
  }
  if (items.length === 0) throw invalidBody('items', 'must have at least one item.', BODY_HINT);
  if (items.length > MAX_ITEMS) {
    const message = `A request holds at most ${MAX_ITEMS} items; ${items.length} were sent.`;
    const details = [{ parameter: 'items', message }];
    throw new ApiError('BATCH_LIMIT_EXCEEDED', message, { details });
  }
  if (game === undefined) return undefined;
  const slug = findGame(game)?.slug;
  if (slug !== undefined) return slug;
  const allowed = `it must be one of ${GAME_SLUGS.join(', ')}.`;
  throw invalidBody('game', `"${shown(game)}" is not allowed; ${allowed}`, BODY_HINT);
}

/** Returns the answers for all items: the resolutions, and why other items were refused. */
function answersOf(read: readonly ReadItem[], resolved: readonly Resolution[], today: Day) {
  let next = 0;
  return read.map(({ refusal }) => {
    if (refusal !== undefined) {
      return { status: 'unknown' as const, candidates: [], reasons: [refusal] };
    }
    const resolution = resolved[next];
    next += 1;
    if (!resolution) throw new Error('the resolver left out an item');
    return answerOf(resolution, today);
  });
}

function answerOf(resolution: Resolution, today: Day) {
  const { status, reasons } = resolution;
  if (status === 'matched') {
    const { card, printing, quantity, condition, grade, confidence } = resolution;
    return {
      status,
      card: batchCard(card, today),
      printing: printing?.name ?? null,
      market: dollars(printing?.prices.market ?? null),
      quantity,
      condition,
      grade,
      confidence,
      reasons,
    };
  }
  const candidates = resolution.candidates.map((candidate) => {
    return { ...batchCard(candidate.card, today), reasons: candidate.reasons };
  });
  return { status, candidates, reasons };
}
