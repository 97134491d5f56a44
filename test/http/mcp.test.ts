import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import {
  type CallToolResult,
  Client,
  type FetchLike,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { fitted, MAX_BYTES, provenance } from '../../src/http/mcp/answer.ts';
import { type AppChanges, type HistoryDay, type Service, shareService } from '../support/app.ts';
import { errorOf, remainingOf } from './expect.ts';

const SITE = 'https://cards.example';
const CHARIZARD = 'pokemon-bs-charizard-004';
const PAST: readonly HistoryDay[] = [
  ['2025-06-01', 20_000],
  ['2025-12-29', 40_000],
  ['2026-01-22', 50_100],
];

/** Arguments with which each tool has an answer, in the order of the list. */
const INPUTS: Readonly<Record<string, Record<string, unknown>>> = {
  search: { query: 'charizard 4/102', game: 'pokemon' },
  card: { id: CHARIZARD },
  history: { id: CHARIZARD, period: 'all' },
  statistics: { id: CHARIZARD },
  explain: { id: CHARIZARD },
  movers: { game: 'pokemon', min: 0.5 },
  sets: { game: 'pokemon', query: 'base' },
  resolve: { items: ['Charizard Base Set 4/102', 'Forest', 'Zzyzx of Nowhere'] },
};

/** Clients of the former version of the protocol do not negotiate. */
const MODES = { current: 'auto', former: 'legacy' } as const;

const HEADERS = { accept: 'application/json, text/event-stream' };

describe('the provenance of a price', () => {
  it('has its day and its marketplaces, as far as they are known', () => {
    const day = '2026-01-28';
    const both = provenance(day, ['tcgplayer', 'cardmarket']);
    assert.equal(both, ', as of 2026-01-28, from tcgplayer and cardmarket');
    assert.equal(provenance(day), ', as of 2026-01-28');
    assert.equal(provenance(null, ['tcgplayer']), ', from tcgplayer');
    assert.equal(provenance(null), '');
  });
});

describe('/mcp', () => {
  const shared = shareService('SQLite', { publicUrl: SITE });
  const others: Service[] = [];
  const urls: string[] = [];
  before(async () => {
    await shared.service.remember(CHARIZARD, 'Holofoil', PAST);
    others.push(await shared.service.another(shared.location, { publicUrl: SITE }));
    others.push(await shared.service.another(shared.location, { publicUrl: SITE }));
    for (const service of [shared.service, ...others]) urls.push(await listen(service));
  });
  after(() => Promise.all(others.map((service) => service.close())));

  /** Connects the official client. Each of its requests goes to the next process. */
  async function connect(key: string, version: keyof typeof MODES = 'current'): Promise<Client> {
    let next = 0;
    const fetchNext: FetchLike = (url, init) => {
      next += 1;
      return fetch(`${urls[next % urls.length]}${new URL(url).pathname}`, init);
    };
    const transport = new StreamableHTTPClientTransport(new URL(`${urls[0]}/mcp`), {
      fetch: fetchNext,
      requestInit: { headers: { 'X-API-Key': key } },
    });
    const versionNegotiation = { mode: MODES[version] };
    const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation });
    await client.connect(transport);
    return client;
  }

  async function call(name: string, input: Record<string, unknown>, plan = 'trader') {
    const client = await connect((await shared.service.caller(plan)).key);
    const result = await client.callTool({ name, arguments: input });
    await client.close();
    return result;
  }

  for (const version of ['current', 'former'] as const) {
    it(`serves clients of the ${version} version of the protocol by turns from three processes`, async () => {
      const client = await connect((await shared.service.caller('trader')).key, version);
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.map(({ name }) => name),
        Object.keys(INPUTS),
      );
      for (const [name, input] of Object.entries(INPUTS)) {
        // The client holds the answer against the output schema.
        const result = await client.callTool({ name, arguments: input });
        assert.ok(!result.isError, textOf(result));
        assert.ok(result.structuredContent, name);
      }
      await client.close();
    });
  }

  it('describes each tool, which only reads, and names its arguments and their bounds', async () => {
    const client = await connect((await shared.service.caller('free')).key);
    const { tools } = await client.listTools();
    for (const { title, description = '', annotations, inputSchema, outputSchema } of tools) {
      assert.ok(title && description.length > 50, title);
      assert.equal(inputSchema.additionalProperties, false);
      assert.equal(outputSchema?.type, 'object');
      assert.deepEqual(annotations, {
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
    }
    await client.close();
  });

  it('finds a card with its price, its day, its marketplaces and a link to its page', async () => {
    const result = await call('card', { id: CHARIZARD });
    const url = `${SITE}/cards/${CHARIZARD}`;
    const { printings, ...facts } = result.structuredContent as { printings: unknown };
    assert.deepEqual(facts, {
      id: CHARIZARD,
      name: 'Charizard',
      game: 'pokemon',
      set: 'Base Set',
      number: '004/102',
      rarity: 'Holo Rare',
      printing: 'Holofoil',
      price: 453.86,
      currency: 'USD',
      confidence: 'confirmed',
      asOf: '2026-01-28',
      sources: ['tcgplayer'],
      url,
      change: { '1d': null, '7d': null, '30d': null },
      printingCount: 1,
    });
    assert.deepEqual(printings, [
      {
        name: 'Holofoil',
        market: 453.86,
        low: 330.04,
        mid: 499.5,
        high: 1249.99,
        conditions: {},
        graded: {},
        asOf: '2026-01-28',
        sources: ['tcgplayer'],
      },
    ]);
    assert.equal(
      textOf(result),
      `Charizard (Base Set 004/102, Holofoil): $453.86, confirmed, as of 2026-01-28, from tcgplayer. ${url}\n` +
        'Holofoil: market $453.86, low $330.04.',
    );
  });

  it('finds the price of a card on a day, with the day of that price', async () => {
    const result = await call('card', { id: CHARIZARD, asOf: '2025-12-31' });
    assert.equal(
      textOf(result),
      'Charizard (Base Set 004/102, Holofoil): $400.00, as of 2025-12-29, from tcgplayer. ' +
        `${SITE}/cards/${CHARIZARD}\nHolofoil: market $400.00.`,
    );
    const refused = await call('card', { id: CHARIZARD, asOf: '2025-12-31' }, 'free');
    assert.match(textOf(refused), /^Price history requires the Trader plan or above/);
    const wrong = await call('card', { id: CHARIZARD, asOf: 'yesterday' });
    assert.match(textOf(wrong), /"yesterday" is not a day such as 2026-01-28/);
  });

  it('sums up the history of a card', async () => {
    const result = await call('statistics', { id: CHARIZARD });
    assert.match(
      textOf(result),
      /^Prices of pokemon-bs-charizard-004, Holofoil, as of 2026-01-28, from tcgplayer\.$/m,
    );
    assert.match(
      textOf(result),
      /^1y: \$200\.00 \(2025-06-01\) to \$501\.00 \(2026-01-22\), mean \$388\.72, 4 days\.$/m,
    );
  });

  it('sums up only as long a period as it is asked for', async () => {
    const { structuredContent } = await call('statistics', { id: CHARIZARD, period: '30d' });
    const { periods } = structuredContent as { periods: Record<string, { days: number }> };
    assert.deepEqual(Object.keys(periods), ['7d', '30d']);
    assert.equal(periods['30d']?.days, 2);
  });

  it('searches with the day and the marketplaces of each price, and says how to go on', async () => {
    const result = await call('search', { query: 'charizard', limit: 1 });
    const [found] = (result.structuredContent as { cards: Record<string, unknown>[] }).cards;
    assert.deepEqual([found?.id, found?.asOf], [CHARIZARD, '2026-01-28']);
    assert.deepEqual(found?.sources, ['tcgplayer']);
    assert.match(
      textOf(result),
      /^1\. Charizard \(.+\): \$453\.86, confirmed, as of 2026-01-28, from tcgplayer\. https:.+\n\d+ more: repeat the search with offset 1\.$/m,
    );
  });

  it('lists five cards, or ten sets, unless it is asked for more', async () => {
    const countOf = async (name: string, list: string, input: Record<string, unknown>) => {
      const { structuredContent } = await call(name, input);
      return (structuredContent as Record<string, unknown[]>)[list]?.length;
    };
    assert.equal(await countOf('search', 'cards', { query: 'game:pokemon' }), 5);
    assert.equal(await countOf('search', 'cards', { query: 'game:pokemon', limit: 7 }), 7);
    assert.equal(await countOf('sets', 'sets', {}), 10);
    const client = await connect((await shared.service.caller('trader')).key);
    const { tools } = await client.listTools();
    await client.close();
    const defaults = ['search', 'sets'].map((tool) => {
      const { inputSchema } = tools.find(({ name }) => name === tool) ?? assert.fail();
      return String((inputSchema.properties?.limit as { description?: string })?.description);
    });
    assert.deepEqual(
      defaults.map((text) => /(\d+) by default/.exec(text)?.[1]),
      ['5', '10'],
    );
  });

  it('gives the value of each set that has prices', async () => {
    const result = await call('sets', { game: 'pokemon', query: 'base' });
    assert.match(textOf(result), /^1\. .*Base Set.* \(.+\): \d+ cards, \$[\d.,]+\. https:/m);
    const { sets } = result.structuredContent as { sets: { value: number | null }[] };
    assert.ok(sets.some(({ value }) => value !== null));
  });

  it('finds sealed products, and says in a search for cards that there are some', async () => {
    const cards = await call('search', { query: 'base set booster pack' });
    assert.match(textOf(cards), /Search with the kind product for sealed products: \d+ match\./);
    const query = 'booster pack';
    const { structuredContent } = await call('search', { query, kind: 'product' });
    const [first] = (structuredContent as { cards: { url: string }[] }).cards;
    assert.match(String(first?.url), /^https:\/\/cards\.example\/products\/pokemon-/);
  });

  it('says which card a line means, which it may mean, and that none fits', async () => {
    const { structuredContent, content } = await call('resolve', INPUTS.resolve ?? {});
    assert.match(
      textOf({ content }),
      /^"Charizard Base Set 4\/102": Charizard \(.+\), \$453\.86, as of 2026-01-28, from tcgplayer\. https:/,
    );
    const { results } = structuredContent as {
      results: { status: string; card?: { id: string }; candidates?: unknown[] }[];
    };
    assert.deepEqual(
      results.map(({ status, card, candidates }) => [status, card?.id, candidates?.length]),
      [
        ['matched', CHARIZARD, undefined],
        ['ambiguous', undefined, 3],
        ['unknown', undefined, 0],
      ],
    );
  });

  it('refuses what the plan does not include, with the name of the plan that does', async () => {
    const messages = new Map<string, string>();
    for (const name of ['history', 'statistics', 'explain', 'resolve']) {
      const result = await call(name, INPUTS[name] ?? {}, 'free');
      assert.equal(result.isError, true);
      messages.set(name, textOf(result));
    }
    assert.deepEqual(Object.fromEntries(messages), {
      history: 'Price history requires the Trader plan or above. (PLAN_RESTRICTION)',
      statistics: 'Price history requires the Trader plan or above. (PLAN_RESTRICTION)',
      explain: 'The explanation of prices requires the Trader plan or above. (PLAN_RESTRICTION)',
      resolve: 'The resolver requires the Trader plan or above. (PLAN_RESTRICTION)',
    });
  });

  it('charges a call of a tool as one request, and nothing else', async () => {
    const caller = await shared.service.caller('free');
    const client = await connect(caller.key);
    await client.listTools();
    await client.callTool({ name: 'search', arguments: { query: 'charizard' } });
    await client.callTool({ name: 'card', arguments: { id: CHARIZARD } });
    assert.equal(remainingOf(await caller.get('/v1/games')), 200 - 3);
    await caller.spend(197);
    const refused = await client.callTool({ name: 'card', arguments: { id: CHARIZARD } });
    assert.equal(refused.isError, true);
    assert.match(
      textOf(refused),
      /^The daily quota of 200 requests is used up\. It resets at midnight UTC\. Try again in \d+ s\. \(RATE_LIMIT_EXCEEDED\)$/,
    );
    await client.close();
  });

  it('honours the scopes and the addresses of an API key', async () => {
    const caller = await shared.service.caller('trader');
    await shared.service.keys.update(caller.keyId, { name: 'assistant', scopes: ['read'] });
    const client = await connect(caller.key);
    const refused = await client.callTool({ name: 'resolve', arguments: { items: ['Forest'] } });
    assert.match(textOf(refused), /needs the scope "bulk", which the key does not have/);
    await client.close();
    await shared.service.keys.update(caller.keyId, { addresses: ['203.0.113.7'] });
    errorOf(await caller.post('/mcp', LIST, HEADERS), 'KEY_RESTRICTION');
  });

  it('describes what is wrong with arguments, and charges nothing for them', async () => {
    const wrong: readonly (readonly [string, Record<string, unknown>, RegExp])[] = [
      ['card', {}, /id\b.*The arguments are id, asOf, currency\./],
      [
        'card',
        { id: CHARIZARD, printing: 'Foil' },
        /printing: is not an argument\. The arguments are id, asOf, currency\./,
      ],
      ['card', { id: 7 }, /id: must be string\./],
      ['card', { id: 'x'.repeat(201) }, /id: must not have more than 200 characters\./],
      ['search', { query: 'x', limit: 11 }, /limit: must be <= 10\./],
      ['search', { query: 'x', game: 'chess' }, /game: must be equal to one of/],
      ['resolve', { items: [] }, /items: /],
      ['resolve', { items: Array(21).fill('Forest') }, /items: /],
    ];
    const caller = await shared.service.caller('trader');
    const client = await connect(caller.key);
    for (const [name, input, message] of wrong) {
      const result = await client.callTool({ name, arguments: input });
      assert.equal(result.isError, true);
      assert.match(textOf(result), message);
    }
    assert.equal(remainingOf(await caller.get('/v1/games')), 10_000 - 1);
    const unknown = await client.callTool({ name: 'card', arguments: { id: '../sets?x=1#' } });
    assert.equal(textOf(unknown), 'No card has the id "../sets?x=1#". (CARD_NOT_FOUND)');
    const printing = { id: CHARIZARD, printing: 'Foil' };
    const foil = await client.callTool({ name: 'history', arguments: printing });
    assert.match(textOf(foil), /"Foil" is not a printing of this card; its printings: Holofoil\./);
    await assert.rejects(client.callTool({ name: 'delete', arguments: {} }), /delete not found/);
    await client.close();
  });

  it('refuses requests without a key that works, and other methods', async () => {
    const { service } = shared;
    const post = (headers: Record<string, string>, payload = JSON.stringify(LIST)) => {
      const all = { 'content-type': 'application/json', ...HEADERS, ...headers };
      return service.app.inject({ method: 'POST', url: '/mcp', headers: all, payload });
    };
    errorOf(await post({}), 'MISSING_API_KEY');
    errorOf(await post({ 'x-api-key': 'cp_live_wrong' }), 'INVALID_API_KEY');
    const { key } = await service.caller();
    const sent = { authorization: `Bearer ${key}` };
    assert.equal((await post(sent)).statusCode, 200);
    errorOf(await post({ ...sent, origin: 'https://elsewhere.example' }), 'FORBIDDEN');
    errorOf(await post(sent, '{"jsonrpc":'), 'INVALID_BODY');
    errorOf(await post(sent, `"${'x'.repeat(70_000)}"`), 'PAYLOAD_TOO_LARGE');
    errorOf(await post({ ...sent, 'content-type': 'text/plain' }), 'UNSUPPORTED_MEDIA_TYPE');
    for (const body of ['7', 'null', '{}', '[]', '{"jsonrpc":"2.0","id":1}']) {
      assert.equal((await post(sent, body)).statusCode, 400, body);
    }
    const batch = (length: number) => JSON.stringify(Array(length).fill(LIST));
    assert.equal((await post(sent, batch(20))).statusCode, 200);
    errorOf(await post(sent, batch(21)), 'BATCH_LIMIT_EXCEEDED');
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE'] as const) {
      const answer = await service.app.inject({ method, url: '/mcp', headers: sent });
      assert.deepEqual([answer.statusCode, answer.headers.allow], [405, 'POST']);
    }
  });

  it('takes the key from the query only where that is allowed', async () => {
    const { key } = await shared.service.caller();
    const headers = { 'content-type': 'application/json', ...HEADERS };
    const request = { method: 'POST', url: `/mcp?api_key=${key}`, headers } as const;
    const payload = JSON.stringify(LIST);
    assert.equal((await shared.service.app.inject({ ...request, payload })).statusCode, 200);
    const strict = await shared.service.another(shared.location, { queryKeys: false });
    errorOf(await strict.app.inject({ ...request, payload }), 'MISSING_API_KEY');
    await strict.close();
  });

  it('keeps no stream open', async () => {
    const client = await connect((await shared.service.caller()).key);
    await assert.rejects(client.listen({ toolsListChanged: true }), /Subscription limit reached/);
    await client.close();
  });

  it('reports an internal failure without details, and logs it', async () => {
    const failing: AppChanges = {
      observations: async () => {
        throw new Error('disk on fire');
      },
    };
    const service = await shared.service.another(shared.location, failing);
    const body = {
      ...LIST,
      method: 'tools/call',
      params: { name: 'explain', arguments: { id: CHARIZARD } },
    };
    const caller = (await shared.service.caller('trader')).at(service);
    const answer = await caller.post('/mcp', body, HEADERS);
    assert.match(answer.body, /Something went wrong on our side.*INTERNAL_ERROR/);
    assert.ok(!answer.body.includes('disk'));
    assert.ok(service.log.some((line) => line.includes('disk on fire')));
    await service.close();
  });
});

describe('answers of tools', () => {
  it('have as many items as fit into 4 kB, and are called with the rest missing', () => {
    const items = Array.from({ length: 500 }, (_, index) => `card ${index} — ☃`);
    const answer = fitted(items, (shown) => ({
      data: { shown },
      text: `${items.length - shown.length} more`,
    }));
    const size = Buffer.byteLength(JSON.stringify(answer));
    assert.ok(size > MAX_BYTES - 100 && size < 4000, String(size));
    assert.equal(answer.text, `${500 - answer.data.shown.length} more`);
  });

  it('are tried with few numbers of items, however long the history is', () => {
    const days = Array.from({ length: 4000 }, (_, index) => index);
    let tries = 0;
    const answer = fitted(days, (shown) => {
      tries += 1;
      return { data: { shown }, text: '' };
    });
    assert.deepEqual(answer.data.shown, days.slice(0, answer.data.shown.length));
    assert.ok(tries <= 14, String(tries));
  });
});

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

async function listen(service: Service): Promise<string> {
  await service.app.listen({ host: '127.0.0.1', port: 0 });
  return `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`;
}

function textOf({ content: [first] }: CallToolResult): string {
  return first?.type === 'text' ? first.text : assert.fail('the answer has no text');
}
