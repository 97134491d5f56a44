import {
  chmodSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plan, Variables } from './services.ts';

/** Wrong clocks, which programs get from faketime. */

const COMMON = { FAKETIME_DONT_FAKE_MONOTONIC: '1' };

/** What makes the clock of a process be so many seconds ahead of the machine's. */
export function clockVariables({ programs }: Plan, seconds: number): Variables {
  if (seconds === 0) return {};
  return { LD_PRELOAD: programs.faketime, FAKETIME: `+${seconds}s`, ...COMMON };
}

/**
 * Makes the folder of PostgreSQL's programs, of which the server goes by `settableClock`. Patroni
 * does not: faketime breaks its threads.
 */
export function makePostgresql(plan: Plan): void {
  const [folder, programs] = [postgresqlFolder(plan), dirname(plan.programs.postgres)];
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  chmodSync(folder, 0o755);
  for (const name of readdirSync(programs)) {
    if (name !== 'postgres') symlinkSync(join(programs, name), join(folder, name));
  }
  const command = `LD_PRELOAD=${plan.programs.faketime} exec ${plan.programs.postgres} "$@"`;
  writeFileSync(join(folder, 'postgres'), `#!/bin/sh\n${command}\n`);
  chmodSync(join(folder, 'postgres'), 0o755);
}

export function postgresqlFolder({ folder }: Plan): string {
  return join(folder, 'postgresql');
}

/**
 * The clock of a PostgreSQL server, as `setClock` sets it while it runs. It starts with that of the
 * machine: Patroni takes a server that began at another time than its process for a stranger.
 */
export function settableClock(plan: Plan, machine: string): Variables {
  return {
    FAKETIME_TIMESTAMP_FILE: clockFile(plan, machine),
    FAKETIME_CACHE_DURATION: '1',
    FAKETIME_ONLY_CMDS: 'postgres',
    ...COMMON,
  };
}

/** Sets the clock of a PostgreSQL server so many seconds ahead; it sees that within a second. */
export function setClock(plan: Plan, machine: string, seconds: number): void {
  const file = clockFile(plan, machine);
  writeFileSync(`${file}.new`, `+${seconds}s`);
  chmodSync(`${file}.new`, 0o644);
  // Renamed, so that it never reads half of it.
  renameSync(`${file}.new`, file);
}

function clockFile({ folder }: Plan, machine: string): string {
  return join(folder, `${machine}.clock`);
}
