import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { runInNewContext } from 'node:vm';
import { CURL, examplesIn, pythons, startExampleService } from './support/examples.ts';

/** Runs the examples of docs/calling.md against the starter catalogue, as a reader would. */

const PAGE = readFileSync('docs/calling.md', 'utf8');

const examples = (language: string) => examplesIn(PAGE, language);

const { env, run } = await startExampleService();

describe('docs/calling.md', () => {
  it('has requests for curl that find what they ask for', async () => {
    const [exports, ...requests] = examples('sh');
    assert.match(exports ?? '', /^export PRICES_URL=.*\nexport PRICES_KEY=cp_live_/);
    const counts = await Promise.all(
      requests
        .flatMap((text) => text.trimEnd().split(/\n(?=curl)/))
        .map((text) => run('sh', ['-c', text])),
    );
    assert.equal(counts.length, 18);
    for (const text of counts) {
      const { data } = JSON.parse(text);
      assert.notDeepEqual(
        Array.isArray(data) ? data : (data.history ?? data.id ?? data.days),
        [],
        text,
      );
      assert.ok(data.length !== 0 && !text.includes('"error"'), text);
    }
  });

  it('shows answers as the service gives them', async () => {
    for (const example of examples('console')) {
      const [command = '', ...expected] = example.split('\n');
      const pattern = expected.join('\n').trimEnd().split('…').map(RegExp.escape).join('.*');
      assert.match(await run('sh', ['-c', command.replace('$ ', '')]), new RegExp(`^${pattern}$`));
    }
  });

  it('has programs in JavaScript that print what they promise', async () => {
    const [first = '', ...others] = examples('js');
    const [definition = ''] = first.split('const { data }');
    const programs = [first, ...others.map((text) => definition + text)];
    const outputs = await Promise.all(
      programs.map((text) => run(process.execPath, ['--input-type=module', '-e', text])),
    );
    assert.deepEqual(outputs, [
      'Elsa - Spirit of Winter 740.04\n',
      'lorcana-tfc-elsa-spirit-of-winter-207 2 740.04\n' +
        'pokemon-bs-charizard-004 1 453.86\nCharizard is ambiguous 3 candidates\n',
      'tcgplayer:42382 Charizard 453.86\n' +
        'lorcana-tfc-elsa-spirit-of-winter-207 Elsa - Spirit of Winter 740.04\n' +
        'missing: no-such-card\n',
      '90 days up to 2026-01-28\n',
      '101 cards\n',
      'Elsa - Spirit of Winter 1 printings 778.27\nElsa - Spirit of Winter 2 printings 12.24\n',
      // Nothing was published since the cursor was taken.
      '',
      'true\n',
      '2984\n',
    ]);
  });

  for (const python of pythons()) {
    it('has programs in Python that print what they promise', async () => {
      const [first = '', ...others] = examples('python');
      const [definition = ''] = first.split('card = ');
      const programs = [first, ...others.map((text) => definition + text)];
      const runnable = programs.filter((text) => python.hasPandas || !text.includes('pandas'));
      const outputs = await Promise.all(runnable.map((text) => run('python3', ['-c', text])));
      const expected = [
        /^Elsa - Spirit of Winter 740\.04\n$/,
        /\b740\.04\b.*\nworth 1933\.94\n$/s,
        /^Charizard 453\.86\nElsa - Spirit of Winter 740\.04\n$/,
        /^\d+\.\d+ 740\.04 -0\.\d+\n$/,
        /^101 cards\n$/,
        /^True\n$/,
        /^\d+\n$/,
      ].filter((_, index) => runnable.includes(programs[index] ?? ''));
      for (const [index, pattern] of expected.entries())
        assert.match(outputs[index] ?? '', pattern);
    });
  }

  it('has a function for Google Sheets that shows a price, or why there is none', () => {
    const [text = ''] = examples('gs');
    const properties = { ...env };
    const sheet = runInNewContext(`${text}; CARDPRICE`, {
      PropertiesService: { getScriptProperties: () => ({ getProperties: () => properties }) },
      UrlFetchApp: {
        fetch: (url: string, { contentType, headers, payload }: Posted) => {
          const lines = Object.entries({ ...headers, 'Content-Type': contentType });
          const flags = lines.flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
          const args = [CURL, ...flags, '-d', payload, url];
          const body = execFileSync(process.execPath, args, { encoding: 'utf8' });
          return { getContentText: () => body };
        },
      },
    });
    assert.equal(sheet('Elsa - Spirit of Winter (Enchanted)'), 740.04);
    assert.equal(sheet('charizard'), 'ambiguous');
    assert.equal(sheet('no such card 12345'), 'unknown');
    properties.PRICES_KEY = 'cp_live_wrong';
    assert.throws(() => sheet('charizard'), /key/i);
  });

  it('has a query for Excel whose path, parameters and columns exist', async () => {
    const [text = ''] = examples('m');
    const [, path = ''] = /RelativePath = "(.*)"/.exec(text) ?? [];
    const [, name = '', value = ''] = /Query = \[(\w+) = "(\w+)"\]/.exec(text) ?? [];
    const [, header = ''] = /Headers = \[#"(.*?)" = Key\]/.exec(text) ?? [];
    const [, columns = ''] = /\{("id".*?)\}/.exec(text) ?? [];
    const answer = await fetch(`${env.PRICES_URL}/${path}?${name}=${value}&strict=true`, {
      headers: { [header]: env.PRICES_KEY },
    });
    const { data } = (await answer.json()) as { data: { prices: object }[] };
    assert.equal(data.length, 101);
    for (const column of JSON.parse(`[${columns}]`)) assert.ok(column in (data[0] ?? {}), column);
    assert.ok('market' in (data[0]?.prices ?? {}));
  });
});

/** What Apps Script sends. */
interface Posted {
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: string;
}
