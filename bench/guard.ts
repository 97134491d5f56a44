/**
 * Measures how well validation keeps wrong prices from being served: plants mistakes in real days,
 * imports these day by day, and reads what is served. Then imports the same days without mistakes
 * and counts what is held of them.
 *
 *     node bench/guard.ts                       # some 10,000 mistakes
 *     node bench/guard.ts --quick               # a tenth of them
 *     node bench/guard.ts --only 'set ×1.3'     # the kinds whose names contain this
 *
 *     node bench/guard.ts --true --list         # the days without mistakes only, and what is held
 *
 * Options: --data FOLDER (../shared/data); --seed N; --quick; --only KIND and --world NAME, a part
 * of the mistakes, without the true days; --by-world, a line for each kind and source; --true;
 * --list; --json; --off, with validation switched off; --work FOLDER for the databases.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { PriceSettings } from '../src/ingest/import.ts';
import { KINDS } from './guard/kinds.ts';
import { type RealDays, readSources } from './guard/kit.ts';
import { plan } from './guard/plan.ts';
import { describeHold, measurePrecision, type Precision } from './guard/precision.ts';
import { precisionGoals, printPrecision } from './guard/precision-report.ts';
import { seeded } from './guard/random.ts';
import { makeBase, replay } from './guard/replay.ts';
import {
  byGroup,
  byKind,
  byKindAndWorld,
  goalsOf,
  printGoals,
  printTable,
  type Result,
} from './guard/report.ts';
import { TRUE_WORLDS } from './guard/true-worlds.ts';
import { WORLDS } from './guard/worlds.ts';

const { values: options } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/data' },
    seed: { type: 'string', default: '13' },
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    world: { type: 'string' },
    'by-world': { type: 'boolean', default: false },
    true: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    off: { type: 'boolean', default: false },
    work: { type: 'string', default: join(tmpdir(), `guard-bench-${process.pid}`) },
  },
});
const settings: PriceSettings = options.off ? { limits: null } : {};
const kinds = KINDS.filter(({ name }) => name.includes(options.only ?? ''));
if (kinds.length === 0) throw new Error(`No kind of mistake has "${options.only}" in its name.`);

/** How many single mistakes of each kind, and how many sets, each world gets. */
const AMOUNTS: Readonly<Record<string, { singles: number; sets: number }>> = {
  magic: { singles: 60, sets: 3 },
  pokemon: { singles: 60, sets: 3 },
  lorcana: { singles: 10, sets: 0 },
  archive: { singles: 10, sets: 0 },
  scryfall: { singles: 30, sets: 3 },
  'beside scryfall': { singles: 30, sets: 0 },
  pricecharting: { singles: 24, sets: 0 },
  justtcg: { singles: 12, sets: 0 },
  quotes: { singles: 12, sets: 0 },
};

mkdirSync(options.work, { recursive: true });
try {
  const sources = await readSources(options.data);
  const results: Result[] = [];
  for (const name of options.true ? [] : Object.keys(WORLDS)) {
    if (options.world === undefined || options.world === name) {
      results.push(...(await measure(name, sources)));
    }
  }
  const isPart = options.only !== undefined || options.world !== undefined;
  report(results, isPart ? [] : await measureTrueDays(sources));
} finally {
  rmSync(options.work, { recursive: true, force: true });
}

async function measure(name: string, sources: RealDays): Promise<Result[]> {
  const own = kinds.filter(({ worlds }) => worlds.includes(name));
  const build = WORLDS[name];
  if (own.length === 0 || !build) return [];
  const started = performance.now();
  const random = seeded(Number(options.seed), name);
  const size = options.quick ? 1500 : 5000;
  const world = await build({ ...sources, random, size });
  const base = await makeBase(world, options.work, settings);
  const { singles = 0, sets = 0 } = AMOUNTS[name] ?? {};
  const share = options.quick ? 0.1 : 1;
  const amount = { singles: Math.ceil(singles * share), sets: Math.ceil(sets * share) };
  const plans = plan(base.world, own, amount, random);
  const results: Result[] = [];
  for (const one of plans) {
    const verdicts = await replay(base, one, settings);
    results.push(...verdicts.map((verdict) => ({ world: name, verdict })));
  }
  const seconds = (performance.now() - started) / 1000;
  console.error(
    `${world.about}\n  ${base.world.rows.length} printings of ${world.rows.length}, ` +
      `${results.length} mistakes in ${plans.length} replays, ${seconds.toFixed(0)} s`,
  );
  return results;
}

async function measureTrueDays(sources: RealDays): Promise<Precision[]> {
  const measured: Precision[] = [];
  for (const build of TRUE_WORLDS) {
    const started = performance.now();
    const world = await build(sources);
    measured.push(await measurePrecision(world, options.work, settings));
    console.error(`${world.about}\n  ${((performance.now() - started) / 1000).toFixed(0)} s`);
  }
  return measured;
}

function report(results: readonly Result[], precision: readonly Precision[]): void {
  const groups = byGroup(results);
  const goals = [...goalsOf(groups), ...precisionGoals(precision)];
  const table = options['by-world'] ? byKindAndWorld(results) : byKind(results);
  if (options.json) {
    const kindsJson = Object.fromEntries(byKindAndWorld(results));
    const groupsJson = Object.fromEntries(groups);
    const trueDays = precision.map(({ holds, ...rest }) => {
      return { ...rest, holds: holds.map(describeHold) };
    });
    console.log(JSON.stringify({ kinds: kindsJson, groups: groupsJson, trueDays, goals }));
    return;
  }
  if (results.length > 0) {
    printTable('Mistakes by kind', table);
    printTable('Mistakes by group', groups);
  }
  if (precision.length > 0) printPrecision(precision, options.list);
  printGoals(goals);
}
