import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { withQuery } from '../../../web/src/api/links.ts';
import { formatExport, formatSample, LANGUAGES } from '../../../web/src/ui/code-samples.ts';

const KEY = 'cp_live_of_a_test';

/** Runs a program with the API key in its environment; resolves with what it printed. */
async function run(program: string, args: readonly string[]): Promise<string> {
  const env = { ...process.env, PRICES_KEY: KEY };
  return (await promisify(execFile)(program, args, { env })).stdout;
}

/** Serves the key that a request had, while `work` runs. */
async function withServer<Result>(work: (origin: string) => Promise<Result>): Promise<Result> {
  const server = createServer(({ url, headers }, response) => {
    response.end(JSON.stringify({ url, key: headers['x-api-key'] }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.close();
  }
}

describe('code samples', () => {
  it('send the key of the environment to the unchanged address', async () => {
    await withServer(async (origin) => {
      const path = withQuery('/v1/search', { q: `it's "é" $HOME \\`, limit: 1 });
      const script = formatSample('JavaScript', origin + path);
      const printed = await run(process.execPath, ['--input-type=module', '-e', script]);
      assert.match(printed, /^200 \{/);
      assert.ok(printed.includes(path) && printed.includes(KEY));
      const command = `curl() { for part in "$@"; do echo "$part"; done; }
        ${formatSample('curl', origin + path)}`;
      const lines = (await run('sh', ['-c', command])).trim().split('\n');
      assert.deepEqual(lines, ['-H', `X-API-Key: ${KEY}`, origin + path]);
    });
  });

  it('never have a query that ends the string around it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom(...LANGUAGES), (q, language) => {
        const url = withQuery('https://cards.example/v1/search', { q: `${q}x` });
        assert.doesNotMatch(url, /['"\\$`\s]/);
        assert.ok(formatSample(language, url).includes(url));
      }),
    );
  });

  it('contain no key; only the command that sets the variable does', () => {
    assert.equal(formatExport(KEY), `export PRICES_KEY='${KEY}'`);
    for (const language of LANGUAGES) {
      assert.match(formatSample(language, 'https://cards.example/v1/games'), /PRICES_KEY/);
    }
  });
});
