import type { Static } from 'typebox';
import { countErrorsOf } from '../accounts/quota/usage-sql.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { dayOf, formatMoment } from '../domain/day.ts';
import { Many } from '../http/schemas.ts';
import type { StoredPartFault } from '../store/catalogue/failed-parts.ts';
import type { SourceHealth } from '../store/reports/health.ts';
import { defineOperatorCall, type OperatorCall } from './call.ts';
import { Data, moment } from './schemas.ts';
import { type FailedPartView, HealthView, SourceHealthView } from './views.ts';

/** The state of the service and of its sources. */
export const HEALTH_CALLS: readonly OperatorCall[] = [
  defineOperatorCall({
    id: 'readHealth',
    summary: 'Read the health of the service: checks, files, coverage and errors of today.',
    method: 'GET',
    path: '/health',
    keys: true,
    audit: null,
    schema: { response: { 200: Data(HealthView) } },
    async handle({ machine, resources, store, clock, version }) {
      const { nextSyncAt, backupAt, files, findings, ...rest } = await machine();
      const errors = await countErrorsOf(store.accounts.db, dayOf(clock()));
      return {
        data: {
          version,
          ...rest,
          files: [...files],
          findings: [...findings],
          errors,
          nextSyncAt: moment(nextSyncAt),
          backupAt: moment(backupAt),
          games: coverageOf(resources.catalog),
        },
      };
    },
  }),

  defineOperatorCall({
    id: 'listSources',
    summary: 'List the sources, and whether their prices are fresh.',
    method: 'GET',
    path: '/sources',
    keys: true,
    audit: null,
    schema: { response: { 200: Many(SourceHealthView, 'By source and game.') } },
    async handle({ health }) {
      return { data: (await health()).map(healthView) };
    },
  }),
];

function coverageOf(catalog: Catalog): Static<typeof HealthView>['games'] {
  return catalog.games().flatMap(({ game, cardCount: cards }) => {
    if (cards === 0) return [];
    const sets = catalog.sets(game.slug);
    const priced = sets.reduce((sum, { set }) => sum + catalog.pricedCount(set), 0);
    return [{ game: game.slug, cards, priced }];
  });
}

/** Failed parts of a row to show. The count covers all of them. */
const MAX_FAILED_PARTS = 5;

function healthView(health: SourceHealth): Static<typeof SourceHealthView> {
  const { source, game, succeededAt, observedAt, age, watched, stale, error, errorAt } = health;
  const { priced, cards, quarantined, failedParts } = health;
  return {
    source,
    game,
    succeededAt: moment(succeededAt),
    observedAt: moment(observedAt),
    age: age === null ? null : Math.floor(age / 1000),
    isWatched: watched,
    isStale: stale,
    priced,
    cards,
    quarantined,
    failedPartCount: failedParts.length,
    failedParts: failedParts.slice(0, MAX_FAILED_PARTS).map(failedPartView),
    error,
    errorAt: moment(errorAt),
  };
}

function failedPartView(failed: StoredPartFault): Static<typeof FailedPartView> {
  const { part, since, badRows, examples } = failed;
  const [first] = examples;
  const example = first ? `${first.name}: ${first.reason}` : '';
  return { part, since: formatMoment(since), badRows, example };
}
