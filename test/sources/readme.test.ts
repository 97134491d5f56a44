/** Runs the worked example of src/sources/README.md. */
import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, describe, test } from 'node:test';
import type { FeedSource } from '../../src/sources/contract/source.ts';
import { describeContract } from '../support/contract.ts';
import { readFeed } from '../support/feeds.ts';

const README = readFileSync('src/sources/README.md', 'utf8');

/** The code of the example, by file. */
const CODE = new Map(
  [...README.matchAll(/^```(?:ts|json) (\S+)\n(.*?)^```$/gms)].map(([, file = '', code = '']) => {
    return [file, code] as const;
  }),
);

/** Makes a checkout with the example in it, and links to the files of this one. */
function checkout(): string {
  const root = mkdtempSync(join(tmpdir(), 'cardprice-example-'));
  after(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'src/sources'), { recursive: true });
  for (const path of ['node_modules', 'package.json', 'src/domain']) link(root, path);
  for (const name of readdirSync('src/sources')) link(root, join('src/sources', name));
  for (const [file, code] of CODE) {
    if (!/\/tradehall[./]/.test(file)) continue;
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), code);
  }
  writeFileSync(join(root, 'src/sources/tradehall-registry.ts'), registryOfExample());
  return root;
}

/** A registry that has only the example's line. */
function registryOfExample(): string {
  const line = CODE.get('src/sources/registry.ts') ?? '';
  const name = line.replace(/,\s*$/, '');
  return `import { ${name} } from './tradehall.ts';\nexport const [SOURCE] = [${line}];\n`;
}

function link(root: string, path: string): void {
  symlinkSync(resolve(path), join(root, path));
}

const root = checkout();
const { SOURCE } = (await import(join(root, 'src/sources/tradehall-registry.ts'))) as {
  SOURCE: FeedSource;
};
const location = join(root, 'test/fixtures/tradehall/cards.json');

describe('the example of src/sources/README.md', () => {
  test('reads its fixture as it promises', async () => {
    const { items, skipped } = await readFeed(SOURCE.open, location);
    assert.deepEqual(
      items.map(({ card, observations }) => {
        const [observation] = observations;
        return [
          card.name,
          card.externalIds,
          observation?.printing,
          observation?.prices.market,
          observation?.prices.low,
        ];
      }),
      [
        ['Charizard', { tcgplayer: '42382' }, 'Holofoil', 45_386, null],
        ['Pineco', {}, 'Normal', 5, 1],
      ],
    );
    assert.deepEqual(skipped, { 'not a card': 1 });
  });

  test('has the lines that go into other files', () => {
    assert.match(CODE.get('src/domain/sources.ts') ?? '', /^source\('tradehall', /);
    assert.match(CODE.get('test/sources/contract.test.ts') ?? '', /^tradehall: \{ location: /);
  });

  test('names only files that exist', () => {
    const named = [...README.matchAll(/`((?:src|test)\/[\w./-]+|[\w-]+\.ts)`/g)];
    const missing = named
      .map(([, file = '']) => (file.includes('/') ? file : join('src/sources', file)))
      .filter((file) => !existsSync(file));
    assert.deepEqual(missing, []);
  });
});

describeContract(
  SOURCE,
  { location },
  ['pokemon'],
  [{ location: 'test/fixtures/swu-db/SOR.json' }],
);
