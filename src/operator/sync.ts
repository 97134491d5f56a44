import { type Static, Type } from 'typebox';
import { formatMoment } from '../domain/day.ts';
import { ApiError, OperatorError } from '../domain/errors.ts';
import type { SyncableSource, SyncRun } from '../domain/sync.ts';
import { defineOperatorCall, type OperatorCall } from './call.ts';
import { Data, moment } from './schemas.ts';
import { SyncView } from './views.ts';

const SyncBody = Type.Object({
  source: Type.Optional(
    Type.String({
      title: 'The source',
      minLength: 1,
      maxLength: 40,
      description: 'One of the sources in CARDPRICE_SYNC; all of them if missing.',
    }),
  ),
});

/** Syncs that operators start by hand. */
export const SYNC_CALLS: readonly OperatorCall[] = [
  defineOperatorCall({
    id: 'readSync',
    summary: 'Read the sources that can be synced, and the last sync that was started here.',
    method: 'GET',
    path: '/sync',
    keys: true,
    audit: null,
    schema: { response: { 200: Data(SyncView) } },
    async handle({ syncs, syncable }) {
      return { data: syncView(syncable, await syncs.read()) };
    },
  }),

  defineOperatorCall({
    id: 'startSync',
    summary: 'Start a sync of one source, or of all.',
    method: 'POST',
    path: '/sync',
    keys: true,
    audit: {
      action: 'sync-started',
      subject: ({ body }) => body.source ?? 'all sources',
    },
    schema: { body: SyncBody, response: { 202: Data(SyncView) } },
    status: 202,
    async handle({ syncs, syncable }, { body: { source } }) {
      requireSyncable(syncable, source);
      try {
        return { data: syncView(syncable, await syncs.start(source ?? null)) };
      } catch (error) {
        throw error instanceof OperatorError ? new ApiError('CONFLICT', error.message) : error;
      }
    },
  }),
];

/** @throws ApiError if the source cannot be synced or, without one, if no source can. */
function requireSyncable(sources: readonly SyncableSource[], name: string | undefined): void {
  const meant = sources.filter((source) => name === undefined || source.name === name);
  if (meant.length === 0) {
    throw new ApiError('INVALID_BODY', 'CARDPRICE_SYNC has no such source.');
  }
  const [first] = meant;
  if (first?.hindrance && meant.every(({ hindrance }) => hindrance !== null)) {
    throw new ApiError('CONFLICT', first.hindrance);
  }
}

function syncView(
  sources: readonly SyncableSource[],
  run: SyncRun | null,
): Static<typeof SyncView> {
  return { sources: [...sources], run: run && runView(run) };
}

function runView(run: SyncRun): Exclude<Static<typeof SyncView>['run'], null> {
  const { source, startedAt, endedAt, state, lines } = run;
  return {
    source,
    state,
    lines: [...lines],
    startedAt: formatMoment(startedAt),
    endedAt: moment(endedAt),
  };
}
