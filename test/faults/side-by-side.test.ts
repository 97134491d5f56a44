import assert from 'node:assert/strict';
import { it } from 'node:test';
import { importFixtures } from '../support/app.ts';
import { cleanUp } from '../support/cleanup.ts';
import { Program } from '../support/cli.ts';
import { createDatabase, forEachEngine } from '../support/engines.ts';
import { createKey } from '../support/prepared.ts';
import { versionAfter } from './support/versions.ts';

forEachEngine((label) => {
  it('serves next to the next version, from the database that the next one has migrated', {
    timeout: 240_000,
  }, async () => {
    const { location, remove } = await createDatabase(label);
    cleanUp(remove);
    await importFixtures(location);
    const key = await createKey(location);
    const args = ['--database', location, 'serve', '--port', '0'];
    const next = new Program(args, { command: versionAfter() });
    const urls = [await next.listening(), await new Program(args).listening()];
    const ask = async (_: unknown, index: number) => {
      const url = urls[index % urls.length] ?? '';
      const answer = await fetch(`${url}/v1/search?q=charizard&limit=${1 + (index % 50)}`, {
        headers: { 'x-api-key': key },
      });
      await answer.arrayBuffer();
      return { status: answer.status, left: answer.headers.get('x-ratelimit-remaining') };
    };
    const answers = await Promise.all(Array.from({ length: 200 }, ask));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    // Both charge the same account, each answer once.
    assert.equal(new Set(answers.map(({ left }) => left)).size, answers.length);
  });
});
