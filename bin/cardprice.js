#!/usr/bin/env -S node --max-semi-space-size=8
import { existsSync, readFileSync } from 'node:fs';

/**
 * The entry point of the package and of a checkout. It is plain JavaScript and imports only Node's
 * own modules until it has checked the version of Node. An older Node cannot read TypeScript, and
 * better-sqlite3 crashes it before the program can print a message.
 */

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const required = engines.node.replace(/^>=/, '');

if (isOlder(process.versions.node, required)) {
  console.error(
    `cardprice: Node ${required} or newer is needed; this is ${process.versions.node}. ` +
      'Download it from https://nodejs.org.',
  );
  process.exitCode = 1;
} else {
  // The package has no `src`. A checkout runs `src`, because its `dist` may be out of date.
  const source = new URL('../src/main.ts', import.meta.url);
  await import(existsSync(source) ? source.href : '../dist/main.js');
}

/** Whether a version `major.minor.patch` is older than `least`, which may omit parts. */
function isOlder(version, least) {
  const parts = version.split('.').map(Number);
  for (const [index, wanted] of least.split('.').map(Number).entries()) {
    const part = parts[index] ?? 0;
    if (part !== wanted) return part < wanted;
  }
  return false;
}
