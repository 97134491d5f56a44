import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AUDIT_ACTION_NAMES } from '../../../src/domain/audit.ts';
import type { AuditEntry } from '../../../web/src/api/responses.ts';
import { describeEntry } from '../../../web/src/operator/audit-sentences.ts';

const ENTRY: AuditEntry = {
  id: 1,
  at: '2026-01-28T00:00:00Z',
  action: 'plan-changed',
  actor: 'operator',
  by: 'ann@shop.example',
  address: '192.0.2.1',
  requestId: 'r',
  subject: 'bob@shop.example',
  detail: 'to business',
};

function sentence(change: Partial<AuditEntry>): string {
  return describeEntry({ ...ENTRY, ...change })
    .map(({ text }) => text)
    .join('');
}

describe('the sentence of an audit entry', () => {
  it('says who did what, to whom, from where, and its detail', () => {
    assert.equal(
      sentence({}),
      'ann@shop.example changed the plan or the limits of bob@shop.example from 192.0.2.1: to business.',
    );
  });

  it('marks the names', () => {
    const names = describeEntry(ENTRY).filter(({ isName }) => isName);
    assert.deepEqual(
      names.map(({ text }) => text),
      ['ann@shop.example', 'bob@shop.example'],
    );
  });

  it('is a sentence for every action', () => {
    for (const action of AUDIT_ACTION_NAMES) {
      assert.match(
        sentence({ action, detail: null }),
        /^[a-zS][^{}]* from 192\.0\.2\.1\.$/,
        action,
      );
    }
  });

  it('does not repeat the name of an account that changed itself', () => {
    const own = { action: 'password-changed', by: 'bob@shop.example', detail: null } as const;
    assert.equal(
      sentence(own),
      'bob@shop.example changed the password of their own account from 192.0.2.1.',
    );
  });

  it('says what acted where no account did', () => {
    const change = { action: 'settings-changed', by: null, address: null, subject: 'X' } as const;
    const detail = '"60h" → "3d"';
    assert.equal(
      sentence({ ...change, actor: 'service', detail }),
      'The service changed X: "60h" → "3d".',
    );
    assert.match(
      sentence({ ...change, actor: 'command' }),
      /^Somebody on the command line changed X/,
    );
  });

  it('leaves data to the record, and ends in one full stop', () => {
    assert.match(sentence({ detail: 'limits {"dailyRequests":1}' }), / from 192\.0\.2\.1\.$/);
    assert.match(sentence({ detail: 'It is wrong.' }), /: It is wrong\.$/);
  });
});
