/**
 * Writes the names of the running tests of this process to a file, so `scripts/test.ts` can name
 * tests that hang. A test that blocks the process cannot report its own name.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'node:test';
import { isMainThread } from 'node:worker_threads';

const folder = process.env.TEST_RUNNING_FOLDER;
const isTestFile = /\.test\.ts$/.test(process.argv[1] ?? '');

// Workers and processes that tests start inherit the flag that loads this module.
if (folder && isTestFile && isMainThread) {
  const path = join(folder, `${process.pid}.json`);
  const running = new Set<string>();
  const write = () => writeFileSync(path, JSON.stringify({ at: Date.now(), names: [...running] }));
  beforeEach((context) => {
    if ('fullName' in context) running.add(`${context.filePath}: ${context.fullName}`);
    write();
  });
  afterEach((context) => {
    if ('fullName' in context) running.delete(`${context.filePath}: ${context.fullName}`);
    write();
  });
  process.once('exit', () => rmSync(path, { force: true }));
}
