import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Static } from 'typebox';
import { GAMES } from '../../src/domain/games.ts';
import type { ResolvedItem } from '../../src/http/resolve-schemas.ts';
import { resolverOf } from '../../src/http/resources.ts';
import { importFixtures, Service, shareService } from '../support/app.ts';
import { createDatabase, forEachEngine } from '../support/engines.ts';
import { JSON_TYPE, parseDocument, resolve as withoutReferences } from './document.ts';
import { bodyOf, errorOf, remainingOf } from './expect.ts';

type Answer = Static<typeof ResolvedItem>;

const SLUGS = GAMES.map(({ slug }) => slug);
const PATH = '/v1/resolve';
const CHARIZARD = { name: 'Charizard', set: 'Base Set', number: '4/102' };
const CHARIZARD_ID = 'pokemon-bs-charizard-004';
const HINT =
  'The body must be a JSON object with an array "items" of texts or objects that describe cards.';

async function resolveItems(service: Service, items: readonly unknown[]): Promise<Answer[]> {
  const caller = await service.caller('trader');
  return bodyOf<{ data: Answer[] }>(await caller.post(PATH, { items })).data;
}

forEachEngine((label) => {
  const shared = shareService(label);
  const resolve = (...items: unknown[]) => resolveItems(shared.service, items);

  describe('POST /v1/resolve', () => {
    it('answers from one publication when another one is loaded in the meantime', async () => {
      const { location, remove } = await createDatabase(label);
      await importFixtures(location);
      let lists = 0;
      const service: Service = await Service.open(location, {
        resolver: {
          async resolveAny(items, options) {
            lists += 1;
            const found = await resolverOf(service.catalog).resolveAny(items, options);
            if (lists === 1) await publishAnother();
            return found;
          },
        },
      });
      async function publishAnother() {
        await importFixtures(location, {
          observedAt: Date.UTC(2026, 0, 29),
          change: (path, text) =>
            path.endsWith('3/604/prices') ? text.replaceAll('453.86', '460.01') : text,
        });
        await service.catalog.refresh();
      }
      const [answer] = await resolveItems(service, [CHARIZARD]);
      assert.deepEqual([lists, answer?.market], [2, 460.01]);
      await resolveItems(service, [CHARIZARD]);
      assert.equal(lists, 3);
      await service.close();
      await remove();
    });

    it('answers each item in order: the card, several candidates, or that there is none', async () => {
      const [matched, ambiguous, unknown] = await resolve(
        CHARIZARD,
        { name: 'Forest' },
        'Zzyzx of Nowhere',
      );
      assert.equal(matched?.status, 'matched');
      assert.deepEqual(Object.keys(matched).sort(), [
        'card',
        'condition',
        'confidence',
        'grade',
        'market',
        'priceConfidence',
        'priceOf',
        'printing',
        'quantity',
        'reasons',
        'status',
      ]);
      assert.equal(matched.card?.id, CHARIZARD_ID);
      assert.equal(matched.printing, 'Holofoil');
      assert.deepEqual([matched.quantity, matched.condition, matched.grade], [1, null, null]);
      assert.ok(matched.reasons.length > 0);

      assert.equal(ambiguous?.status, 'ambiguous');
      assert.deepEqual(Object.keys(ambiguous).sort(), [
        'candidateCount',
        'candidates',
        'reasons',
        'status',
      ]);
      for (const { name, reasons } of ambiguous.candidates ?? []) {
        assert.equal(name, 'Forest');
        assert.ok(reasons.length > 0);
      }
      assert.equal(unknown?.status, 'unknown');
      assert.ok(unknown.reasons.length > 0);
    });

    it('gives the price of the printing that is meant', async () => {
      const caller = await shared.service.caller('trader');
      const { data } = (await caller.get('/v1/cards/pokemon-tr-abra-49')).json();
      const abra = { name: 'Abra', set: 'Team Rocket', number: '49' };
      assert.equal(data.printings.length, 2);
      for (const { name: printing, prices } of data.printings) {
        const [matched] = await resolve({ ...abra, printing });
        assert.deepEqual([matched?.printing, matched?.market], [printing, prices.market]);
      }
    });

    it('describes cards as a batch does, with the facts of their pictures', async () => {
      const [matched] = await resolve(CHARIZARD);
      const caller = await shared.service.caller('trader');
      const batch = await caller.post('/v1/cards/batch', { ids: [CHARIZARD_ID] });
      const { data } = (await caller.get(`/v1/cards/${CHARIZARD_ID}`)).json();
      const { set, rarity, image } = data;
      assert.deepEqual(matched?.card, { ...batch.json().data[0], set, rarity, image });
    });

    it('lists as many candidates as the caller asks for, and says how many there are', async () => {
      const caller = await shared.service.caller('trader');
      const candidatesOf = async (maxCandidates?: number) => {
        const body = { items: ['Forest'], ...(maxCandidates && { maxCandidates }) };
        const [answer] = bodyOf<{ data: Answer[] }>(await caller.post(PATH, body)).data;
        const { candidates = [], candidateCount } = answer ?? {};
        return [candidates.length, candidateCount];
      };
      const [, count = 0] = await candidatesOf();
      assert.ok(count > 1);
      assert.deepEqual(await candidatesOf(1), [1, count]);
      assert.deepEqual(await candidatesOf(2500), [count, count]);
    });

    it('finds cards by their external ids, as a text or a number', async () => {
      const row = await shared.service.store.db
        .selectFrom('card_external_ids')
        .innerJoin('cards', 'cards.id', 'card_external_ids.card_id')
        .where('public_id', '=', CHARIZARD_ID)
        .select('external_id')
        .executeTakeFirstOrThrow();
      const id = row.external_id;
      const answers = await resolve({ tcgplayer: id }, { tcgplayer: Number(id) });
      for (const { status, card } of answers) {
        assert.equal(status, 'matched');
        assert.equal(card?.id, CHARIZARD_ID);
      }
      const strange = ['0', 'x', '\0', '\ud800', "' or 1=1 --", '9'.repeat(200)];
      const unknown = strange.map((other) => ({
        tcgplayer: other,
        scryfall: other,
        quotes: other,
      }));
      for (const { status } of await resolve(...unknown)) assert.equal(status, 'unknown');
    });

    it('answers 500 items, also the same ones', async () => {
      const answers = await resolve(...Array(500).fill(CHARIZARD));
      assert.equal(answers.length, 500);
      assert.ok(answers.every(({ card }) => card?.id === CHARIZARD_ID));
    });
  });
});

