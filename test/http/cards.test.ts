import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Static } from 'typebox';
import type { BatchCard, CardDetail } from '../../src/http/schemas.ts';
import { shareService } from '../support/app.ts';
import { forEachEngine } from '../support/engines.ts';
import { bodyOf, errorOf, NO_CHANGES } from './expect.ts';

type Detail = { data: Static<typeof CardDetail> };
type Batch = { data: Static<typeof BatchCard>[] };

const PATH_OF_BATCH = '/v1/cards/batch';
const ALAKAZAM = 'pokemon-bs-alakazam-001';
const CHARIZARD = 'pokemon-bs-charizard-004';
const UNPRICED = 'yugioh-lob-dark-magician-lob-005';

const NO_CONDITIONS = {
  near_mint: null,
  lightly_played: null,
  moderately_played: null,
  heavily_played: null,
  damaged: null,
};
const NO_GRADES = { psa_10: null, psa_9: null, bgs_9_5: null, cgc_9_5: null };
const HOLOFOIL = {
  market: 56.34,
  low: 31.98,
  mid: 55,
  high: 149.99,
  conditions: NO_CONDITIONS,
  graded: NO_GRADES,
  stale: false,
  changes: NO_CHANGES,
  confidence: { level: 'confirmed', sources: 1, observations: 1, interval: null },
};
const FIRST_EDITION = {
  ...HOLOFOIL,
  market: null,
  low: 999,
  mid: 999,
  high: 999,
  confidence: { level: 'thin', sources: 1, observations: 1, interval: null },
};
const OBSERVED = {
  sources: ['tcgplayer'],
  updatedAt: '2026-01-28T20:05:12Z',
  figuresAt: '2026-01-28T20:05:12Z',
  conditionsAt: null,
  gradedAt: null,
  origins: { figures: 'tcgplayer', conditions: null, graded: [] },
};

