/**
 * Measures how well validation keeps wrong prices from being served. It plants mistakes into the
 * days of a made catalogue, imports these day by day, and reads the served prices at the end of
 * each day. Then it imports the same days without mistakes, and counts quarantined prices. Exits
 * with 1 if a goal is missed.
 *
 *     node bench/guard.ts                       # some 2,500 mistakes of 50 kinds
 *     node bench/guard.ts --only 'set ×1.3'     # the kinds whose names contain this
 *     node bench/guard.ts --archive ./tcgcsv-archive      # on real days of the archive
 *
 * Options: --seed N; --singles N and --sets N, how many mistakes of each kind; --off, without
 * validation.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { PriceSettings } from '../src/ingest/import.ts';
import { KINDS, MARKET_KINDS } from './guard/kinds.ts';
import { plan } from './guard/plan.ts';
import { seeded } from './guard/random.ts';
import { readWorld } from './guard/real.ts';
import { makeBase, replay, replayTruth, type Verdict } from './guard/replay.ts';
import { report, reportTruth } from './guard/report.ts';
import { makeWorld } from './guard/world.ts';

/** At most this share of true prices may be in quarantine, and so disputed. */
const MOST_HELD = 0.003;

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '13' },
    only: { type: 'string', default: '' },
    archive: { type: 'string' },
    singles: { type: 'string', default: '20' },
    sets: { type: 'string', default: '2' },
    off: { type: 'boolean', default: false },
  },
});
const settings: PriceSettings = options.off ? { limits: null } : {};
const all = options.archive === undefined ? KINDS : MARKET_KINDS;
const kinds = all.filter(({ name }) => name.includes(options.only));
if (kinds.length === 0) throw new Error(`No kind of mistake contains "${options.only}".`);

const folder = mkdtempSync(join(tmpdir(), 'cardprice-guard-'));
try {
  const random = seeded(Number(options.seed), 'guard');
  const world =
    options.archive === undefined
      ? makeWorld(24, 60, random)
      : await readWorld(options.archive, 40, random);
  console.log(`${world.rows.length} printings`);
  const file = await makeBase(world, folder, settings);
  const amount = { singles: Number(options.singles), sets: Number(options.sets) };
  const verdicts: Verdict[] = [];
  for (const one of plan(world, kinds, amount, random)) {
    verdicts.push(...(await replay(world, file, one, settings)));
  }
  const missed = report(verdicts);
  const days = await replayTruth(world, file, settings);
  const share = reportTruth(days);
  if (share > MOST_HELD) missed.push('true prices: at most 0.3 % held');
  for (const goal of missed) console.log(`GOAL MISSED  ${goal}`);
  process.exitCode = missed.length > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
