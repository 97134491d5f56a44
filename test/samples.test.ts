import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pythons, startExampleService } from './support/examples.ts';

/** Runs the samples of the reference against the starter catalogue, as a reader would. */

const { env, run } = await startExampleService();
const page = await (await fetch(`${env.PRICES_URL}/docs`)).text();

/** A webhook and its event: the reference cannot know which ones the reader has. */
const event = await makeEvent();

async function makeEvent(): Promise<string> {
  const call = async (path: string, body?: object) => {
    const headers = { 'x-api-key': env.PRICES_KEY, 'content-type': 'application/json' };
    const sent = body && { method: 'POST', body: JSON.stringify(body) };
    return (await fetch(`${env.PRICES_URL}/v1/webhooks${path}`, { ...sent, headers })).json();
  };
  await call('', { url: 'https://shop.example/prices' });
  await call('/1/test', {});
  return (await call('/1/deliveries')).data[0].id;
}

/** Returns the samples in a language, in the order of the page. */
function samplesIn(language: string): string[] {
  const pattern = new RegExp(`<div data-language="${language}"><pre.*?><code>(.*?)</code>`, 'gs');
  return [...page.matchAll(pattern)].map(([, text = '']) => unescaped(text));
}

function unescaped(text: string): string {
  return text
    .replaceAll('alert_0f3c', event)
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

/** Fails unless a program printed a 200 for each sample, with data. */
function assertAllGood(output: string, samples: readonly string[]): void {
  const lines = output.split('\n').filter((line) => /^\d{3} /.test(line));
  const failed = samples.filter((_, index) => !lines[index]?.startsWith('200 {'));
  assert.deepEqual(failed, []);
}

describe('The samples of the reference', () => {
  it('are there for every call', () => {
    const calls = page.match(/<form data-method/g)?.length ?? 0;
    assert.ok(calls > 20);
    for (const language of ['curl', 'JavaScript', 'Python']) {
      assert.equal(samplesIn(language).length, calls, language);
    }
  });

  it('get answers with curl', async () => {
    for (const sample of samplesIn('curl')) {
      assert.match(await run('sh', ['-c', sample]), /^\{"data":/, sample);
    }
  });

  it('get answers with JavaScript', async () => {
    const samples = samplesIn('JavaScript');
    const program = samples.map((sample) => `{\n${sample}\n}\n`).join('');
    assertAllGood(await run(process.execPath, ['--input-type=module', '-e', program]), samples);
  });

  for (const _python of pythons()) {
    it('get answers with Python', async () => {
      const samples = samplesIn('Python');
      assertAllGood(await run('python3', ['-c', samples.join('\n')]), samples);
    });
  }
});
