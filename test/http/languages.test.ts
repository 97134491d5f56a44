import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Static } from 'typebox';
import type { ResolvedItem } from '../../src/http/resolve-schemas.ts';
import type { CardSummary } from '../../src/http/schemas.ts';
import type { Understood } from '../../src/search/index.ts';
import { shareService } from '../support/app.ts';
import { bodyOf } from './expect.ts';

interface Body {
  readonly data: readonly Static<typeof CardSummary>[];
  readonly total: number;
  readonly understood?: Understood;
}

const GERMAN = { language: 'de', name: 'German', priced: false };

describe('A search that asks for a language', () => {
  const shared = shareService('SQLite');

  async function search(q: string): Promise<Body> {
    const caller = await shared.service.caller('free');
    return bodyOf<Body>(await caller.get(`/v1/search?q=${encodeURIComponent(q)}`));
  }

  it('finds the same cards without their prices, and says that none is known', async () => {
    const plain = await search('charizard');
    assert.ok(plain.data.some(({ prices }) => prices.market !== null));
    for (const q of [
      'charizard german',
      'deutsch charizard',
      'charizard lang:de',
      'charizard (DE)',
    ]) {
      const { data, total, understood } = await search(q);
      assert.deepEqual(understood?.copy, GERMAN, q);
      assert.equal(total, plain.total, q);
      assert.deepEqual(
        data.map(({ id }) => id),
        plain.data.map(({ id }) => id),
        q,
      );
      for (const card of data) {
        assert.equal(card.language, 'de', q);
        assert.equal(card.printing, null, q);
        const { market, conditions, changes, confidence } = card.prices;
        assert.deepEqual([market, ...Object.values(conditions)], [null, null, null], q);
        assert.equal(confidence, null, q);
        assert.deepEqual(Object.values(changes), [null, null, null], q);
      }
    }
  });

  it('is the plain one in the language of the catalogue', async () => {
    const plain = await search('charizard');
    for (const q of ['charizard english', 'charizard lang:en']) {
      const { data, understood } = await search(q);
      assert.deepEqual(understood?.copy, { language: 'en', name: 'English', priced: true });
      for (const card of data) {
        assert.ok(!('language' in card));
        assert.deepEqual(
          card,
          plain.data.find(({ id }) => id === card.id),
        );
      }
    }
  });

  it('is the plain one in Japanese for the cards of the Japanese game alone', async () => {
    const chikorita = await search('chikorita japanese');
    assert.equal(chikorita.understood?.copy?.language, 'ja');
    for (const card of chikorita.data) {
      assert.equal(card.game, 'pokemonjp');
      assert.ok(!('language' in card));
    }
    const forest = await search('forest japanese');
    for (const { game, language, prices } of forest.data) {
      assert.deepEqual([game, language, prices.market], ['mtg', 'ja', null]);
    }
  });

  it('reads a language only where it is not part of a name', async () => {
    for (const q of ['charizard', 'lightning bolt', 'forest']) {
      assert.equal((await search(q)).understood?.copy, undefined);
    }
  });

  it('names a language that is not known as a problem', async () => {
    const { understood } = await search('charizard lang:klingon');
    assert.equal(understood?.problems?.[0]?.message, 'No language is called klingon.');
  });
});

describe('POST /v1/resolve with a language', () => {
  const shared = shareService('SQLite');

  it('answers null for a copy without a known price, in the card as well', async () => {
    const caller = await shared.service.caller('trader');
    const items = [
      { name: 'Charizard', set: 'Base Set', number: '4/102', language: 'German' },
      'Charizard Base Set 4/102 ITA',
      'Forest french',
      { name: 'Charizard', set: 'Base Set', number: '4/102' },
    ];
    const body = bodyOf<{ data: Static<typeof ResolvedItem>[] }>(
      await caller.post('/v1/resolve', { items }),
    );
    const [german, italian, several, plain] = body.data;
    assert.equal(german?.language, 'de');
    assert.equal(german.card?.language, 'de');
    assert.deepEqual(
      [german.market, german.card?.prices.market, german.printing],
      [...[null, null, null]],
    );
    assert.equal(german.reasons.at(-1), 'No price of a German copy is known.');
    assert.deepEqual(
      [german.noPrice, german.priceOf?.language],
      ['No price of a German copy is known.', 'de'],
    );
    assert.deepEqual([italian?.language, italian?.market], ['it', null]);
    assert.equal(several?.status, 'ambiguous');
    assert.equal(several.language, 'fr');
    for (const { prices, language } of several.candidates ?? []) {
      assert.deepEqual([prices.market, language], [null, 'fr']);
    }
    assert.ok(!('language' in (plain ?? {})) && plain?.market !== null);
    assert.equal(plain?.priceOf?.language, undefined);
  });
});
