import { Type } from 'typebox';
import { ApiError } from '../../domain/errors.ts';
import { GAME_SLUGS, type GameSlug } from '../../domain/games.ts';
import { cursorOf } from '../../domain/publication-cursor.ts';
import type { ChangesPage } from '../../store/catalogue/changes.ts';
import { readBulkList } from '../bulk-folder.ts';
import { invalidParameter } from '../errors.ts';
import { Defaulted, GameParameter, Limit, slugOf } from '../parameters.ts';
import { shown } from '../validation.ts';
import { CatalogueChange, type Change, changeViews } from './change-view.ts';
import { defineEndpoint, type Resources } from './endpoint.ts';

type Feed = Pick<ChangesPage, 'since' | 'until' | 'after'>;
type PublicationName = ChangesPage['since'];

const Query = Type.Object({
  since: Type.Optional(
    Type.String({
      description: 'The last `nextCursor`; without it, only a cursor is returned.',
      maxLength: 200,
    }),
  ),
  game: GameParameter,
  limit: Limit(100, 1000),
  wait: Defaulted(
    Type.Integer({
      description: 'If nothing has changed, wait up to this many seconds for a change.',
      minimum: 0,
      maximum: 30,
      default: 0,
    }),
  ),
});

export const changes = defineEndpoint({
  method: 'GET',
  path: '/v1/changes',
  errors: ['CURSOR_EXPIRED'],
  schema: {
    operationId: 'listChanges',
    summary: 'List what changed since an earlier call',
    description:
      'Sets, cards and prices that changed, oldest first, each once. Go on while `more`. Cursors ' +
      'last 30 days.',
    querystring: Query,
    response: {
      200: Type.Object({
        data: Type.Array(CatalogueChange, { description: 'The changes on this page.' }),
        nextCursor: Type.String({ description: 'Send it as `since`, with the same `game`.' }),
        more: Type.Boolean({ description: 'Whether there are more changes now.' }),
      }),
    },
  },
  async answer(resources, { query: { since, game, limit, wait } }, _history, caller, waiting) {
    const { catalog, publicationWaits } = resources;
    const wanted = { game: slugOf(game), limit };
    if (since === undefined) return answerOf(await readPage(resources, atRest(catalog), wanted));
    const first = await readPage(resources, feedAt(since, catalog), wanted);
    if (wait === 0 || hasNews(first)) return answerOf(first);
    const begun = performance.now();
    const waiter = { accountId: caller.accountId, ms: wait * 1000, signal: waiting.signal };
    const last = await publicationWaits.until(waiter, first, hasNews, ({ next }) => {
      return readPage(resources, { ...next, until: catalog.publication }, wanted);
    });
    waiting.waitedMs = performance.now() - begun;
    return answerOf(last);
  },
});

interface Wanted {
  readonly game: GameSlug | undefined;
  readonly limit: number;
}

interface Page {
  readonly data: readonly Change[];
  /** The position at which the next page begins. */
  readonly next: Feed;
  readonly more: boolean;
}

function hasNews({ data, more }: Page): boolean {
  return data.length > 0 || more;
}

function answerOf({ data, next, more }: Page) {
  return { data, nextCursor: textOf(next), more };
}

async function readPage(resources: Resources, feed: Feed, wanted: Wanted): Promise<Page> {
  const { limit } = wanted;
  const read = await readChanges(resources, feed, wanted);
  const last = read.length < limit ? undefined : read.at(-1)?.place;
  const next = last ? { ...feed, after: last } : atRest({ publication: feed.until });
  const data = await changeViews(resources, feed.until.revision, read);
  return { data, next, more: next.since.revision < resources.catalog.publication.revision };
}

/** @throws ApiError CURSOR_EXPIRED, or SERVICE_UNAVAILABLE if this node is behind the cursor. */
async function readChanges(resources: Resources, feed: Feed, { game, limit }: Wanted) {
  const { changes, catalog, clock } = resources;
  const read = await changes.page({ ...feed, game, limit, now: clock() });
  if (!read) throw await expired(resources, game);
  const newest = Math.max(feed.since.revision, feed.until.revision);
  if (newest <= catalog.publication.revision) return read;
  throw new ApiError('SERVICE_UNAVAILABLE', undefined, { retryAfter: 1 });
}

/** The error for an expired cursor. It names the bulk file from which to start again. */
async function expired({ bulkFolder }: Resources, game: GameSlug | undefined): Promise<ApiError> {
  const list = bulkFolder === '' ? undefined : await readBulkList(bulkFolder);
  const file = list?.data.find((one) => {
    return one.type === 'cards' && one.format === 'ndjson' && one.game === (game ?? null);
  });
  const start = file
    ? `Start again from /v1/bulk/${file.url} and the cursor that /v1/bulk gives.`
    : 'Compare your cards with /v1/manifest, and go on from the cursor that it gives.';
  return new ApiError('CURSOR_EXPIRED', `This cursor has expired. ${start}`);
}

/** The feed after all changes up to a publication. */
function atRest({ publication }: { readonly publication: PublicationName }): Feed {
  return { since: publication, until: publication, after: undefined };
}

/**
 * A publication. Between two pages, also the last publication of these pages, and the last change.
 */
const CURSOR = /^(\d{1,9})\.([^.]{8})(?:\.(\d{1,9})\.([^.]{8})\.([a-z]+)((?:\.\d{1,9}){4}))?$/;

/** @throws ApiError INVALID_PARAMETER */
function feedAt(text: string, { publication }: Resources['catalog']): Feed {
  const [match, revision, id = '', until, untilId = '', slug, place = ''] = CURSOR.exec(text) ?? [];
  const game = GAME_SLUGS.find((one) => one === slug);
  if (match === undefined || (until !== undefined && !game)) {
    throw invalidParameter('since', `"${shown(text)}" is not a cursor. Send a nextCursor.`);
  }
  const since = { revision: Number(revision), id };
  if (!game) return { since, until: publication, after: undefined };
  const [last = 0, previous = 0, card = 0, printing = 0] = place.slice(1).split('.').map(Number);
  return {
    since,
    until: { revision: Number(until), id: untilId },
    after: { revision: last, game, previous, card_id: card, printing_id: printing },
  };
}

function textOf({ since, until, after }: Feed): string {
  if (!after) return cursorOf(since);
  const { revision, game, previous, card_id, printing_id } = after;
  const place = [game, revision, previous, card_id, printing_id];
  return [cursorOf(since), cursorOf(until), ...place].join('.');
}
