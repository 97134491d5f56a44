import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { shareService } from '../support/app.ts';
import { run } from '../support/cli.ts';
import { createDatabase } from '../support/engines.ts';
import { examplesIn } from '../support/examples.ts';
import { MAIN } from '../support/main-module.ts';

const CHARIZARD = 'pokemon-bs-charizard-004';
const TOOLS = ['search', 'card', 'history', 'statistics', 'explain', 'movers', 'sets', 'resolve'];

describe('cardprice mcp', () => {
  const shared = shareService('SQLite');
  let url = '';
  before(async () => {
    await shared.service.app.listen({ host: '127.0.0.1', port: 0 });
    url = `http://127.0.0.1:${(shared.service.app.server.address() as AddressInfo).port}`;
  });

  /** Starts the program as an assistant does, with the official client. */
  async function start(
    args: readonly string[],
    { mode, env = {} }: { mode: 'auto' | 'legacy'; env?: Record<string, string> },
  ): Promise<Client> {
    const command = { command: process.execPath, args: [MAIN, 'mcp', ...args] };
    const transport = new StdioClientTransport({ ...command, env, stderr: 'inherit' });
    const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
    await client.connect(transport);
    after(() => client.close());
    return client;
  }

  async function ask(client: Client, name: string, input: Record<string, unknown>) {
    const { content, isError = false } = await client.callTool({ name, arguments: input });
    const [first] = content;
    return [isError, first?.type === 'text' ? first.text : undefined];
  }

  for (const mode of ['auto', 'legacy'] as const) {
    it(`answers from the database without a key, to a client that starts it (${mode})`, async () => {
      const client = await start(['--database', shared.location], { mode });
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.map(({ name }) => name),
        TOOLS,
      );
      assert.deepEqual(await ask(client, 'card', { id: CHARIZARD }), [
        false,
        'Charizard (Base Set 004/102, Holofoil): $453.86, stale, as of 2026-01-28, from tcgplayer. ' +
          `http://127.0.0.1:8080/cards/${CHARIZARD}\nHolofoil: market $453.86, low $330.04.`,
      ]);
      const [isRefused, text] = await ask(client, 'statistics', { id: CHARIZARD });
      assert.ok(!isRefused, String(text));
    });
  }

  it('asks another service with the key of the environment, whose plan holds', async () => {
    const { key } = await shared.service.caller('free');
    const env = { CARDPRICE_API_KEY: key };
    const client = await start(['--url', url], { mode: 'auto', env });
    const [, text] = await ask(client, 'search', { query: 'charizard 4/102', limit: 1 });
    assert.match(String(text), /^1\. Charizard \(Base Set 004\/102, Holofoil\): \$453\.86/m);
    assert.ok(String(text).includes(`${url}/cards/${CHARIZARD}`));
    assert.deepEqual(await ask(client, 'history', { id: CHARIZARD }), [
      true,
      'Price history requires the Trader plan or above. (PLAN_RESTRICTION)',
    ]);
  });

  it('says that a service does not answer, and goes on', async () => {
    const env = { CARDPRICE_API_KEY: 'cp_live_x' };
    const client = await start(['--url', 'http://127.0.0.1:9'], { mode: 'legacy', env });
    const [isError, text] = await ask(client, 'card', { id: CHARIZARD });
    assert.equal(isError, true);
    assert.match(String(text), /^http:\/\/127\.0\.0\.1:9 does not answer: .+\.$/);
    assert.equal((await client.listTools()).tools.length, TOOLS.length);
  });

  it('does not start without cards, without a key, or with another kind of address', async () => {
    const { location, remove } = await createDatabase('SQLite');
    await run(['migrate', '--database', location]);
    const empty = await run(['mcp', '--database', location]);
    assert.deepEqual([empty.code, empty.out], [1, '']);
    assert.match(empty.err, /The database has no cards/);
    await remove();
    const keyless = await run(['mcp', '--url', url], { env: { CARDPRICE_API_KEY: '' } });
    assert.deepEqual([keyless.code, keyless.out], [1, '']);
    assert.match(keyless.err, /Set CARDPRICE_API_KEY/);
    const file = await run(['mcp', '--url', 'file:///etc/passwd']);
    assert.deepEqual([file.code, file.out], [1, '']);
    assert.match(file.err, /must be an http:\/\/ or https:\/\/ URL/);
  });
});

describe('docs/assistants.md', () => {
  it('has settings of assistants that name the address or the command', () => {
    const examples = examplesIn(readFileSync('docs/assistants.md', 'utf8'), 'json');
    const servers = examples.flatMap((text) => {
      const { mcpServers, servers = mcpServers } = JSON.parse(text);
      return Object.values<{ command?: string; args?: string[]; url?: string }>(servers);
    });
    assert.deepEqual(
      servers.map(({ url, command, args }) => url ?? [command, ...(args ?? [])].join(' ')),
      ['cardprice mcp --url https://cards.example', ...Array(2).fill('https://cards.example/mcp')],
    );
  });
});

describe('the library of the protocol', () => {
  it('is not loaded when a server starts', () => {
    const server = fileURLToPath(new URL('../../src/http/server.ts', import.meta.url));
    const script = `
      import { registerHooks } from 'node:module';
      registerHooks({
        resolve(specifier, context, next) {
          if (specifier.startsWith('@modelcontextprotocol')) throw new Error(specifier);
          return next(specifier, context);
        },
      });
      await import(${JSON.stringify(server)});`;
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script]);
    assert.equal(status, 0, String(stderr));
  });
});
