import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BulkList } from '../../src/domain/bulk.ts';
import { Program, run } from './cli.ts';

/** A writer is killed within this many milliseconds of its start. */
const LONGEST_MS = 3000;

/** The two choices of sources alternate, so each run writes other files than the list contains. */
const SOURCES = ['quotes,tcgcsv', 'quotes'];

/**
 * Kills writers of bulk files at random moments. After each kill, the list must be intact if it
 * exists. After the next run, nothing may be left over.
 */
export async function killBulkWriters(
  database: string,
  folder: string,
  { kills, random }: { readonly kills: number; readonly random: () => number },
): Promise<void> {
  const envOf = (turn: number) => ({
    CARDPRICE_DATABASE: database,
    CARDPRICE_BULK_SOURCES: SOURCES[turn % SOURCES.length] ?? '',
  });
  for (let kill = 0; kill < kills; kill += 1) {
    const program = new Program(['export', 'bulk', folder], { env: envOf(kill) });
    await Promise.race([sleep(random() * LONGEST_MS), program.ended()]);
    await program.send('SIGKILL').ended();
    requireWhole(folder);
  }
  const wanted = new Set(['bulk.json']);
  for (let turn = 0; turn < SOURCES.length; turn += 1) {
    const { code, err } = await run(['export', 'bulk', folder, '--json'], { env: envOf(turn) });
    assert.deepEqual([code, err], [0, '']);
    for (const { url } of requireWhole(folder)) wanted.add(url);
  }
  const found = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = found.filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) =>
    join(parentPath, name).slice(folder.length + 1),
  );
  assert.deepEqual(
    paths.filter((path) => !wanted.has(path)),
    [],
  );
}

/** Compares the files of a list with their digests, and returns them. */
function requireWhole(folder: string): BulkList['data'] {
  const path = join(folder, 'bulk.json');
  if (!existsSync(path)) return [];
  const { data }: BulkList = JSON.parse(readFileSync(path, 'utf8'));
  for (const { url, sha256 } of data) {
    const bytes = readFileSync(join(folder, url));
    assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256, url);
  }
  return data;
}
