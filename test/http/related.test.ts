import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Static } from 'typebox';
import type { CardDetail } from '../../src/http/schemas.ts';
import type { Related } from '../../src/http/set-schemas.ts';
import { shareService } from '../support/app.ts';
import { forEachEngine } from '../support/engines.ts';
import { bodyOf, errorOf, problemOf } from './expect.ts';

type Body = { data: Static<typeof Related> };

forEachEngine((label) => {
  const shared = shareService(label);
  const ask = async (id: string) => {
    return (await shared.service.caller('free')).get(`/v1/cards/${id}/related`);
  };
  const related = async (id: string) => bodyOf<Body>(await ask(id)).data;

  describe('GET /v1/cards/{id}/related', () => {
    it('names the neighbours in the set by collector number, none beyond its ends', async () => {
      const blastoise = await related('pokemon-bs-blastoise-002');
      assert.equal(blastoise.previous?.id, 'pokemon-bs-alakazam-001');
      assert.equal(blastoise.next?.id, 'pokemon-bs-charizard-004');
      assert.equal((await related('pokemon-bs-alakazam-001')).previous, null);
      assert.equal((await related('pokemon-bs-potion-094')).next, null);
    });

    it('shows cards as the search does', async () => {
      const caller = await shared.service.caller('free');
      const { previous } = await related('pokemon-bs-blastoise-002');
      const { data } = bodyOf<{ data: object[] }>(await caller.get('/v1/search?q=alakazam'));
      assert.deepEqual(previous, data[0]);
    });

    it('finds the cards of the same name, but not the card itself', async () => {
      const others = async (id: string) => (await related(id)).others.map((card) => card.id);
      assert.deepEqual(await others('pokemon-pre-umbreon-ex-060'), ['pokemon-pre-umbreon-ex-161']);
      assert.deepEqual(await others('pokemon-bs-charizard-004'), [], 'Dark Charizard is another');
      assert.deepEqual(await others('lorcana-tfc-elsa-snow-queen-41'), [], 'another Elsa');
      assert.deepEqual(await others('onepiece-op-01-nami-op01-016'), []);
      const luffy = await others('onepiece-op-01-monkey-d-luffy-op01-003');
      assert.deepEqual(luffy, [], 'another card that shows him');
      assert.equal((await others('yugioh-lob-dark-magician-lob-005')).length, 3);
    });

    it('lists as many of the same name as are asked for, and says how many there are', async () => {
      const magician = 'yugioh-lob-dark-magician-lob-005';
      const { data } = bodyOf<Body>(
        await (await shared.service.caller('free')).get(`/v1/cards/${magician}/related?limit=2`),
      );
      assert.deepEqual([data.others.length, data.otherCount], [2, 3]);
      assert.deepEqual(data.others, (await related(magician)).others.slice(0, 2));
      for (const limit of [0, 51]) {
        const caller = await shared.service.caller('free');
        problemOf(await caller.get(`/v1/cards/${magician}/related?limit=${limit}`), 'limit');
      }
    });

    it('answers 404 for an unknown card', async () => {
      const { message } = errorOf(await ask('pokemon-bs-mew-999'), 'CARD_NOT_FOUND');
      assert.equal(message, 'No card has the id "pokemon-bs-mew-999".');
    });
  });

  it('A card lists its ids at sources', async () => {
    const caller = await shared.service.caller('free');
    const answer = await caller.get('/v1/cards/pokemon-bs-charizard-004');
    const { data } = bodyOf<{ data: Static<typeof CardDetail> }>(answer);
    assert.deepEqual(data.externalIds, { tcgplayer: ['42382'] });
  });
});
