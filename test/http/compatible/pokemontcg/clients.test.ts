/** Speaks as the clients from npm do: `pokemontcgsdk` and `pokemon-tcg-sdk-typescript`. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Caller } from '../../../support/app.ts';
import { bodyOf } from '../../expect.ts';
import { ADDRESS, type Page, sharePokemonTcg } from './service.ts';

/** The members of a card that the clients' types promise. */
interface Card {
  readonly id: string;
  readonly name: string;
  readonly supertype: string;
  readonly set: {
    readonly id: string;
    readonly series: string;
    readonly images: { symbol: string };
  };
  readonly number: string;
  readonly images: { readonly small: string; readonly large: string };
  readonly legalities: { readonly unlimited: string };
  readonly attacks?: readonly { readonly name: string; readonly cost: readonly string[] }[];
}

/** `pokemontcgsdk` encodes parameters as `qs` does, and follows pages by their numbers. */
async function all(caller: Caller, type: string, args: Record<string, unknown> = {}) {
  const data: unknown[] = [];
  for (let page = 1; ; page++) {
    const query = Object.entries({ ...args, page }).map(([name, value]) => {
      return `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`;
    });
    const answer = await caller.get(`${ADDRESS}/${type}?${query.join('&')}`, {
      accept: 'application/json, text/plain, */*',
      'user-agent': 'axios/0.21.4',
    });
    const body = bodyOf<Partial<Page<unknown>>>(answer);
    data.push(...(body.data ?? assert.fail()));
    const { totalCount = 0, pageSize = 0, page: own = 0 } = body;
    if (totalCount === 0 || pageSize * own >= totalCount) return data;
  }
}

/** `pokemon-tcg-sdk-typescript` returns the first member of a body, whatever it is called. */
async function first<Result>(caller: Caller, resource: string): Promise<Result> {
  const answer = await caller.get(`${ADDRESS}/${resource}`, { 'content-type': 'application/json' });
  const body = bodyOf<Record<string, unknown>>(answer);
  return body[Object.keys(body)[0] ?? ''] as Result;
}

function assertCard({ id, set, number, images, legalities, attacks = [], ...card }: Card): void {
  assert.deepEqual([id, typeof card.name], [`${set.id}-${number}`, 'string']);
  assert.match(card.supertype, /^(?:Pokémon|Trainer|Energy)$/);
  assert.match(set.images.symbol, /^https:/);
  assert.match(images.small + images.large, /^https:/);
  assert.equal(legalities.unlimited, 'Legal');
  assert.equal(typeof set.series, 'string');
  for (const { name, cost } of attacks) assert.ok(typeof name === 'string' && Array.isArray(cost));
}

describe('pokemontcgsdk', () => {
  const shared = sharePokemonTcg('SQLite');

  it('finds a card and a set', async () => {
    const caller = await shared.service.caller();
    const card = bodyOf<{ data: Card }>(await caller.get(`${ADDRESS}/cards/base1-4`)).data;
    assertCard(card);
    const set = bodyOf<{ data: Card }>(await caller.get(`${ADDRESS}/sets/base1`)).data;
    assert.equal(set.name, 'Base');
  });

  it('searches, page by page', async () => {
    const caller = await shared.service.caller();
    const args = { q: 'name:charizard (types:fire OR types:water)', pageSize: 2, orderBy: '-hp' };
    const cards = (await all(caller, 'cards', args)) as Card[];
    assert.deepEqual(
      cards.map(({ id }) => id),
      ['base1-4', 'base5-4', 'base5-21'],
    );
    cards.map(assertCard);
    assert.equal((await all(caller, 'cards')).length, 12);
    assert.equal((await all(caller, 'sets', { q: 'series:base' })).length, 2);
  });

  it('lists types, subtypes, rarities and supertypes', async () => {
    const caller = await shared.service.caller();
    for (const type of ['types', 'subtypes', 'rarities', 'supertypes']) {
      const values = await all(caller, type);
      assert.ok(values.length > 1 && values.every((value) => typeof value === 'string'), type);
    }
  });
});

describe('pokemon-tcg-sdk-typescript', () => {
  const shared = sharePokemonTcg('SQLite');

  it('finds a card and a set', async () => {
    const caller = await shared.service.caller();
    assertCard(await first<Card>(caller, 'cards/sv8pt5-28'));
    assert.equal((await first<Card>(caller, 'sets/sv8pt5')).name, 'Prismatic Evolutions');
  });

  it('gets all cards, and stops at the first page without any', async () => {
    const caller = await shared.service.caller();
    const pages = ['1', '2'].map((page) =>
      first<Card[]>(caller, `cards?pageSize=250&page=${page}`),
    );
    const [cards, none] = await Promise.all(pages);
    cards?.map(assertCard);
    assert.deepEqual([cards?.length, none], [12, []]);
  });

  it('searches, also by its former parameters, which the API ignores', async () => {
    const caller = await shared.service.caller();
    const found = await first<Card[]>(caller, 'cards?q=name%3Acharizard&pageSize=1');
    assert.deepEqual(
      found.map(({ id }) => id),
      ['base1-4'],
    );
    assert.equal((await first<Card[]>(caller, 'cards?0=%5Bobject%20Object%5D')).length, 12);
    assert.equal((await first<Card[]>(caller, 'sets?pageSize=250')).length, 4);
    assert.equal((await first<Card[]>(caller, 'sets/')).length, 4);
  });

  it('lists types, supertypes, subtypes and rarities', async () => {
    const caller = await shared.service.caller();
    for (const resource of ['types', 'supertypes', 'subtypes', 'rarities']) {
      assert.ok((await first<string[]>(caller, resource)).length > 1, resource);
    }
  });
});
