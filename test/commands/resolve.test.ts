import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { importFixtures } from '../support/app.ts';
import { run, temporaryFolder } from '../support/cli.ts';
import { MAIN } from '../support/main-module.ts';

describe('cardprice resolve', () => {
  const folder = temporaryFolder();
  const env = { CARDPRICE_DATABASE: join(folder, 'cards.db') };
  before(() => importFixtures(env.CARDPRICE_DATABASE));

  const file = (name: string, content: string | Buffer) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const resolve = async (...args: readonly string[]) => {
    const outcome = await run(['resolve', ...args], { env });
    return { ...outcome, lines: outcome.out.trimEnd().split('\n') };
  };

  test('answers every row of a table in its order, and names those that it cannot read', async () => {
    const path = file(
      'collection.csv',
      `Qty,Card Name,Set,No.,Printing
2,Charizard,Base Set,4/102,Holofoil
1,"Charizard,Base Set,4
1,Charizard,Jungle,4,
0,Blastoise,Base Set,2/102,

1,Agumon,,,
`,
    );
    const { code, err, lines } = await resolve(path, '--columns', 'number=No.');
    assert.equal(code, 3, err);
    const [head = '', ...rows] = lines;
    assert.ok(head.startsWith('Qty,Card Name,Set,No.,Printing,resolved.line,resolved.status,'));
    assert.ok(
      rows[0]?.startsWith(
        '2,Charizard,Base Set,4/102,Holofoil,2,matched,pokemon-bs-charizard-004,Charizard,Base Set,' +
          '004/102,Holofoil,2,,,',
      ),
      rows[0],
    );
    assert.match(rows[0] ?? '', /,453\.86,/);
    assert.ok(rows[1]?.startsWith('"1,""Charizard,Base Set,4",,,,,3,unreadable,'), rows[1]);
    assert.doesNotMatch(rows[2] ?? '', /matched/);
    assert.match(rows[3] ?? '', /,5,matched,pokemon-bs-blastoise-002,.*,Holofoil,0,/);
    assert.match(rows[4] ?? '', /,7,unknown,/);
    assert.equal(rows.length, 5);
    assert.match(err, /^Line 3: Its quotation marks are wrong/m);
    assert.match(err, /^5 rows: 2 matched, .*1 unreadable\.$/m);
    assert.match(err, /^1 empty line is left out\.$/m);
  });

  test('has prices in another currency, which the last column names', async () => {
    const path = file('list.csv', 'Card Name,Set,No.\nCharizard,Base Set,4/102\nNobody at all,,\n');
    const plain = await resolve(path);
    const rates = { ...env, CARDPRICE_EUR_RATE: '2026-01-01:1.25' };
    const { out, err } = await run(['resolve', path, '--currency', 'EUR'], { env: rates });
    const [head, charizard, nobody] = out.split('\n');
    assert.equal(head, `${plain.lines[0]},resolved.currency`);
    assert.equal(charizard, `${plain.lines[1]?.replace('453.86', '363.09')},EUR`);
    assert.equal(nobody, `${plain.lines[2]},`);
    assert.match(
      err,
      /^Prices that no source has in EUR are converted from USD at 0\.8 of 2026-01-01\.$/m,
    );
    const json = ['resolve', path, '--currency', 'native', '--format', 'ndjson'];
    const [first = ''] = (await run(json, { env: rates })).out.split('\n');
    const { market, currency } = JSON.parse(first).resolved;
    assert.deepEqual([market, currency], [453.86, 'USD']);
  });

  test('reads a decklist from the standard input, and answers with exit code 0', () => {
    const input = '// mine\n2 Charizard (BS) 4\n\nSideboard\n1 Nobody at all\n';
    const options = { input, env: { ...process.env, ...env }, encoding: 'utf8' } as const;
    const args = [MAIN, 'resolve', '-', '--format', 'ndjson', '--game', 'pokemon'];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
    assert.equal(status, 0, stderr);
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      answers.map(({ text, resolved }) => [text, resolved.line, resolved.status]),
      [
        ['// mine', 1, 'not_a_card'],
        ['2 Charizard (BS) 4', 2, 'matched'],
        ['', 3, 'not_a_card'],
        ['Sideboard', 4, 'not_a_card'],
        ['1 Nobody at all', 5, 'unknown'],
      ],
    );
    assert.equal(answers[1].resolved.quantity, 2);
    assert.match(stderr, /^The standard input is read as lines of text\.$/m);
  });

  test('finds sealed products by their names, and lists those that a line may mean', async () => {
    const path = file(
      'sealed.txt',
      '2x Base Set Booster Pack [Revised Unlimited Edition]\nPrismatic Evolutions code card\n',
    );
    const { code, lines, err } = await resolve(path, '--format', 'ndjson');
    assert.equal(code, 0, err);
    const [pack, several] = lines.map((line) => JSON.parse(line).resolved);
    const { status, card, product, quantity, market } = pack;
    assert.deepEqual([status, card, quantity, market], ['matched', null, 2, 441.16]);
    assert.equal(product, 'pokemon-bs-base-set-booster-pack-revised-unlimited-edition');
    assert.deepEqual(
      [several.status, several.product, several.candidates.length],
      ['ambiguous', null, 4],
    );
    assert.match(several.candidates[0].product, /^pokemon-pre-code-card-/);
  });

  test('finds cards by external ids, and writes JSON lines to a file', async () => {
    const path = file(
      'cards.jsonl',
      '{"tcgplayer":42382}\n{"name":"Charizard","tcgplayer":"42382"}\n',
    );
    const output = join(folder, 'answers.jsonl');
    const { code, out } = await resolve(path, '--output', output);
    assert.deepEqual([code, out], [0, '']);
    const [byId, named] = readFileSync(output, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.equal(byId.tcgplayer, 42_382);
    assert.equal(byId.resolved.card, 'pokemon-bs-charizard-004');
    assert.equal(named.resolved.card, byId.resolved.card);
    assert.ok(named.resolved.confidence >= byId.resolved.confidence);
  });

  const refused: readonly (readonly [string, string | Buffer, readonly string[], RegExp])[] = [
    ['is empty', '', [], /empty\.csv is empty\./],
    ['is a workbook', Buffer.from('PK\x03\x04'), [], /is a zip archive or an Excel workbook/],
    ['has no known column', 'a,b\n1,2\n', [], /No column was recognised/],
    [
      'lacks the column',
      'name\nMew\n',
      ['--columns', 'set=Edition'],
      /There is no column "Edition"/,
    ],
    ['names an unknown game', 'name\nMew\n', ['--game', 'poker'], /There is no game "poker"/],
  ];
  for (const [what, content, args, message] of refused) {
    test(`refuses a file that ${what}`, async () => {
      const { code, out, err } = await resolve(file('empty.csv', content), ...args);
      assert.deepEqual([code, out], [1, '']);
      assert.match(err, message);
    });
  }

  test('refuses a file of 1 GB without reading it, and one that is not there', async () => {
    const path = file('large.csv', 'name\n');
    truncateSync(path, 2 ** 30);
    const { code, err } = await resolve(path);
    assert.equal(code, 1);
    assert.match(err, /large\.csv is larger than 64 MB, the limit for one file\. Split it\./);
    assert.match((await resolve(join(folder, 'none.csv'))).err, /none\.csv cannot be read/);
  });

  test('refuses a standard input that is too long', () => {
    const input = Buffer.alloc(65 * 1024 * 1024, '4 Mew\n');
    const options = { input, env: { ...process.env, ...env }, encoding: 'utf8' } as const;
    const { status, stderr } = spawnSync(process.execPath, [MAIN, 'resolve'], options);
    assert.equal(status, 1);
    assert.match(stderr, /^cardprice: The standard input is larger than 64 MB/);
  });

  test('refuses a database without cards', async () => {
    const path = file('one.txt', 'Mew\n');
    const empty = { CARDPRICE_DATABASE: join(folder, 'empty.db') };
    await run(['migrate'], { env: empty });
    const { code, err } = await run(['resolve', path], { env: empty });
    assert.equal(code, 1);
    assert.match(err, /The database has no cards/);
  });
});
