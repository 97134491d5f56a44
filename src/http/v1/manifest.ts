import { setImmediate as yieldToRequests } from 'node:timers/promises';
import { Type } from 'typebox';
import type { Card } from '../../domain/card.ts';
import { formatMoment } from '../../domain/day.ts';
import type { GameSlug } from '../../domain/games.ts';
import { cursorOf } from '../../domain/publication-cursor.ts';
import { invalidParameter } from '../errors.ts';
import { GameParameter, Limit, slugOf } from '../parameters.ts';
import { CardFields, Moment, Text } from '../schemas.ts';
import { shown } from '../validation.ts';
import { defineEndpoint, type Resources } from './endpoint.ts';

const ManifestCard = Type.Object({
  id: CardFields.id,
  hash: Text('Equal as long as the card and its prices are equal.', '6d2c1a90be1f03d4'),
  updatedAt: Moment('When its newest price was observed'),
});

/** Larger pages are built in milliseconds, and would take the room of a thousand cards each. */
const LARGEST_KEPT = 1000;

/** Fingerprints computed in one tick of the event loop, in a few milliseconds. */
const CARDS_PER_TICK = 500;

export const manifest = defineEndpoint({
  method: 'GET',
  path: '/v1/manifest',
  errors: [],
  schema: {
    operationId: 'listManifest',
    summary: 'List every card with a hash',
    description:
      'Find the cards in which a copy differs, for a client that lost its cursor. Keep the ' +
      '`cursor` of the first page, and read the cards whose hash differs before you go on from it.',
    querystring: Type.Object({
      game: GameParameter,
      after: Type.Optional(
        Type.String({ description: 'The last id of the page before.', maxLength: 500 }),
      ),
      limit: Limit(1000, 10_000),
    }),
    response: {
      200: Type.Object({
        data: Type.Array(ManifestCard, { description: 'The cards on this page.' }),
        cursor: Type.String({ description: 'For `since` of `/v1/changes`.' }),
        more: Type.Boolean({ description: 'Whether there is another page.' }),
      }),
    },
  },
  isCacheable: ({ query }) => query.limit <= LARGEST_KEPT,
  async answer({ catalog }, { query: { after, limit, game } }) {
    const wanted = { after, limit, game: slugOf(game) };
    const { cards, more } = await knownPage(catalog, wanted);
    const data = cards.map((card) => {
      const { hash, updatedAt } = catalog.fingerprints.of(card);
      return { id: card.id, hash, updatedAt: momentOf(updatedAt) };
    });
    return { data, cursor: cursorOf(catalog.publication), more };
  },
});

interface Wanted {
  readonly after: string | undefined;
  readonly limit: number;
  readonly game: GameSlug | undefined;
}

/**
 * Returns a page. Computes missing fingerprints in parts, so the process can answer others in
 * between.
 */
async function knownPage(catalog: Resources['catalog'], wanted: Wanted) {
  const page = pageOf(catalog, wanted);
  const missing = page.cards.filter(({ rowId }) => !catalog.fingerprints.has(rowId));
  if (missing.length === 0) return page;
  for (let at = 0; at < missing.length; at += CARDS_PER_TICK) {
    // A publication in between may have changed some of them.
    for (const { rowId } of missing.slice(at, at + CARDS_PER_TICK)) {
      const card = catalog.cardByRowId(rowId);
      if (card) catalog.fingerprints.of(card);
    }
    await yieldToRequests();
  }
  return pageOf(catalog, wanted);
}

/**
 * Returns the page after a card, in the order in which the cards were added.
 *
 * @throws ApiError INVALID_PARAMETER if there is no card with this id.
 */
function pageOf(catalog: Resources['catalog'], { after, limit, game }: Wanted) {
  const last = after === undefined ? undefined : catalog.card(after);
  if (after !== undefined && !last) {
    throw invalidParameter('after', `"${shown(after)}" is not the id of a card.`);
  }
  const cards: Card[] = [];
  for (const card of catalog.cardsAfter(last?.rowId ?? 0)) {
    if (game !== undefined && card.set.game !== game) continue;
    if (cards.length === limit) return { cards, more: true };
    cards.push(card);
  }
  return { cards, more: false };
}

/** The text of the last moment: cards of one source have the same moment. */
let known: { moment: number; text: string } = { moment: 0, text: '' };

function momentOf(moment: number | null): string | null {
  if (moment === null) return null;
  if (known.moment !== moment) known = { moment, text: formatMoment(moment) };
  return known.text;
}
