import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { run } from '../support/cli.ts';

describe('cardprice config', () => {
  const env = { CARDPRICE_DATABASE: 'cards.db', CARDPRICE_DATABSE: 'cards.db' };
  const config = (...flags: readonly string[]) => run(['config', ...flags], { env });

  it('lists the settings that are set, where, and names that are no settings', async () => {
    const { code, out } = await config();
    assert.equal(code, 0);
    assert.match(out, /^CARDPRICE_DATABASE +cards\.db +variable .+$/m);
    assert.match(out, /^CARDPRICE_DATABSE is set, but is not a setting of Cardprice\.$/m);
    assert.doesNotMatch(out, / default$/m);
    assert.match((await config('--all')).out, / default$/m);
  });

  it('prints the same as JSON', async () => {
    const { settings, unknown } = JSON.parse((await config('--json')).out);
    const [database] = settings.filter((one: { from: string }) => one.from === 'variable');
    assert.deepEqual([database.variable, database.value], ['CARDPRICE_DATABASE', 'cards.db']);
    assert.deepEqual(unknown, ['CARDPRICE_DATABSE']);
  });
});
