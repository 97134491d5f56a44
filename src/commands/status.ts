import { Command } from 'commander';
import { formatMoment } from '../domain/day.ts';
import { staleLimit } from '../domain/staleness.ts';
import { formatAge } from '../domain/sync.ts';
import type { StoredPartFault } from '../store/catalogue/failed-parts.ts';
import { readFigures, refreshFigures } from '../store/catalogue/sync.ts';
import { readHealth, type SourceHealth } from '../store/reports/health.ts';
import type { CommandContext } from './context.ts';
import { type JsonFlag, jsonOption } from './options.ts';
import { EXIT, formatOptionalMoment, printJson, printLine, printTable } from './output.ts';

/** `cardprice status`: shows how fresh the prices are, by source and game. */
export function statusCommand(context: CommandContext): Command {
  return new Command('status')
    .description(
      'Show the state of each source for each game: its last success, the age of its newest ' +
        'price, the share of cards that it prices, quarantined prices and errors.',
    )
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
The exit code is ${EXIT.failure} if a source is older than CARDPRICE_STALE_AFTER allows, or if a synced
source has never succeeded. Sources that are neither synced nor listed in that setting are not
watched. Below the table are the parts of each source (bad rows, whole groups) that could not be
read, until an import reads them completely. /metrics has the same figures.

Example:
  cardprice status`,
    )
    .action((flags: JsonFlag) => showStatus(context, flags.json ?? false));
}

async function showStatus(context: CommandContext, json: boolean): Promise<void> {
  const config = context.config();
  const health = await context.withStore(async (store) => {
    // After an upgrade there are no figures. Every import refreshes them at its end.
    if ((await readFigures(store.db)).length === 0) await refreshFigures(store);
    return readHealth(store, {
      now: context.clock(),
      synced: config.sync,
      limitOf: (source) => staleLimit(config, source),
    });
  });
  if (json) printJson(health.map(describe));
  else print(health);
  if (health.some(({ stale }) => stale)) process.exitCode = EXIT.failure;
}

/** Returns the JSON form, with moments as ISO 8601 text and the age in seconds. */
function describe(health: SourceHealth) {
  const { error, errorAt, failedParts, ...rest } = health;
  const { succeededAt, observedAt, age, priced, cards } = rest;
  return {
    ...rest,
    succeededAt: formatOptionalMoment(succeededAt),
    observedAt: formatOptionalMoment(observedAt),
    age: age === null ? null : Math.floor(age / 1000),
    failedParts: failedParts.map(({ since, lastAt, ...part }) => ({
      ...part,
      since: formatMoment(since),
      lastAt: formatMoment(lastAt),
    })),
    error,
    errorAt: formatOptionalMoment(errorAt),
    share: cards === 0 ? null : Number((priced / cards).toFixed(4)),
  };
}

const HEADINGS = [
  'SOURCE',
  'GAME',
  'LAST SUCCESS',
  'AGE',
  'CARDS',
  'PRICED',
  'QUARANTINED',
  'STATE',
];
const NONE = '-';

function print(health: readonly SourceHealth[]): void {
  const rows = health.map((row) => [
    row.source,
    row.game ?? NONE,
    row.succeededAt === null ? 'never' : formatMoment(row.succeededAt),
    row.age === null ? NONE : formatAge(row.age),
    String(row.priced),
    row.cards === 0 ? NONE : `${((row.priced / row.cards) * 100).toFixed(1)} %`,
    String(row.quarantined),
    stateOf(row),
  ]);
  printTable(HEADINGS, rows, 'No source is synced, and there were no imports.');
  const failing = new Map(health.flatMap((row) => (row.error ? [[row.source, row] as const] : [])));
  for (const { source, error, errorAt } of failing.values()) {
    printLine();
    printLine(`${source}, ${formatOptionalMoment(errorAt)}: ${error}`);
  }
  printFailedParts(health.flatMap(({ failedParts }) => failedParts));
}

/** Failed parts to list. `--json` lists all. */
const PARTS_SHOWN = 20;

function printFailedParts(failed: readonly StoredPartFault[]): void {
  if (failed.length === 0) return;
  printLine();
  printLine('Parts that could not be read, until an import reads them completely:');
  for (const { source, part, since, badRows, examples } of failed.slice(0, PARTS_SHOWN)) {
    const rows = badRows === null ? 'not read' : `${badRows} left out`;
    printLine(`  ${source} ${part}: ${rows}, since ${formatMoment(since)}`);
    for (const { name, reason } of examples) printLine(`    ${name}: ${reason}`);
  }
  if (failed.length > PARTS_SHOWN) printLine(`  and ${failed.length - PARTS_SHOWN} more`);
}

function stateOf({ stale, error, failedParts, watched }: SourceHealth): string {
  if (stale) return 'STALE';
  if (error !== null) return 'failing';
  if (failedParts.length > 0) return 'incomplete';
  return watched ? 'fresh' : 'not watched';
}
