#!/usr/bin/env -S node --max-semi-space-size=8
import { readFileSync } from 'node:fs';
import nodeModule from 'node:module';

/**
 * The command line's front door. It imports nothing but Node's own modules until it knows that
 * Node is new enough: better-sqlite3 crashes an older one before any message could be printed.
 */

interface Package {
  readonly version: string;
  readonly engines: { readonly node: string };
}

const manifest = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as Package;
const required = manifest.engines.node.replace(/^>=/, '');

if (isOlder(process.versions.node, required)) {
  console.error(
    `cardprice needs Node ${required} or newer; this is ${process.versions.node}. ` +
      'See https://nodejs.org for a newer one.',
  );
  process.exitCode = 1;
} else {
  // Every later start is spared a third of a second of reading the program.
  nodeModule.enableCompileCache();
  const { runCli } = await import('./commands/cli.ts');
  process.exitCode = await runCli(process.argv.slice(2), manifest.version);
}

/** Whether a version `major.minor.patch` comes before `least`, which may leave parts out. */
function isOlder(version: string, least: string): boolean {
  const parts = version.split('.').map(Number);
  for (const [index, wanted] of least.split('.').map(Number).entries()) {
    const part = parts[index] ?? 0;
    if (part !== wanted) return part < wanted;
  }
  return false;
}
