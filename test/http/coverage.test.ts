import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { GAMES } from '../../src/domain/games.ts';
import { type Caller, shareService } from '../support/app.ts';
import { bodyOf } from './expect.ts';

interface Counts {
  readonly cardCount: number;
  readonly pricedCount: number;
  readonly freshCount: number;
  readonly newestAt: string | null;
  readonly marketplaces: readonly { marketplace: string; cardCount: number }[];
}

interface Covered extends Counts {
  readonly game: string;
  readonly sets?: readonly (Counts & { setId: string; code: string; name: string })[];
}

interface SetItem {
  readonly setId: string;
  readonly cardCount: number;
  readonly pricedCount: number;
}

async function coverageOf(caller: Caller, query = ''): Promise<readonly Covered[]> {
  return bodyOf<{ data: Covered[] }>(await caller.get(`/v1/coverage${query}`)).data;
}

describe('GET /v1/coverage', () => {
  const shared = shareService('SQLite');

  it('has every game with its cards, those with a price, and where prices are from', async () => {
    const caller = await shared.service.caller();
    const data = await coverageOf(caller);
    assert.deepEqual(
      data.map(({ game }) => game),
      GAMES.map(({ slug }) => slug),
    );
    const { data: games } = (await caller.get('/v1/games')).json();
    assert.deepEqual(
      data.map(({ cardCount }) => cardCount),
      games.map(({ cardCount }: Counts) => cardCount),
    );
    const unpriced = data.find(({ game }) => game === 'fab') ?? assert.fail();
    assert.deepEqual(
      { ...unpriced, cardCount: 0 },
      {
        game: 'fab',
        cardCount: 0,
        pricedCount: 0,
        freshCount: 0,
        newestAt: null,
        marketplaces: [],
      },
    );
  });

  it('has the sets of one game, whose counts add up to those of the game', async () => {
    const caller = await shared.service.caller();
    const [whole, ...others] = await coverageOf(caller, '?game=pokemon');
    assert.deepEqual(others, []);
    const { sets = [], ...game } = whole ?? assert.fail();
    assert.deepEqual(game, (await coverageOf(caller))[0]);
    for (const field of ['cardCount', 'pricedCount', 'freshCount'] as const) {
      assert.equal(
        sets.reduce((total, set) => total + set[field], 0),
        game[field],
      );
    }
    const known: SetItem[] = (await caller.get('/v1/games/pokemon/sets')).json().data;
    assert.deepEqual(
      sets.map(({ setId, cardCount, pricedCount }) => ({ setId, cardCount, pricedCount })),
      known
        .filter(({ cardCount }) => cardCount > 0)
        .map(({ setId, cardCount, pricedCount }) => ({ setId, cardCount, pricedCount })),
    );
    assert.deepEqual(game.marketplaces, [
      { marketplace: 'tcgplayer', cardCount: game.pricedCount },
    ]);
    assert.equal(game.newestAt, '2026-01-28T20:05:12Z');
  });

  it('counts no price as fresh that is stale, from the day on which it is', async () => {
    const { service } = shared;
    const caller = await service.caller();
    const [fresh] = await coverageOf(caller, '?game=pokemon');
    assert.equal(fresh?.freshCount, fresh?.pricedCount);
    service.now += 8 * 86_400_000;
    const [stale] = await coverageOf(caller, '?game=pokemon');
    assert.deepEqual([stale?.freshCount, stale?.pricedCount], [0, fresh?.pricedCount]);
    service.now -= 8 * 86_400_000;
  });

  it('follows a new publication', async () => {
    const { service } = shared;
    const caller = await service.caller();
    const before = await coverageOf(caller, '?game=pokemon');
    await service.remember('pokemon-bs-charizard-004', 'Holofoil', [['2026-01-20', 1000]]);
    assert.deepEqual(await coverageOf(caller, '?game=pokemon'), before);
  });
});