forEachEngine((label) => {
  const shared = shareService(label);

  describe('GET /v1/cards/{id}', () => {
    it('has every field and the prices of every printing', async () => {
      const caller = await shared.service.caller('free');
      const body = bodyOf<Detail>(await caller.get(`/v1/cards/${ALAKAZAM}`));
      assert.deepEqual(body, {
        data: {
          id: ALAKAZAM,
          name: 'Alakazam',
          game: 'pokemon',
          set: 'Base Set',
          setId: 'pokemon-base-set',
          setCode: 'BS',
          number: '001/102',
          rarity: 'Holo Rare',
          image: 'https://tcgplayer-cdn.tcgplayer.com/product/42346_in_1000x1000.jpg',
          externalIds: { tcgplayer: ['42346'] },
          links: [{ marketplace: 'tcgplayer', url: 'https://www.tcgplayer.com/product/42346' }],
          currency: 'USD',
          printing: 'Holofoil',
          prices: HOLOFOIL,
          printings: [
            { name: 'Holofoil', prices: HOLOFOIL, ...OBSERVED },
            { name: '1st Edition Holofoil', prices: FIRST_EDITION, ...OBSERVED },
          ],
          ...OBSERVED,
        },
      });
    });

    it('has null for every price that no source gives, and all fields', async () => {
      const caller = await shared.service.caller('free');
      const { data } = bodyOf<Detail>(await caller.get(`/v1/cards/${UNPRICED}`));
      const none = { market: null, low: null, mid: null, high: null };
      const amounts = { ...none, conditions: NO_CONDITIONS, graded: NO_GRADES };
      assert.deepEqual(data.prices, {
        ...amounts,
        stale: false,
        changes: NO_CHANGES,
        confidence: null,
      });
      assert.deepEqual(data.printings, []);
      assert.equal(data.printing, null);
      assert.deepEqual(data.sources, []);
      assert.equal(data.updatedAt, null);
      const priced = bodyOf<Detail>(await caller.get(`/v1/cards/${ALAKAZAM}`));
      assert.deepEqual(Object.keys(data), Object.keys(priced.data));
    });

    it('shows the plainest printing that has a market price', async () => {
      const caller = await shared.service.caller('free');
      const shown = async (id: string) => {
        const { data } = bodyOf<Detail>(await caller.get(`/v1/cards/${id}`));
        return [data.printing, data.prices.market];
      };
      assert.deepEqual(await shown('mtg-mh2-ragavan-nimble-pilferer-138'), ['Normal', 37.13]);
      assert.deepEqual(await shown('mtg-9ed-forest-350-star'), ['Foil', 1.1]);
      assert.deepEqual(await shown('pokemon-tr-abra-49'), ['Unlimited', 0.64]);
    });

    it('answers 404 for an unknown card, and names the id', async () => {
      const caller = await shared.service.caller('free');
      const error = errorOf(await caller.get('/v1/cards/pokemon-bs-mew-999'), 'CARD_NOT_FOUND');
      assert.equal(error.message, 'No card has the id "pokemon-bs-mew-999".');
    });
  });

  describe('POST /v1/cards/batch', () => {
    const post = async (ids: unknown) => {
      const caller = await shared.service.caller('trader');
      return caller.post(PATH_OF_BATCH, { ids });
    };

    it('has exactly the fields of a card in a batch', async () => {
      const body = bodyOf<Batch>(await post([CHARIZARD, UNPRICED]));
      assert.deepEqual(body, {
        data: [
          {
            id: CHARIZARD,
            name: 'Charizard',
            game: 'pokemon',
            setId: 'pokemon-base-set',
            setCode: 'BS',
            number: '004/102',
            printing: 'Holofoil',
            prices: {
              market: 453.86,
              stale: false,
              confidence: { level: 'confirmed', sources: 1, observations: 1 },
            },
          },
          {
            id: UNPRICED,
            name: 'Dark Magician',
            game: 'yugioh',
            setId: 'yugioh-legend-of-blue-eyes-white-dragon',
            setCode: 'LOB',
            number: 'LOB-005',
            printing: null,
            prices: { market: null, stale: false, confidence: null },
          },
        ],
      });
    });

    it('keeps the order and duplicates, leaves unknown ids out, and names them', async () => {
      const ids = [UNPRICED, 'no-such-card', CHARIZARD, UNPRICED, '', '__proto__'];
      const { data, missing } = bodyOf<Batch & { missing: string[] }>(await post(ids));
      assert.deepEqual(
        data.map((card) => card.id),
        [UNPRICED, CHARIZARD, UNPRICED],
      );
      assert.deepEqual(missing, ['no-such-card', '', '__proto__']);
      const [one, other] = [await post([CHARIZARD, 'x']), await post([CHARIZARD, 'y'])];
      assert.notEqual(one.headers.etag, other.headers.etag);
    });

    it('takes external ids among card ids, and says which of them found a card', async () => {
      const ids = [
        'tcgplayer:42382',
        CHARIZARD,
        'tcgplayer:1',
        'nothing:42382',
        'tcgplayer:42382:1',
      ];
      const { data, missing } = bodyOf<Batch & { missing: string[] }>(await post(ids));
      assert.deepEqual(
        data.map(({ id, requested }) => [id, requested]),
        [
          [CHARIZARD, 'tcgplayer:42382'],
          [CHARIZARD, undefined],
        ],
      );
      assert.deepEqual(missing, ids.slice(2));
      const { requested: _, ...rest } = data[0] ?? {};
      assert.deepEqual(rest, data[1]);
      const caller = await shared.service.caller('trader');
      const query = `ids=${ids.map(encodeURIComponent).join()}`;
      assert.deepEqual(bodyOf(await caller.get(`/v1/cards?${query}`)), { data, missing });
      const full = await caller.get(`/v1/cards?${query}&include=printings&currency=USD`);
      assert.equal(bodyOf<Batch>(full).data[0]?.requested, 'tcgplayer:42382');
      const table = await caller.get(`/v1/cards?${query}&format=csv`);
      const rows = table.body
        .trim()
        .split('\n')
        .map((line) => line.split(',').at(-1)?.trim());
      assert.deepEqual(rows, ['requested', 'tcgplayer:42382', CHARIZARD]);
    });

    it('takes up to 20 ids, and refuses 21 with its own error', async () => {
      assert.deepEqual(bodyOf<Batch>(await post([])), { data: [] });
      const twenty = bodyOf<Batch>(await post(Array(20).fill(CHARIZARD)));
      assert.equal(twenty.data.length, 20);
      const error = errorOf(await post(Array(21).fill(CHARIZARD)), 'BATCH_LIMIT_EXCEEDED');
      assert.equal(error.message, 'A batch holds at most 20 ids; 21 were sent.');
      assert.equal(error.details?.[0]?.parameter, 'ids');
    });

    it('is charged as one request for any number of ids', async () => {
      const caller = await shared.service.caller('trader');
      const answer = await caller.post(PATH_OF_BATCH, { ids: Array(20).fill(CHARIZARD) });
      assert.equal(answer.headers['x-ratelimit-remaining'], '9999');
    });
  });
});

