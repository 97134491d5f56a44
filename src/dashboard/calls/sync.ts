import type { Static } from 'typebox';
import { formatMoment } from '../../domain/day.ts';
import { ApiError, OperatorError } from '../../domain/errors.ts';
import type { SyncableSource, SyncRun } from '../../domain/sync-run.ts';
import { defineRoute } from '../route.ts';
import { Data } from '../schemas.ts';
import { SyncBody, SyncView } from '../sync-schemas.ts';
import { moment } from './views.ts';

/** What can be synced, and the last sync that an operator has started. */
export const read = defineRoute({
  method: 'GET',
  path: '/operator/sync',
  access: 'operator',
  audit: null,
  schema: { response: { 200: Data(SyncView) } },
  async handle({ syncs, syncable }) {
    return { data: syncView(syncable, await syncs.read()) };
  },
});

/** Starts a sync, whose end it does not wait for. It fails with CONFLICT while another runs. */
export const start = defineRoute({
  method: 'POST',
  path: '/operator/sync',
  access: 'operator',
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
});

/** @throws ApiError when the source, or every source without one, cannot be synced. */
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
    ...{ source, state, lines: [...lines] },
    ...{ startedAt: formatMoment(startedAt), endedAt: moment(endedAt) },
  };
}
