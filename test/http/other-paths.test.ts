import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { shareService } from '../support/app.ts';
import { forEachEngine } from '../support/engines.ts';
import { bodyOf, errorOf, problemOf } from './expect.ts';

const LATER_INTERFACE =
  "Clients of the hosted service's later interface use the address /compatible/tcgpricelookup/v1.";
const CHARIZARD = 'pokemon-bs-charizard-004';
const FOREST = 'mtg-9ed-forest-347';

forEachEngine((label) => {
  const shared = shareService(label);

  describe('GET /v1/cards/search', () => {
    it('answers as GET /v1/search', async () => {
      const caller = await shared.service.caller('free');
      for (const query of ['?q=charizard&limit=2', '?q=forest&max_price=1', '?q=zzzzzz']) {
        const answer = await caller.get(`/v1/cards/search${query}`);
        const other = await caller.get(`/v1/search${query}`);
        assert.deepEqual([answer.statusCode, answer.body], [other.statusCode, other.body]);
        assert.equal(answer.headers.etag, other.headers.etag);
      }
      errorOf(await caller.get('/v1/cards/search?q=forest&explain=match'), 'PLAN_RESTRICTION');
    });

    it('adds to the same 400 where clients of the later interface find theirs', async () => {
      const caller = await shared.service.caller('free');
      for (const query of ['', '?limit=x', '?ids=a,b', '?set=jungle']) {
        const refused = errorOf(await caller.get(`/v1/cards/search${query}`), 'INVALID_PARAMETER');
        const other = errorOf(await caller.get(`/v1/search${query}`), 'INVALID_PARAMETER');
        assert.deepEqual(refused, { ...other, message: `${other.message} ${LATER_INTERFACE}` });
      }
    });
  });

  describe('GET /v1/cards?ids=', () => {
    it('answers as POST /v1/cards/batch', async () => {
      const caller = await shared.service.caller('trader');
      const ids = [CHARIZARD, 'x', FOREST, CHARIZARD];
      const batch = await caller.post('/v1/cards/batch', { ids });
      const answer = await caller.get(`/v1/cards?ids=${ids.join(',')}`);
      assert.deepEqual(bodyOf(answer), bodyOf(batch));
      assert.equal(answer.headers.etag, batch.headers.etag);
      assert.deepEqual(bodyOf(await caller.get('/v1/cards?ids=,')), { data: [] });
    });

    it('requires the Trader plan', async () => {
      const caller = await shared.service.caller('free');
      const { message } = errorOf(await caller.get('/v1/cards?ids=x'), 'PLAN_RESTRICTION');
      assert.equal(message, 'Batch lookup requires the Trader plan or above.');
    });

    it('takes at most 20 ids, one time', async () => {
      const caller = await shared.service.caller('trader');
      const many = (count: number) => `/v1/cards?ids=${Array(count).fill(FOREST).join(',')}`;
      assert.equal(bodyOf<{ data: unknown[] }>(await caller.get(many(20))).data.length, 20);
      errorOf(await caller.get(many(21)), 'BATCH_LIMIT_EXCEEDED');
      problemOf(await caller.get('/v1/cards'), 'ids');
      const { message } = errorOf(await caller.get('/v1/cards'), 'INVALID_PARAMETER');
      assert.ok(message.endsWith(LATER_INTERFACE), message);
      problemOf(await caller.get('/v1/cards?ids='), 'ids');
      problemOf(await caller.get('/v1/cards?ids=a&ids=b'), 'ids');
    });
  });

  describe('GET /v1/cards/by/{idSpace}/{externalId}', () => {
    it('answers as the card itself, and is found by each of its external ids', async () => {
      const caller = await shared.service.caller('free');
      const card = bodyOf(await caller.get(`/v1/cards/${CHARIZARD}`));
      assert.deepEqual(bodyOf(await caller.get('/v1/cards/by/tcgplayer/42382')), card);
    });

    it('answers 404 for an unknown id, and names it', async () => {
      const caller = await shared.service.caller('free');
      for (const id of [
        '1',
        '042382',
        '42382.0',
        'constructor',
        '__proto__',
        '%00',
        'x'.repeat(90),
      ]) {
        const answer = await caller.get(`/v1/cards/by/tcgplayer/${id}`);
        const { message } = errorOf(answer, 'CARD_NOT_FOUND');
        assert.match(message, /^No card has the tcgplayer id ".+"\.$/);
      }
      errorOf(await caller.get('/v1/cards/by/scryfall/42382'), 'CARD_NOT_FOUND');
    });

    it('lists the id spaces when the id space is unknown', async () => {
      const caller = await shared.service.caller('free');
      for (const space of ['tcgcsv', 'Scryfall', 'constructor']) {
        const message = problemOf(await caller.get(`/v1/cards/by/${space}/1`), 'idSpace');
        assert.match(message, /it must be one of .*tcgplayer.*scryfall/);
      }
    });
  });
});
