import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { temporaryFolder } from '../support/cli.ts';
import { examplesIn, startExampleService } from '../support/examples.ts';

/**
 * Installs the Python client as its users do, and runs its tests and the examples of its README.
 */

/** The Python that has Debian's packages. */
const PYTHON = '/usr/bin/python3';

/** What the examples print, each after the first. */
const OUTPUTS = [
  '',
  'True Charizard\nTrue\n',
  [
    '     name  number  prices.market',
    'Charizard 004/102         453.86',
    'Blastoise 002/102         156.76',
    ' Venusaur 015/102         121.13',
    '',
  ].join('\n'),
  "Charizard ['no-such-card']\nmatched 2 lorcana-tfc-elsa-spirit-of-winter-207\n",
  '',
  'CARD_NOT_FOUND 404\nTrue\n',
  '101\n',
  '101\n',
];

/** Reads a list of several pages. */
const PAGES = `print(len({card["id"] for card in client.list_cards_of_set("pokemon-base-set", limit=30)}))
`;

const folder = temporaryFolder();
const source = join(folder, 'source');
const python = join(folder, 'venv/bin/python');
const { run } = await startExampleService();

describe('The installed Python client', () => {
  const [definition = '', ...others] = examplesIn(
    readFileSync('clients/python/README.md', 'utf8'),
    'python',
  );
  const programs = [definition, ...[...others, PAGES].map((text) => definition + text)];
  const files = programs.map((_, index) => join(folder, `example_${index}.py`));

  before(() => {
    // A build writes into its folder.
    cpSync('clients/python', source, { recursive: true });
    const execute = (program: string, ...args: readonly string[]) =>
      execFileSync(program, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
    // With the pip of the system, because installing another takes ten seconds.
    execute(PYTHON, '-m', 'venv', '--system-site-packages', '--without-pip', 'venv');
    const pip = (...args: readonly string[]) =>
      execute(PYTHON, '-m', 'pip', '--python', python, '--quiet', ...args, '--no-deps');
    pip('wheel', '--no-build-isolation', './source');
    pip('install', '--no-index', ...globSync('*.whl', { cwd: folder }));
    for (const [index, text] of programs.entries()) writeFileSync(files[index] ?? '', text);
  });

  it('passes its tests', async () => {
    await run(python, [join(source, 'tests/test_client.py')]);
  });

  it('has types without a gap, also for its users', async () => {
    const strict = ['-m', 'mypy', '--strict', '--python-executable', python];
    await run(PYTHON, [...strict, join(source, 'src/cardprice'), join(source, 'tests')]);
    for (const file of files) await run(PYTHON, [...strict, file]);
  });

  it('has types that refuse what the API does not have', async () => {
    const wrong = join(folder, 'wrong.py');
    writeFileSync(
      wrong,
      `${definition}client.list_sets(gmae="mtg")\ncard["prices"]["market"] + 1\n`,
    );
    const check = run(PYTHON, ['-m', 'mypy', '--strict', '--python-executable', python, wrong]);
    await assert.rejects(check, { stdout: /\[call-arg\].*\[operator\].*Found 2 errors/s });
  });

  it('has examples that print what they promise', async () => {
    const outputs: string[] = [];
    for (const file of files) outputs.push(await run(python, [file]));
    const [first = ''] = outputs;
    assert.match(first, /^Elsa - Spirit of Winter 740\.04\n$/);
    assert.deepEqual(
      outputs.map((output) => output.replace(first, '')),
      OUTPUTS,
    );
  });
});
