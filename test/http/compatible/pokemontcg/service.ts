import assert from 'node:assert/strict';
import { before } from 'node:test';
import { importFeed } from '../../../../src/ingest/drivers/feed.ts';
import { openPokemonTcg } from '../../../../src/sources/pokemontcg.ts';
import {
  type AppChanges,
  type Caller,
  type SharedService,
  shareService,
} from '../../../support/app.ts';
import type { EngineLabel } from '../../../support/engines.ts';
import { feedOptions } from '../../../support/feeds.ts';
import { bodyOf } from '../../expect.ts';

export const ADDRESS = '/compatible/pokemontcg/v2';

const FIXTURE = 'test/fixtures/pokemontcg-data';
/** The newest prices of the fixture. */
const OBSERVED = Date.parse('2026-01-27');

export interface Page<Item = Record<string, unknown>> {
  readonly data: readonly Item[];
  readonly page: number;
  readonly pageSize: number;
  readonly count: number;
  readonly totalCount: number;
}

/** Declares that the tests share a service whose cards the source `pokemontcg` has described. */
export function sharePokemonTcg(label: EngineLabel, changes: AppChanges = {}): SharedService {
  const shared = shareService(label, changes);
  before(() => describeCards(shared));
  return shared;
}

/** Imports the fixture, and returns what the import did. */
export async function describeCards({ service }: SharedService, folder = FIXTURE) {
  const options = feedOptions({ observedAt: OBSERVED });
  const feed = await openPokemonTcg(folder, options);
  const summary = await importFeed(service.store, feed, { clock: () => service.now, again: true });
  await service.catalog.refresh();
  return summary;
}

/** Lists cards, by default by a query. */
export async function list(
  caller: Caller,
  query: Readonly<Record<string, string>>,
  path = '/cards',
) {
  return bodyOf<Page>(await caller.get(`${ADDRESS}${path}?${new URLSearchParams(query)}`));
}

/** Returns the ids of the cards that a query finds, in order. */
export async function idsOf(caller: Caller, q: string, orderBy?: string): Promise<string[]> {
  const { data } = await list(caller, { q, select: 'id', ...(orderBy && { orderBy }) });
  return data.map((card) => {
    assert.deepEqual(Object.keys(card), ['id']);
    return String(card.id);
  });
}
