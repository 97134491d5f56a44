import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import type { Cents } from '../../src/domain/money.ts';
import { type Caller, shareService } from '../support/app.ts';
import { forEachEngine } from '../support/engines.ts';
import { publishPrices } from '../support/publish-prices.ts';
import { bodyOf, errorOf } from './expect.ts';

interface Manifest {
  readonly data: readonly {
    readonly id: string;
    readonly hash: string;
    readonly updatedAt: string | null;
  }[];
  readonly cursor: string;
  readonly more: boolean;
}

interface Detail {
  readonly id: string;
  readonly name: string;
  readonly game: string;
  readonly setId: string;
  readonly number: string | null;
  readonly rarity: string | null;
  readonly image: string | null;
  readonly printings: readonly {
    readonly name: string;
    readonly prices: Readonly<Record<string, unknown>>;
  }[];
}

const read = async (caller: Caller, query = '') => {
  return bodyOf<Manifest>(await caller.get(`/v1/manifest${query}`));
};

async function readAll(caller: Caller, limit: number, game = ''): Promise<Manifest['data']> {
  const all: Manifest['data'][number][] = [];
  for (let [after, more] = ['', true]; more; ) {
    const page = await read(
      caller,
      `?limit=${limit}${after && `&after=${after}`}${game && `&game=${game}`}`,
    );
    assert.ok(page.data.length === limit || !page.more);
    all.push(...page.data);
    [after, more] = [page.data.at(-1)?.id ?? '', page.more];
  }
  return all;
}

/** Computes the hash of a card from its details, as docs/calling.md says. */
function hashOf({ id, name, game, setId, number, rarity, image, printings }: Detail): string {
  const prices = printings.map((printing) => {
    const { market, low, mid, high, conditions, graded } = printing.prices;
    const named = { market, low, mid, high, ...(conditions as object), ...(graded as object) };
    const known = Object.entries(named).filter(([, amount]) => amount !== null);
    const cents = known.map(([figure, amount]) => [figure, Math.round(Number(amount) * 100)]);
    return [printing.name, cents.sort()];
  });
  const text = JSON.stringify([id, name, game, setId, number, rarity, image, prices.sort()]);
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

forEachEngine((label) => {
  describe('GET /v1/manifest', () => {
    const shared = shareService(label);

    it('has every card once, whatever the size of its pages, with the cursor of changes', async () => {
      const { service } = shared;
      const caller = await service.caller('business');
      const { data, cursor, more } = await read(caller, '?limit=10000');
      assert.deepEqual(
        data.map(({ id }) => id).sort(),
        [...service.catalog.cards()].map(({ id }) => id).sort(),
      );
      assert.equal(more, false);
      assert.deepEqual(await readAll(caller, 3), data);
      assert.equal(
        cursor,
        bodyOf<{ nextCursor: string }>(await caller.get('/v1/changes')).nextCursor,
      );
      const lorcana = new Set(
        data.filter(({ id }) => id.startsWith('lorcana-')).map(({ id }) => id),
      );
      assert.deepEqual(new Set((await readAll(caller, 2, 'lorcana')).map(({ id }) => id)), lorcana);
    });

    it('has the hash that a client computes, and the newest moment of its prices', async () => {
      const { service } = shared;
      const caller = await service.caller('business');
      for (const { id, hash, updatedAt } of (await read(caller)).data) {
        const detail = bodyOf<{ data: Detail }>(await caller.get(`/v1/cards/${id}`)).data;
        // The details give the grades that only some cards have in another form.
        const hasOthers = detail.printings.some(({ prices }) => prices.allGrades !== undefined);
        if (!hasOthers) assert.equal(hash, hashOf(detail), id);
        const moments = service.catalog.card(id)?.printings.map(({ prices }) => {
          return Math.max(prices.figuresAt ?? 0, prices.conditionsAt ?? 0, prices.gradedAt ?? 0);
        });
        assert.equal(Date.parse(updatedAt ?? '') || 0, Math.max(0, ...(moments ?? [])), id);
      }
    });

    it('has other hashes only of cards that a publication changed', async () => {
      const { service } = shared;
      const caller = await service.caller('business');
      const before = await read(caller);
      await publishPrices(service.store, [{ market: 12_345 as Cents }], service.now);
      await service.catalog.refresh();
      const after = await read(caller);
      const changed = after.data.filter(({ hash }, index) => hash !== before.data[index]?.hash);
      assert.deepEqual(
        changed.map(({ id }) => id),
        [service.catalog.cardByRowId(1)?.id],
      );
      assert.notEqual(after.cursor, before.cursor);
    });

    it('refuses a place that is not a card', async () => {
      const caller = await shared.service.caller('business');
      const error = errorOf(await caller.get('/v1/manifest?after=x'), 'INVALID_PARAMETER');
      assert.equal(error.details?.[0]?.parameter, 'after');
      errorOf(await caller.get('/v1/manifest?limit=10001'), 'INVALID_PARAMETER');
    });
  });
});