describe('An item of POST /v1/resolve', () => {
  const shared = shareService('SQLite');
  const resolve = (...items: unknown[]) => resolveItems(shared.service, items);

  it('that is invalid is unknown, with the reason, and the others are answered', async () => {
    const answers = await resolve(
      '',
      ' \t\n',
      {},
      { name: null, set: ' ' },
      { ...CHARIZARD, game: 'chess' },
      { ...CHARIZARD, year: '99' },
      { ...CHARIZARD, quantity: 'many' },
      { name: 'x'.repeat(10_000) },
      CHARIZARD,
    );
    assert.equal(answers.pop()?.card?.id, CHARIZARD_ID);
    for (const { status, candidates } of answers) {
      assert.equal(status, 'unknown');
      assert.deepEqual(candidates, []);
    }
    assert.deepEqual(
      answers.map(({ reasons }) => reasons.join()),
      [
        ...Array(4).fill('The item is empty.'),
        `game: "chess" is not allowed; it must be one of ${SLUGS.join(', ')}.`,
        'year: "99" is not allowed; it must be a year of four digits.',
        'quantity: "many" is not allowed; it must be a number.',
        'name: it has 10000 characters; at most 200 are read.',
      ],
    );
  });

  it('is unknown with the reason when its quantity is none, or its line is too long', async () => {
    const quantities = [0, -1, 1e9, 2.5, '0'].map((quantity) => ({ ...CHARIZARD, quantity }));
    const lines = ['x'.repeat(10_000), { text: 'リ'.repeat(10_000) }, '\0\x01\x02\ufffd'];
    for (const { status, reasons } of await resolve(...quantities, ...lines)) {
      assert.equal(status, 'unknown');
      assert.ok(reasons.length > 0);
    }
  });

  it('may have every member that the reference lists, each at its own', async () => {
    const document = parseDocument((await shared.service.get('/openapi.json')).body);
    const body = document.paths[PATH]?.post?.requestBody?.content[JSON_TYPE];
    const schema = withoutReferences(document, body?.schema ?? assert.fail('no body'));
    const members = Object.keys(schema.properties?.items?.items?.properties ?? {});
    for (const member of ['text', 'name', 'quantity', 'tcgplayer', 'scryfall', 'pricecharting']) {
      assert.ok(members.includes(member), member);
    }
    const answers = await resolve(...members.map((member) => ({ [member]: 'zzzz' })));
    for (const { status } of answers) assert.equal(status, 'unknown');
  });

  it('may have numbers for texts, texts for numbers, and other cases of the game', async () => {
    const answers = await resolve(
      { ...CHARIZARD, number: 4, game: 'Pokemon', quantity: '3', year: 1999 },
      { ...CHARIZARD, number: '4/102', quantity: 3, year: '1999', language: null },
    );
    for (const { card, quantity } of answers) {
      assert.deepEqual([card?.id, quantity], [CHARIZARD_ID, 3]);
    }
  });
});

