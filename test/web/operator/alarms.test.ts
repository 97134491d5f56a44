import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Health, SourceHealth } from '../../../web/src/api/responses.ts';
import { alarmsOf } from '../../../web/src/operator/alarms.ts';

type Findings = Health['findings'];

const HEALTH: Health = {
  version: '1.0.0',
  processes: 1,
  nextSyncAt: null,
  backupAt: '2026-01-20T00:00:00Z',
  freeBytes: null,
  files: [],
  findings: [{ about: 'clock', state: 'good', says: 'It is noon.', fix: '' }],
  games: [],
  errors: [],
};

const FRESH: SourceHealth = {
  source: 'tcgcsv',
  game: 'lorcana',
  succeededAt: '2026-01-28T00:00:00Z',
  observedAt: '2026-01-28T00:00:00Z',
  age: 60,
  isWatched: true,
  isStale: false,
  priced: 1,
  cards: 1,
  quarantined: 0,
  failedPartCount: 0,
  failedParts: [],
  error: null,
  errorAt: null,
};

function alarms(sources: readonly SourceHealth[], findings: Findings = []) {
  const health = { ...HEALTH, findings: [...HEALTH.findings, ...findings] };
  return alarmsOf({ health, sources, gameName: (slug) => slug.toUpperCase() });
}

describe('the alarms of the service', () => {
  it('are none while every check passes and every source is fresh', () => {
    assert.deepEqual(alarms([FRESH]), []);
  });

  it('join the games of a stale source, with its oldest price and its failures', () => {
    const error = 'There is no folder.';
    const [alarm, ...others] = alarms([
      { ...FRESH, isStale: true, error },
      { ...FRESH, isStale: true, error, game: 'magic', observedAt: '2026-01-02T00:00:00Z' },
      { ...FRESH, game: 'pokemon' },
    ]);
    assert.deepEqual(others, []);
    assert.deepEqual(alarm, {
      state: 'wrong',
      about: 'tcgcsv',
      says:
        'Its prices of LORCANA and MAGIC are older than allowed. ' +
        'The last update failed: There is no folder.',
      last: ['Newest price', '2026-01-02T00:00:00Z'],
      fix: 'Fix the cause, then sync the source.',
      href: '/operator/sources',
    });
  });

  it('say that a source has never had a price', () => {
    const never = { isStale: true, observedAt: null, succeededAt: null };
    const [alarm] = alarms([{ ...FRESH, ...never, game: null }]);
    assert.equal(alarm?.says, 'The source has never had a price.');
    assert.deepEqual(alarm?.last, ['Last success', null]);
    const [mixed] = alarms([
      { ...FRESH, ...never },
      { ...FRESH, isStale: true },
    ]);
    assert.deepEqual(mixed?.last, ['Newest price', '2026-01-28T00:00:00Z']);
  });

  it('warn of a fresh source that failed or has unreadable parts', () => {
    const parts = { failedPartCount: 2, failedParts: [] };
    const found = alarms([
      { ...FRESH, error: 'No network.', errorAt: '2026-01-28T01:00:00Z' },
      { ...FRESH, source: 'justtcg', ...parts },
    ]);
    assert.deepEqual(
      found.map(({ state, about, says }) => `${state} ${about}: ${says}`),
      [
        'warning tcgcsv: The last update failed: No network.',
        'warning justtcg: 2 parts could not be read completely.',
      ],
    );
    assert.deepEqual(found[0]?.last, ['Last success', '2026-01-28T00:00:00Z']);
  });

  it('put what is wrong before warnings, and leave the findings about sources to their rows', () => {
    const found = alarms(
      [{ ...FRESH, error: 'No network.' }],
      [
        { about: 'sources', state: 'wrong', says: 'tcgcsv is 3 days old.', fix: '' },
        { about: 'backups', state: 'warning', says: 'No backup.', fix: 'Make one.' },
        { about: 'clock', state: 'wrong', says: 'It is late.', fix: 'Set it.' },
      ],
    );
    assert.deepEqual(
      found.map(({ about }) => about),
      ['clock', 'tcgcsv', 'backups'],
    );
    assert.deepEqual(found[2]?.last, ['Newest backup', '2026-01-20T00:00:00Z']);
  });
});
