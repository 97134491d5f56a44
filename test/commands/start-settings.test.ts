import assert from 'node:assert/strict';
import { it } from 'node:test';
import pino from 'pino';
import { AuditLog, AuditTrail } from '../../src/accounts/audit/audit.ts';
import { recordSettings } from '../../src/commands/start-settings.ts';
import { readTexts } from '../../src/config/config.ts';
import type { Store } from '../../src/store/connect.ts';
import { forEachEngine } from '../support/engines.ts';

/** Starts with these settings; returns what that left in the audit log. */
async function start(store: Store, environment: Record<string, string>, flags = {}) {
  const logger = pino({ level: 'silent' });
  const trail = new AuditTrail(new AuditLog(store, Date.now), logger);
  const { db } = store.accounts;
  const before = await db.selectFrom('audit').selectAll().execute();
  await recordSettings(store, readTexts(flags, environment), { trail, logger });
  await trail.settled();
  const rows = await db.selectFrom('audit').selectAll().orderBy('id').execute();
  const added = rows.slice(before.length);
  assert.ok(
    added.every(({ action, actor }) => `${action} ${actor}` === 'settings-changed service'),
  );
  return Object.fromEntries(added.map(({ subject, detail }) => [subject, detail]));
}

forEachEngine((_label, open) => {
  it('records only the settings that differ from the last start', async () => {
    const store = await open();
    assert.deepEqual(await start(store, {}), {});
    const settings = { CARDPRICE_BURST: 'free=1/3s', CARDPRICE_PORT: '9000' };
    assert.deepEqual(await start(store, settings, { port: '9001' }), {
      CARDPRICE_BURST: '"" → "free=1/3s"',
      CARDPRICE_PORT: '"8080" → "9001"',
    });
    assert.deepEqual(await start(store, settings, { port: '9001' }), {});
    assert.deepEqual(await start(store, { ...settings, CARDPRICE_BURST: '' }), {
      CARDPRICE_BURST: '"free=1/3s" → ""',
      CARDPRICE_PORT: '"9001" → "9000"',
    });
  });

  it('records that a secret changed, and stores nothing that reveals it', async () => {
    const store = await open();
    const name = 'CARDPRICE_INVITATION_CODE';
    assert.deepEqual(await start(store, { [name]: 'open sesame' }), { [name]: 'a secret was set' });
    assert.deepEqual(await start(store, { [name]: 'open sesame' }), {});
    assert.deepEqual(await start(store, { [name]: 'tulip' }), { [name]: 'the secret was changed' });
    const { db } = store.accounts;
    const stored = await db.selectFrom('start_settings').selectAll().execute();
    assert.match(stored[0]?.value ?? '', /^[\w-]{22}\$[\w-]{43}$/);
    assert.deepEqual(await start(store, {}), { [name]: 'the secret was unset' });
    assert.deepEqual(await db.selectFrom('start_settings').selectAll().execute(), []);
    const audit = JSON.stringify(await db.selectFrom('audit').selectAll().execute());
    assert.ok(!/tulip|sesame/.test(audit));
  });
});
