import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { it } from 'node:test';

/** Has Patroni lose etcd while something is going on; prints what it did. */
const LOSE_ETCD = `
import runpy
from types import SimpleNamespace
from patroni import ha

ha.Ha._handle_dcs_error = lambda self: 'demoted'
runpy.run_path('deploy/cluster/cardprice-patroni.py')
for action in (None, 'promote', 'demoting self because DCS is not accessible and I was a leader'):
    going_on = SimpleNamespace(_async_executor=SimpleNamespace(scheduled_action=action))
    print(ha.Ha._handle_dcs_error(going_on))
`;

it('Patroni does not demote a server again while it demotes it', () => {
  const out = execFileSync('/usr/bin/python3', ['-c', LOSE_ETCD], { encoding: 'utf8' });
  const demoting = 'demoting self because DCS is not accessible and I was a leader';
  assert.deepEqual(out.trim().split('\n'), ['demoted', 'demoted', demoting]);
});

it('Patroni itself still has what is corrected', () => {
  const text = `
import inspect
from patroni import ha
print(inspect.getsource(ha.Ha._handle_dcs_error))`;
  const source = execFileSync('/usr/bin/python3', ['-c', text], { encoding: 'utf8' });
  assert.match(source, /msg = 'demoting self because DCS is not accessible and I was a leader'/);
  assert.match(source, /AsyncExecutor is busy, demoting from the main thread/);
});
