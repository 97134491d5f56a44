import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { run, temporaryFolder } from '../support/cli.ts';

/** Commands that need an existing database, by their arguments. */
const ON_WHAT_IS_THERE = [
  ['account', 'create', '--operator', '--email', 'you@shop.example'],
  ['account', 'list'],
  ['key', 'create', '--account', 'ann@shop.example'],
  ['audit'],
  ['plan', 'list'],
  ['billing', 'list'],
  ['usage', '--month', '2026-01'],
  ['status'],
  ['report'],
  ['explain', 'pokemon-bs-charizard-004'],
  ['quarantine', 'list'],
  ['history', 'check'],
  ['backup'],
];

describe('A database that is missing', () => {
  for (const args of ON_WHAT_IS_THERE) {
    it(`is not made by ${args.join(' ')}, which says so`, async () => {
      const folder = temporaryFolder();
      const database = join(folder, 'cards.db');
      const { code, out, err } = await run(args, { env: { CARDPRICE_DATABASE: database } });
      assert.match(err, /^cardprice: There is no database \S+cards\.db\..*\n$/);
      assert.deepEqual({ code, out }, { code: 1, out: '' });
      assert.ok(!readdirSync(folder).some((name) => name.startsWith('cards.db')));
    });
  }

  it('is made by migrate, and then has room for accounts', async () => {
    const surroundings = { env: { CARDPRICE_DATABASE: join(temporaryFolder(), 'cards.db') } };
    for (const args of [['migrate'], ['account', 'create', '--email', 'ann@shop.example']]) {
      const { code, err } = await run(args, surroundings);
      assert.equal(code, 0, err);
    }
  });
});
