import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Driver, runImport } from '../../src/ingest/import.ts';
import type { ImportSummary } from '../../src/ingest/summary.ts';
import { lastFinishedImport, takeImportLock } from '../../src/store/catalogue/imports.ts';
import { hasUnpublished, readPublication } from '../../src/store/catalogue/publications.ts';
import type { Store } from '../../src/store/connect.ts';
import { forEachEngine } from '../support/engines.ts';
import { NOW } from '../support/tcgcsv.ts';

const PARTS = ['first', 'second'];

/** A driver that logs its calls and fails at a part called `broken`. */
function driverOf(parts: readonly string[], log: string[]): Driver<string, ImportSummary> {
  return {
    source: 'tcgcsv',
    async open(run, tally) {
      let done = 0;
      return {
        observedAt: NOW - 1000,
        async *parts() {
          yield* parts;
        },
        async write(part) {
          if (part === 'broken') throw new Error('the source has failed');
          log.push(`write ${part}`);
          await run.publication.begin(run.store.db);
          tally.addSkipped({ sealed: 1 });
          done += 1;
          return { done, total: parts.length, name: part };
        },
        async finish() {
          const { revision } = await readPublication(run.store.db);
          log.push(`finish, ${revision} published`);
        },
        summarise(seconds) {
          const { counts, skipped, quarantined, broken } = tally;
          return {
            source: 'tcgcsv',
            ...counts,
            skipped,
            quarantined: quarantined,
            broken,
            seconds,
          };
        },
      };
    },
  };
}

/** Whether another process can take the import lock. */
function isFree(store: Store): Promise<boolean> {
  return takeImportLock(store.db, 'elsewhere:1', NOW, NOW + 1000);
}

forEachEngine((_label, open) => {
  test('an import writes every part, finishes, publishes once and records its summary', async () => {
    const store = await open();
    const log: string[] = [];
    const { revision: before } = await readPublication(store.db);
    const summary = await runImport(store, driverOf(PARTS, log), {
      clock: () => NOW,
      onProgress: (done, total, name) => log.push(`${name} is ${done} of ${total}`),
    });
    assert.deepEqual(log, [
      'write first',
      'first is 1 of 2',
      'write second',
      'second is 2 of 2',
      `finish, ${before} published`,
    ]);
    assert.deepEqual(summary.skipped, { sealed: 2 });
    assert.equal((await readPublication(store.db)).revision, before + 1);
    const recorded = await lastFinishedImport(store.db, 'tcgcsv');
    assert.deepEqual(recorded?.summary, summary);
    assert.deepEqual([recorded?.startedAt, recorded?.observedAt], [NOW, NOW - 1000]);
    assert.equal(await isFree(store), true);
  });

  test('an import that fails publishes nothing, records no end and frees the lock', async () => {
    const store = await open();
    const { revision: before } = await readPublication(store.db);
    const failing = driverOf(['first', 'broken'], []);
    await assert.rejects(runImport(store, failing, { clock: () => NOW }), /has failed/);
    assert.equal((await readPublication(store.db)).revision, before);
    assert.equal(await hasUnpublished(store.db), true);
    assert.equal(await lastFinishedImport(store.db, 'tcgcsv'), undefined);
    assert.equal(await isFree(store), true);
  });

  test('an import without anything to write publishes nothing', async () => {
    const store = await open();
    const { revision: before } = await readPublication(store.db);
    await runImport(store, driverOf([], []), { clock: () => NOW });
    assert.equal((await readPublication(store.db)).revision, before);
    assert.notEqual(await lastFinishedImport(store.db, 'tcgcsv'), undefined);
  });
});
