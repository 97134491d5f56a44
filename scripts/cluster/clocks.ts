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

/** Wrong clocks, which faketime gives to programs. */

const COMMON = { FAKETIME_DONT_FAKE_MONOTONIC: '1' };

/** The environment that sets the clock of a process this many seconds ahead of the machine's. */
export function clockVariables({ programs }: Plan, seconds: number): Variables {
  if (seconds === 0) return {};
  return { LD_PRELOAD: programs.faketime, FAKETIME: `+${seconds}s`, ...COMMON };
}

/**
 * Creates the folder of PostgreSQL's programs, whose server uses the clock of `settableClock`.
 * Patroni does not use it, because faketime breaks its threads.
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
 * The clock of a PostgreSQL server, which `setClock` sets while the server runs. It starts with the
 * machine's time: Patroni does not recognise a server whose start time differs from that of its
 * process.
 */
export function settableClock(plan: Plan, machine: string): Variables {
  return {
    FAKETIME_TIMESTAMP_FILE: clockFile(plan, machine),
    FAKETIME_CACHE_DURATION: '1',
    FAKETIME_ONLY_CMDS: 'postgres',
    ...COMMON,
  };
}

/**
 * Sets the clock of a PostgreSQL server this many seconds ahead. The server notices within a
 * second.
 */
export function setClock(plan: Plan, machine: string, seconds: number): void {
  const file = clockFile(plan, machine);
  writeFileSync(`${file}.new`, `+${seconds}s`);
  chmodSync(`${file}.new`, 0o644);
  // Renamed, so the server never reads half of it.
  renameSync(`${file}.new`, file);
}

function clockFile({ folder }: Plan, machine: string): string {
  return join(folder, `${machine}.clock`);
}
