import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withMeasured } from '../run/measured.ts';
import type { FaultReport, Report } from '../run/report.ts';

const TABLE = [
  '| fault | what happens | what clients see | at most | failed | longest wait | runs |',
  '|---|---|---|---|---|---|---|',
  '| `kill-node` | a node is lost | 503 | 3 s | 9 s | 9 s | 9 |',
  '| `cut-proxy` | a cut | 503 | 10 s after | – | – | 0 |',
  '| `kill-etcd` | the leader is lost | nothing | 0 s | – | – | 0 |',
  '| `cardprice` | is no fault |',
].join('\n');

function run(name: FaultReport['name'], recovery: number, longestWait: number): FaultReport {
  return { name, told: '', recovery, failures: 0, unanswered: 0, longestWait, whole: 5 };
}

function report(faults: readonly FaultReport[], violations: readonly string[] = []): Report {
  const figures = { seconds: 1, requests: 1, perSecond: 1, answers: {} };
  const publications = { begun: 1, acknowledged: 1 };
  return {
    ...figures,
    publications,
    keys: { made: 1, revoked: 0 },
    faults,
    violations,
  };
}

/** The measured cells of each kind. */
function measured(...reports: readonly Report[]): Record<string, string> {
  const rows = [...withMeasured(TABLE, reports).matchAll(/^\| `([\w-]+)` \|(.*) \|$/gm)];
  return Object.fromEntries(
    rows.map(([, name, cells = '']) => [name, cells.split(' | ').slice(3).join(', ')]),
  );
}

describe('the measured cells of the table of faults', () => {
  it('are the longest times of all runs, and no earlier ones', () => {
    const first = report([run('kill-node', 1.5, 2), run('cut-proxy', 4.5, 3.1)]);
    assert.deepEqual(measured(first, report([run('kill-node', 0.5, 2.5)])), {
      'kill-node': '1.5 s, 2.5 s, 2',
      'cut-proxy': '4.5 s after, 3.1 s, 1',
      'kill-etcd': '–, –, 0',
      cardprice: '',
    });
  });

  it('count a run as broken by a violation that names its fault, or none', () => {
    const faults = [run('kill-node', 4, 2), run('cut-proxy', 1, 1)];
    const named = report(faults, ['after kill-node (Killed node-1.) charges failed for 4.0 s']);
    assert.match(measured(named)['kill-node'] ?? '', /, 0 of 1$/);
    assert.match(measured(named)['cut-proxy'] ?? '', /, 1$/);
    const unnamed = report(faults, ['key 7 is lost']);
    assert.match(measured(named, unnamed)['cut-proxy'] ?? '', /, 1 of 2$/);
  });

  it('leave all other lines as they are', () => {
    const lines = (page: string) => page.split('\n').filter((line) => !line.startsWith('| `k'));
    assert.deepEqual(lines(withMeasured(TABLE, [])), lines(TABLE));
  });
});
