import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Program, run, temporaryFolder } from '../support/cli.ts';

/** Commands that need an existing database, by their arguments. */
const ON_WHAT_IS_THERE = [
  ['account', 'create', '--operator', '--email', 'you@shop.example'],
  ['account', 'list'],
  ['key', 'create', '--account', 'ann@shop.example'],
  ['audit'],
  ['plan', 'list'],
  ['billing', 'list'],
  ['webhook', 'list', '--account', 'ann@shop.example'],
  ['usage', '--month', '2026-01'],
  ['status'],
  ['report'],
  ['explain', 'pokemon-bs-charizard-004'],
  ['quarantine', 'list'],
  ['history', 'check'],
  ['backup'],
  ['serve', '--port', '0'],
  ['serve', '--port', '0', '--workers', '2'],
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

  for (const flags of [['--create'], ['--create', '--workers', '2']]) {
    it(`is made by serve ${flags.join(' ')}`, async () => {
      const env = { CARDPRICE_DATABASE: join(temporaryFolder(), 'cards.db') };
      const service = new Program(['serve', '--port', '0', ...flags], { env });
      assert.equal((await fetch(`${await service.listening()}/healthz`)).status, 200);
      assert.equal((await service.send('SIGTERM').ended()).code, 0);
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
