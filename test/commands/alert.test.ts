import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openStore } from '../../src/store/connect.ts';
import { run as runProgram } from '../support/cli.ts';
import { createMigratedDatabase, type TestDatabase } from '../support/engines.ts';
import { Market } from '../support/market.ts';

const ANN = ['--account', 'ann@shop.example'];
const CARD = ['--card', 'mtg-lea-card-1-1'];

describe('cardprice alert', () => {
  let database: TestDatabase;

  before(async () => {
    database = await createMigratedDatabase('SQLite');
    const store = await openStore(database.location);
    const market = new Market(store, { limits: null });
    await market.lists('2026-01-20', { '1 Foil': 40, '2 Foil': 5 });
    await market.lists('2026-01-21', { '1 Foil': 55, '2 Foil': 5 });
    await store.close();
    await run('account', 'create', '--email', 'ann@shop.example');
  });
  after(() => database.remove());

  const run = (...args: string[]) => {
    return runProgram(args, { env: { CARDPRICE_DATABASE: database.location } });
  };
  const alert = (name: string, ...args: string[]) => run('alert', name, ...args, ...ANN);

  it('adds an alert and lists it', async () => {
    const above = ['--kind', 'above', '--amount', '60', '--name', 'Binder'];
    const { out, code } = await alert('add', ...above, ...CARD);
    assert.deepEqual([code, out], [0, 'Added the alert 1: at or above $60.00.\n']);
    await alert('add', '--kind', 'high', '--set', 'mtg-alpha');
    const list = await alert('list');
    assert.match(
      list.out,
      /^1 +Binder +at or above \$60\.00 +mtg-lea-card-1-1, Foil +55\.00 +off/m,
    );
    assert.match(list.out, /^2 +a new all-time high +the set mtg-alpha/m);
  });

  it('previews what would have fired', async () => {
    const { out } = await alert('preview', '--kind', 'above', '--amount', '50', ...CARD);
    assert.match(out, /^2026-01-21 +mtg-lea-card-1-1 +Foil +40\.00 +55\.00$/m);
    const none = await alert('preview', '--kind', 'above', '--amount', '500', ...CARD);
    assert.equal(none.out, 'It would have fired nothing.\n');
  });

  it('pauses, resumes and removes an alert, and lists events', async () => {
    assert.equal((await alert('pause', '1')).out, 'Paused the alert 1.\n');
    assert.equal((await alert('resume', '1')).out, 'Resumed the alert 1.\n');
    assert.equal((await alert('remove', '1')).out, 'Deleted the alert 1.\n');
    assert.equal((await alert('events')).out, 'Nothing has fired yet.\n');
    assert.equal((await alert('events', '--alert', '2', '--json')).out.trim(), '[]');
  });

  it('explains mistakes in a line', async () => {
    for (const [args, says] of [
      [['add', '--kind', 'above', ...CARD], /needs amount/],
      [['add', '--kind', 'above', '--amount', 'x', ...CARD], /amount/],
      [['add', '--kind', 'high', '--card', 'x'], /No card has the id "x"/],
      [['pause', '9'], /no alert with the id "9"/],
    ] as const) {
      const [name, ...rest] = args;
      const { code, err } = await alert(name, ...rest);
      assert.equal(code, 1);
      assert.match(err, says);
      assert.equal(err.trim().split('\n').length, 1);
    }
  });
});
