#!/usr/bin/env -S node --max-semi-space-size=8
import { existsSync, readFileSync } from 'node:fs';

/**
 * The front door of the package and of a checkout. It is plain JavaScript and imports nothing but
 * Node's own modules until it knows that Node is new enough: an older one cannot read TypeScript,
 * and better-sqlite3 crashes it before any message could be printed.
 */

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const required = engines.node.replace(/^>=/, '');

if (isOlder(process.versions.node, required)) {
  console.error(
    `cardprice needs Node ${required} or newer; this is ${process.versions.node}. ` +
      'See https://nodejs.org for a newer one.',
  );
  process.exitCode = 1;
} else {
  // The package has no sources. A checkout runs its own, for what is in `dist` may be of yesterday.
  const source = new URL('../src/main.ts', import.meta.url);
  await import(existsSync(source) ? source.href : '../dist/main.js');
}

/** Whether a version `major.minor.patch` comes before `least`, which may leave parts out. */
function isOlder(version, least) {
  const parts = version.split('.').map(Number);
  for (const [index, wanted] of least.split('.').map(Number).entries()) {
    const part = parts[index] ?? 0;
    if (part !== wanted) return part < wanted;
  }
  return false;
}
