import assert from 'node:assert/strict';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import pg from 'pg';
import { findPrograms } from '../../scripts/cluster/programs.ts';
import { eventually, temporaryFolder } from '../support/cli.ts';
import type { Patch } from '../support/patched-program.ts';
import { CHECKS } from './checker/index.ts';
import type { RunRecord } from './record.ts';
import { CUT, type Mishap, performOnOneNode } from './run/one-node.ts';

/** The promises that a run breaks, except those about times: the machine may be busy. */
function brokenBy(record: RunRecord): Record<string, string[]> {
  const untimed = CHECKS.filter(({ isTimed }) => !isTimed);
  const all = untimed.map(({ promise, violations }) => [promise, violations(record)] as const);
  return Object.fromEntries(all.filter(([, wrong]) => wrong.length > 0));
}

/** Of each page of a set, the first name stays as it was at first. */
function mixed(body: string, path: string): string {
  return path.includes('/cards?limit') ? body.replace(/ K\d+"/, ' K0"') : body;
}

/** The node's clock is a day ahead of its database's. */
function aDayAhead() {
  const { faketime } = findPrograms();
  return { LD_PRELOAD: faketime, FAKETIME: '+86490s', FAKETIME_DONT_FAKE_MONOTONIC: '1' };
}

/** More than one of an account, so that answers of unknown fate do not explain them. */
const LOST = 20;

/** For a while, the node does not hear of every third charge that the database has made. */
function losingReplies() {
  const file = join(temporaryFolder(), 'losing');
  return {
    env: { LOSING: file },
    mishap: {
      cause: async () => {
        writeFileSync(file, '');
        await eventually(() => sizeOf(`${file}.lost`) >= LOST);
      },
      undo: () => rmSync(file),
    },
  };
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

const LOST_REPLIES: readonly Patch[] = [
  {
    file: 'src/accounts/quota/charge-sql.ts',
    text: "import type { Engine } from '../../store/engine/engine.ts';",
    instead: `import { appendFileSync, existsSync } from 'node:fs';
      import { DatabaseUnavailable } from '../../store/engine/unavailable.ts';
      import type { Engine } from '../../store/engine/engine.ts';
      let charges = 0;`,
  },
  {
    file: 'src/accounts/quota/charge-sql.ts',
    text: 'charge: (rows, day) => {',
    instead: 'charge: async (rows, day) => {',
  },
  {
    file: 'src/accounts/quota/charge-sql.ts',
    text: 'return charge([costs, day, quota, quotas]);',
    instead: `const charged = await charge([costs, day, quota, quotas]);
      charges += 1;
      if (charges % 3 > 0 || !existsSync(String(process.env.LOSING))) return charged;
      appendFileSync(process.env.LOSING + '.lost', '.');
      throw new DatabaseUnavailable('The reply was lost.');`,
  },
];

/** A charge with an unknown outcome is repeated. */
const RETRIED_CHARGE: Patch = {
  file: 'src/accounts/quota/quota-charger.ts',
  text: 'const charged = await this.#statements.charge([...rows.values()], day);',
  instead: `const charge = () => this.#statements.charge([...rows.values()], day);
    const charged = await charge().catch(charge);`,
};

const OWN_CLOCK: Patch = {
  file: 'src/store/engine/database-clock.ts',
  text: 'return Math.floor(this.#origin + performance.now());',
  instead: 'return Date.now();',
};

const WITHOUT_RETRY_AFTER: Patch = {
  file: 'src/http/errors.ts',
  text: '{ retryAfter: RETRY_SECONDS }',
  instead: '{}',
};

const REMEMBERED_KEYS: Patch = {
  file: 'src/accounts/keys/authenticator.ts',
  text: 'return hasApiKeyLength(text) ? this.#callers.get(text) : NOBODY;',
  instead: `const known: Map<string, Promise<Caller | undefined>> =
      ((globalThis as any).known ??= new Map());
    const caller = known.get(text) ?? this.#callers.get(text);
    known.set(text, caller);
    return caller;`,
};

const CHANGED_EVENTS: Patch = {
  file: 'src/domain/webhooks.ts',
  text: "if (form === 'signed') return payload;",
  instead:
    "if (form === 'signed') return JSON.stringify({ ...JSON.parse(payload), sent: Date.now() });",
};

/** The database loses its newest publication, as after a failover to a server that lacks it. */
const LOSE_PUBLICATION = `
  do $$
  declare
    newest integer;
  begin
    loop
      select revision into newest from catalog_state where writing = revision for update;
      exit when found;
      -- A row that changed in the meantime stays locked, although it is not found.
      rollback;
      perform pg_sleep(0.05);
    end loop;
    delete from changes where revision = newest;
    delete from changed_games where revision = newest;
    delete from history_recordings where revision = newest;
    delete from history_late where revision = newest;
    delete from newest_days where revision = newest;
    delete from publications where revision = newest;
    update catalog_state set revision = newest - 1, writing = newest - 1;
    update sets set revision = newest - 1 where revision = newest;
    update cards set revision = newest - 1 where revision = newest;
    update printings set revision = newest - 1 where revision = newest;
    update card_external_ids set revision = newest - 1 where revision = newest;
  end $$`;

/** It ends with another publication in place of the lost one, which nodes serve at the end. */
function losingAPublication(): Mishap {
  let left = 0;
  return {
    cause: async ({ database }) => {
      await ask(database, LOSE_PUBLICATION);
      left = await newestRevision(database);
    },
    undo: ({ database }) => eventually(async () => (await newestRevision(database)) > left),
  };
}

async function newestRevision(database: string): Promise<number> {
  const [row] = await ask(database, 'select revision from catalog_state');
  return Number(row?.revision);
}

async function ask(database: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  const { rows } = await client.query(text).finally(() => client.end());
  return rows;
}

/** Two mishaps, the second after the first. */
function inTurn(first: Mishap, second: Mishap): Mishap {
  return {
    cause: async (place) => {
      await first.cause(place);
      await second.cause(place);
    },
    undo: async (place) => {
      await first.undo(place);
      await second.undo(place);
    },
  };
}

describe('one node under the load of a cluster', { timeout: 400_000 }, () => {
  it('keeps all promises: cut off, a day ahead, and not told of all of its charges', async () => {
    const { env, mishap } = losingReplies();
    const record = await performOnOneNode({
      patches: LOST_REPLIES,
      env: { ...env, ...aDayAhead() },
      mishap: inTurn(mishap, CUT),
    });
    assert.deepEqual(brokenBy(record), {});
    assert.ok(record.answers.some(({ status }) => status === 429));
    assert.ok(record.answers.some(({ status }) => status === 503));
    assert.ok(record.keys.some(({ revoked }) => revoked?.acknowledged != null));
    assert.ok(record.publications.length > 2);
  });

  it('is found out when it mixes publications, repeats charges, remembers keys and changes events', async () => {
    const record = await performOnOneNode({
      ...losingReplies(),
      patches: [...LOST_REPLIES, RETRIED_CHARGE, REMEMBERED_KEYS, CHANGED_EVENTS],
      tamper: mixed,
    });
    assert.deepEqual(Object.keys(brokenBy(record)), [
      'usage is the charged answers, and at most those of unknown fate',
      'revoked keys are refused',
      'an event never changes',
      'every body is one publication, whole',
    ]);
  });

  it('is found out when it goes by its own clock, asks nobody back, and lost data', async () => {
    const { env, mishap } = losingReplies();
    const record = await performOnOneNode({
      env: { ...env, ...aDayAhead() },
      patches: [...LOST_REPLIES, OWN_CLOCK, WITHOUT_RETRY_AFTER],
      mishap: inTurn(mishap, losingAPublication()),
    });
    assert.deepEqual(Object.keys(brokenBy(record)), [
      // What it does not hear of counts on another day.
      'usage is the charged answers, and at most those of unknown fate',
      'a charge is of its day',
      'no acknowledged publication is lost',
      'failures are 503 with Retry-After',
    ]);
  });
});