describe('The body of POST /v1/resolve', () => {
  const shared = shareService('SQLite');
  const post = async (body: unknown, headers: Record<string, string> = {}) => {
    const caller = await shared.service.caller('trader');
    return caller.post(PATH, body, headers);
  };
  const assertRefused = async (body: unknown, parameter: string, message: string | RegExp) => {
    const answer = await post(body);
    const error = errorOf(answer, 'INVALID_BODY');
    const [detail] = error.details ?? [];
    assert.equal(detail?.parameter, parameter);
    assert.match(detail.message, typeof message === 'string' ? RegExp(`^${message}$`) : message);
    assert.ok(error.message.endsWith(` ${HINT}`), error.message);
    assert.equal(remainingOf(answer), 9999);
  };

  it('is refused as a whole when it is of another shape, and charged as one request', async () => {
    for (const text of ['{"items":', '\ufeff\0', "{'items':[]}"]) {
      await assertRefused(text, 'body', 'is not valid JSON.');
    }
    for (const text of ['[]', 'null', '1', '"a"']) {
      await assertRefused(text, 'body', 'must be object.');
    }
    await assertRefused('', 'body', 'is empty.');
    await assertRefused({}, 'body', 'must have required properties items.');
    await assertRefused({ items: 'a' }, 'items', 'must be array.');
    await assertRefused({ items: [] }, 'items', 'must have at least one item.');
    await assertRefused({ items: ['a'], gmae: 'mtg' }, 'body', 'has the unknown member "gmae".');
    await assertRefused({ items: ['a'], game: 1 }, 'game', 'must be string.');
    await assertRefused(
      { items: ['a'], game: 'chess' },
      'game',
      /^"chess" is not allowed; it must be/,
    );
    await assertRefused({ items: ['a'], maxCandidates: 0 }, 'maxCandidates', /must be >= 1/);
    await assertRefused({ items: ['a'], maxCandidates: 2501 }, 'maxCandidates', /must be <= 2500/);
    await assertRefused({ items: ['a'], maxCandidates: '5' }, 'maxCandidates', 'must be integer.');
    await assertRefused({ items: ['a'], constructor: 1 }, 'body', /unknown member "constructor"/);
  });

  it('asks for at most 2,500 candidates', async () => {
    const answer = await post({ items: Array(500).fill('a'), maxCandidates: 6 });
    const { message, details } = errorOf(answer, 'BATCH_LIMIT_EXCEEDED');
    assert.equal(
      message,
      'An answer has at most 2500 candidates; 500 items with 6 each may have 3000.',
    );
    assert.equal(details?.[0]?.parameter, 'maxCandidates');
  });

  it('is refused as a whole when an item is of another shape, and the answer says which', async () => {
    for (const item of [1, null, true, ['a']]) {
      await assertRefused({ items: ['a', item] }, 'items[1]', 'must be a text or an object.');
    }
    for (const set of [true, {}, ['a']]) {
      const items = ['a', 'b', { name: 'a', set }];
      await assertRefused({ items }, 'items[2].set', 'must be a text or a number.');
    }
    const unknown = /^has the unknown member "nme"; it may have text, name, .*, tcgplayer, .*\.$/;
    await assertRefused({ items: [{ nme: 'a' }] }, 'items[0]', unknown);
    await assertRefused({ items: [{ 'a\0': 1 }] }, 'items[0]', /unknown member "a\ufffd"/);
  });

  it('holds at most 500 items', async () => {
    const answer = await post({ items: Array(501).fill('a') });
    const { message, details } = errorOf(answer, 'BATCH_LIMIT_EXCEEDED');
    assert.equal(message, 'A request holds at most 500 items; 501 were sent.');
    assert.equal(details?.[0]?.parameter, 'items');
    assert.equal(remainingOf(answer), 9999);
  });

  it('is at most 500 KiB, which other endpoints do not read', async () => {
    const body = (bytes: number) => JSON.stringify({ items: ['x'.repeat(bytes - 14)] });
    assert.equal(body(512_000).length, 512_000);
    assert.equal((await post(body(512_000))).statusCode, 200);
    const { message } = errorOf(await post(body(512_001)), 'PAYLOAD_TOO_LARGE');
    assert.equal(message, 'The body may be at most 512000 bytes.');
    const caller = await shared.service.caller('trader');
    const batch = await caller.post('/v1/cards/batch', body(65_537));
    assert.equal(
      errorOf(batch, 'PAYLOAD_TOO_LARGE').message,
      'The body may be at most 65536 bytes.',
    );
  });

  it('must be declared as JSON', async () => {
    const items = JSON.stringify({ items: ['a'] });
    errorOf(await post(items, { 'content-type': 'text/csv' }), 'UNSUPPORTED_MEDIA_TYPE');
  });

  it('may be any text, and is never a failure of ours', async () => {
    const texts = ['%', '\\', '((((', '[[[', '*F*'.repeat(100), '4x', '// Sideboard', '#', '😀'];
    const items = [
      ...texts,
      'リザードン',
      '__proto__',
      'constructor',
      '\u202eabc',
      '1 '.repeat(400),
    ];
    const answer = await post({ items });
    assert.equal(bodyOf<{ data: Answer[] }>(answer).data.length, items.length);
  });
});
