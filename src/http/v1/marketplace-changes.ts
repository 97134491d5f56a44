import { Type } from 'typebox';
import { startOfDay } from '../../domain/day.ts';
import { dayIn, GameParameter, Limit, Offset, slugOf } from '../parameters.ts';
import { CardId, GameSlugText, Page, Text } from '../schemas.ts';
import { defineEndpoint } from './endpoint.ts';
import { marketplaceChangeItem } from './views.ts';

export const MarketplaceChangeItem = Type.Object(
  {
    id: CardId,
    name: Text('Card name.', 'Charizard'),
    game: GameSlugText,
    set: Text('Set name.', 'Base Set'),
    printing: Text('The printing whose marketplace changed.', 'Holofoil'),
    from: Text('The marketplace before.', 'tcgplayer'),
    to: Text('The marketplace since.', 'pricecharting'),
    day: Type.String({
      description: 'Day in UTC on which the first prices of `to` were observed, `YYYY-MM-DD`.',
      examples: ['2026-02-28'],
    }),
    changedAt: Text(
      'When the import that changed it began: ISO 8601, UTC.',
      '2026-02-28T21:30:00Z',
    ),
  },
  {
    $id: 'MarketplaceChange',
    title: 'MarketplaceChange',
    description: 'A printing whose marketplace changed.',
  },
);

const Query = Type.Object({
  game: GameParameter,
  since: Type.Optional(
    Type.String({
      description: 'Only changes made by imports on or after this day (UTC): `YYYY-MM-DD`.',
      minLength: 1,
      maxLength: 100,
      examples: ['2026-01-28'],
    }),
  ),
  limit: Limit(50, 200),
  offset: Offset,
});

export const marketplaceChanges = defineEndpoint({
  method: 'GET',
  path: '/v1/marketplace-changes',
  feature: 'marketplace-changes',
  errors: [],
  schema: {
    operationId: 'listMarketplaceChanges',
    summary: 'List the printings whose marketplace changed',
    description:
      'The prices of a printing come from one marketplace. Do not compare those from before and ' +
      'after a change. Newest first; during an import, maybe ahead of the served prices. Requires ' +
      'the Trader plan or above.',
    querystring: Query,
    response: { 200: Page(MarketplaceChangeItem, 'The changes on this page, newest first.') },
  },
  async answer({ marketplaceChanges: read }, { query: { game, since, limit, offset } }) {
    const slug = slugOf(game);
    const { changes, total } = await read({ game: slug, since: momentOf(since), limit, offset });
    return { data: changes.map(marketplaceChangeItem), total, limit, offset };
  },
});

/** The start of the day in the parameter `since`. */
function momentOf(since: string | undefined) {
  return since === undefined ? undefined : startOfDay(dayIn('since', since));
}
