import type { Static } from 'typebox';
import { countErrorsOf } from '../../accounts/quota/request-log-sql.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import { dayOf } from '../../domain/day.ts';
import { HealthView } from '../health-schemas.ts';
import { defineRoute } from '../route.ts';
import { Data } from '../schemas.ts';
import { moment } from './views.ts';

/** How the service is: what the doctor finds, files, coverage and errors. */
export const read = defineRoute({
  method: 'GET',
  path: '/operator/health',
  access: 'operator',
  audit: null,
  schema: { response: { 200: Data(HealthView) } },
  async handle({ machine, resources, store, clock, version }) {
    const { nextSyncAt, backupAt, files, findings, ...rest } = await machine();
    const errors = await countErrorsOf(store.accounts.db, dayOf(clock()));
    return {
      data: {
        ...{ version, ...rest, files: [...files], findings: [...findings], errors },
        ...{ nextSyncAt: moment(nextSyncAt), backupAt: moment(backupAt) },
        games: coverageOf(resources.catalog),
      },
    };
  },
});

function coverageOf(catalog: Catalog): Static<typeof HealthView>['games'] {
  return catalog.games().flatMap(({ game, cardCount: cards }) => {
    if (cards === 0) return [];
    const sets = catalog.sets(game.slug);
    const priced = sets.reduce((sum, { set }) => sum + catalog.pricedCount(set), 0);
    return [{ game: game.slug, cards, priced }];
  });
}
