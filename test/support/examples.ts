import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { eventually, Program, temporaryFolder } from './cli.ts';

/** Runs examples of the documentation against the starter catalogue, like a reader. */

/** Replaces curl, which is not on every machine. */
export const CURL = fileURLToPath(new URL('curl.ts', import.meta.url));

const exec = promisify(execFile);

export interface ExampleService {
  /** The variables that the examples read, and a search path with our curl. */
  readonly env: NodeJS.ProcessEnv & { readonly PRICES_URL: string; readonly PRICES_KEY: string };
  /** Returns the output of a program. */
  run(program: string, args: readonly string[]): Promise<string>;
}

/** Returns the examples of a Markdown page in a language, in order. */
export function examplesIn(page: string, language: string): string[] {
  return [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, name, text = '']) => {
    return name === language ? [text] : [];
  });
}

/** Starts a service with the starter catalogue, which ends with the tests of the file. */
export async function startExampleService(): Promise<ExampleService> {
  const folder = temporaryFolder();
  const service = new Program(['--database', join(folder, 'guide.db'), 'start', '--port', '0']);
  const url = await service.listening();
  await eventually(() => service.out.includes('  business  cp_live_'));
  const [, key = ''] = /^ {2}trader +(cp_live_\S+)$/m.exec(service.out) ?? [];
  const env = { ...process.env, PRICES_URL: url, PRICES_KEY: key, PATH: withCurl(folder) };
  const run = async (program: string, args: readonly string[]) => {
    return (await exec(program, args, { env, timeout: 30_000 })).stdout;
  };
  return { env, run };
}

/** Returns the search path with our curl in front. */
function withCurl(folder: string): string {
  const path = join(folder, 'curl');
  writeFileSync(path, `#!/bin/sh\nexec '${process.execPath}' '${CURL}' "$@"\n`);
  chmodSync(path, 0o755);
  return `${folder}${delimiter}${process.env.PATH}`;
}

/**
 * Returns whether Python has pandas; nothing without Python, which a checkout does not require: its
 * examples run only where it is installed.
 */
export function pythons(): { hasPandas: boolean }[] {
  const succeeds = (code: string) => {
    try {
      execFileSync('python3', ['-c', code], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  };
  return succeeds('') ? [{ hasPandas: succeeds('import pandas') }] : [];
}
