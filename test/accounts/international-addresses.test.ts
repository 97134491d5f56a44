import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AuditLog, COMMAND_LINE } from '../../src/accounts/audit/audit.ts';
import { listAudit } from '../../src/accounts/audit/audit-sql.ts';
import { forEachEngine } from '../support/engines.ts';
import { ADDRESS, enrol, PASSWORD, refused, visit, type Wiring, wire } from './fixtures.ts';

const UNICODE = 'ann@bücher.example';
const ASCII = 'ann@xn--bcher-kva.example';
const BOTH = [UNICODE, ASCII, 'Ann@BÜCHER.example', 'ann@XN--bcher-kva.example'];

/** Makes an account whose address is stored as it was typed, as earlier versions did. */
async function storedAsTyped(parts: Wiring, email = UNICODE) {
  const { id } = await parts.accounts.create('before@shop.example', 'free');
  const { db } = parts.store.accounts;
  await db.updateTable('accounts').set({ email }).where('id', '=', id).execute();
  return id;
}

/** Asks for an account, and returns what became of that. */
async function signUp({ selfService: { signUps } }: Wiring, email: string) {
  const request = { email, password: PASSWORD, invitation: '', address: ADDRESS };
  return (await signUps.add(await signUps.check(request))).kind;
}

forEachEngine((_label, open) => {
  describe('An address with an international domain', () => {
    it('is one account in every spelling', async () => {
      const parts = wire(await open());
      const { id, email } = await enrol(parts, UNICODE);
      assert.equal(email, ASCII);
      for (const spelling of BOTH) {
        const taken = parts.accounts.create(spelling, 'free');
        await assert.rejects(taken, refused('REFUSED', /^There is already an account /));
        assert.equal(await signUp(parts, spelling), 'nothing');
        assert.equal((await parts.accounts.find(spelling)).id, id);
        const credentials = { email: spelling, password: PASSWORD, address: ADDRESS };
        assert.equal((await parts.selfService.signIn(credentials)).id, id);
        const { total } = await parts.accounts.page({ q: spelling, limit: 9, offset: 0 });
        assert.equal(total, 1);
      }
    });

    it('counts attempts in all spellings together', async () => {
      const parts = wire(await open());
      await enrol(parts, UNICODE);
      const made = [];
      for (const spelling of BOTH) {
        made.push(await parts.selfService.requestReset(spelling, ADDRESS));
      }
      assert.deepEqual(
        made.map((token) => token !== undefined),
        [true, true, true, false],
      );
    });

    it('keeps working where it was stored as it was typed', async () => {
      const store = await open();
      const parts = wire(store);
      const id = await storedAsTyped(parts);
      for (const spelling of BOTH) {
        assert.equal((await parts.accounts.find(spelling)).id, id);
        assert.equal(await signUp(parts, spelling), 'nothing');
        const taken = parts.accounts.create(spelling, 'free');
        await assert.rejects(taken, refused('REFUSED', /^There is already an account /));
      }
      assert.equal((await parts.accounts.list()).length, 1);
      await parts.keys.create((await parts.accounts.get(id)).email);
      assert.equal((await parts.keys.list(ASCII)).length, 1);
    });

    it('is one account in the audit log, however it is stored', async () => {
      for (const stored of [UNICODE, ASCII]) {
        const store = await open();
        const parts = wire(store);
        await storedAsTyped(parts, stored);
        const { db } = store.accounts;
        const log = new AuditLog(store, parts.clock.read);
        for (const subject of BOTH) await log.record('account-enabled', COMMAND_LINE, { subject });
        for (const account of [UNICODE, ASCII]) {
          const entries = await listAudit(db, { account }, { limit: 9, offset: 0 });
          assert.deepEqual(
            entries.map(({ subject }) => subject),
            BOTH.map(() => stored),
          );
        }
        await parts.accounts.delete(ASCII);
        assert.deepEqual(await listAudit(db, { account: UNICODE }, { limit: 9, offset: 0 }), []);
      }
    });

    it('leads to each of two accounts that were made by earlier versions', async () => {
      const parts = wire(await open());
      const older = await storedAsTyped(parts);
      const newer = await storedAsTyped(parts, ASCII);
      assert.equal((await parts.accounts.find(UNICODE)).id, older);
      assert.equal((await parts.accounts.find(ASCII)).id, newer);
      await parts.accounts.delete(ASCII);
      assert.equal((await parts.accounts.find(ASCII)).id, older);
    });

    it('belongs to the sessions of its account', async () => {
      const parts = wire(await open());
      const session = await visit(parts, UNICODE);
      assert.equal(session.email, ASCII);
      const change = { current: PASSWORD, next: 'another battery staple', address: ADDRESS };
      assert.equal((await parts.selfService.changePassword(session, change)).email, ASCII);
    });
  });
});
