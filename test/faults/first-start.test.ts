import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, Program, temporaryFolder } from '../support/cli.ts';
import { rounds } from './support/length.ts';

/** The demo keys that were printed so far, by plan. */
function shownKeys(programs: readonly Program[]): Map<string, string[]> {
  const keys = new Map<string, string[]>();
  for (const { out } of programs) {
    for (const [, plan = '', key = ''] of out.matchAll(/^ {2}(\w+) +(cp_live_\S+)$/gm)) {
      keys.set(plan, [...(keys.get(plan) ?? []), key]);
    }
  }
  return keys;
}

/** Kills a start some time after it was begun, or after it listens; returns it. */
async function killedStart(args: readonly string[], round: number): Promise<Program> {
  const program = new Program(args);
  // The first are killed while they load the catalogue, the others while they make accounts.
  if (round < 2) await sleep(400 + 500 * round);
  else await program.listening().then(() => sleep(25 * round));
  await program.send('SIGKILL').ended();
  return program;
}

it('A first start that is killed at any moment is finished by a later one', {
  timeout: 240_000,
}, async () => {
  const database = join(temporaryFolder(), 'killed.db');
  const args = ['--database', database, 'start', '--port', '0'];
  const programs: Program[] = [];
  for (let round = 0; round < rounds(5, 25); round += 1) {
    programs.push(await killedStart(args, round));
  }
  const last = new Program(args);
  const url = await last.listening();
  await eventually(() => last.out.includes('cardprice account create --operator'));
  const keys = shownKeys([...programs, last]);
  for (const [plan, limit] of Object.entries({ free: 200, trader: 10_000, business: 100_000 })) {
    const limits = await Promise.all((keys.get(plan) ?? []).map((key) => limitOf(url, key)));
    assert.ok(limits.includes(limit), `${plan}: ${limits.length} keys were shown`);
  }
  const ready = (await (await fetch(`${url}/readyz`)).json()) as { cards: number };
  assert.ok(ready.cards >= 4000);
});

/** The quota of a key; 0 for one that never worked. */
async function limitOf(url: string, key: string): Promise<number> {
  const { headers } = await fetch(`${url}/v1/games`, { headers: { 'x-api-key': key } });
  return Number(headers.get('x-ratelimit-limit'));
}