describe('The body of POST /v1/cards/batch', () => {
  const shared = shareService('SQLite');
  const post = async (body: unknown, headers: Record<string, string> = {}) => {
    const caller = await shared.service.caller('trader');
    return caller.post(PATH_OF_BATCH, body, headers);
  };
  const assertRefused = async (body: unknown, parameter: string, message: string) => {
    const error = errorOf(await post(body), 'INVALID_BODY');
    assert.deepEqual(error.details, [{ parameter, message }]);
    assert.equal(
      error.message,
      `${parameter}: ${message} The body must be a JSON object with an array "ids" of card ids.`,
    );
  };

  it('is refused when it is not JSON', async () => {
    for (const text of ['{"ids":', 'ids=a', '{"ids":["a"]}}', "{'ids':[]}", '\ufeff\0']) {
      await assertRefused(text, 'body', 'is not valid JSON.');
    }
  });

  it('is refused when it is JSON of another shape', async () => {
    for (const text of ['[]', '["a"]', 'null', '1', '"ids"']) {
      await assertRefused(text, 'body', 'must be object.');
    }
    for (const ids of [null, 'a', { 0: 'a' }, 1]) {
      await assertRefused({ ids }, 'ids', 'must be array.');
    }
    for (const body of [{}, { id: ['a'] }, { IDS: [] }]) {
      await assertRefused(body, 'body', 'must have required properties ids.');
    }
  });

  it('is refused when an id is not a text, and the answer says which', async () => {
    for (const id of [1, null, true, ['a'], {}]) {
      await assertRefused({ ids: ['a', id] }, 'ids[1]', 'must be string.');
    }
  });

  it('may have additional members', async () => {
    assert.deepEqual(bodyOf(await post({ ids: [], comment: 'x' })), { data: [] });
  });

  it('is safe against member names with a meaning in JavaScript', async () => {
    await assertRefused('{"__proto__":{"ids":[]}}', 'body', 'is not valid JSON.');
  });

  it('is required', async () => {
    await assertRefused('', 'body', 'is empty.');
    const caller = await shared.service.caller('trader');
    errorOf(await caller.send('POST', PATH_OF_BATCH), 'INVALID_BODY');
  });

  it('must be declared as JSON', async () => {
    const body = JSON.stringify({ ids: [] });
    for (const type of ['text/plain', 'application/xml', 'multipart/form-data', 'nonsense']) {
      const error = errorOf(await post(body, { 'content-type': type }), 'UNSUPPORTED_MEDIA_TYPE');
      assert.match(error.message, /application\/json/);
    }
    const utf8 = { 'content-type': 'application/json; charset=utf-8' };
    assert.deepEqual(bodyOf(await post(body, utf8)), { data: [] });
  });

  it('is at most 64 KiB', async () => {
    const body = (bytes: number) => JSON.stringify({ ids: ['x'.repeat(bytes - 12)] });
    assert.equal(body(65_536).length, 65_536);
    assert.deepEqual(bodyOf<Batch>(await post(body(65_536))).data, []);
    for (const bytes of [65_537, 1_000_000]) {
      errorOf(await post(body(bytes)), 'PAYLOAD_TOO_LARGE');
    }
  });
});
