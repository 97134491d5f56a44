import { Command } from 'commander';
import { formatDay } from '../domain/day.ts';
import { LAST_DAY } from '../history/codec.ts';
import { takeLock } from '../ingest/lock.ts';
import { NextPublication } from '../ingest/run.ts';
import { openOther } from '../store/backup/index.ts';
import type { NamedPrinting } from '../store/catalogue/series.ts';
import type { Store } from '../store/connect.ts';
import {
  checkHistory,
  type Repair,
  type RepairOptions,
  type Replacement,
  repairHistory,
} from '../store/history/index.ts';
import type { CommandContext } from './context.ts';
import { readExport } from './history-export-file.ts';
import { namesOf } from './history-names.ts';
import { jsonOption } from './options.ts';
import { printErrorLine, printJson, printLine } from './output.ts';
import { showProgress } from './progress.ts';

interface RepairFlags {
  readonly from?: string;
  readonly leaveOut?: boolean;
  readonly json?: boolean;
}

/** `cardprice history repair`: replaces damaged blocks, or gives their days up. */
export function repairCommand(context: CommandContext): Command {
  return new Command('repair')
    .description('Replace damaged blocks of the history, or give up their days.')
    .option(
      '--from <place>',
      'Take the days from the folder of a backup, from another database (a file or a postgres:// ' +
        'URL), or from a file that `export history` wrote (.csv or .ndjson).',
    )
    .option('--leave-out', 'Permanently give up days that the other place does not have.')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Back up the database first. Only unreadable blocks change; all other days stay. Cards are matched by
id and printings by name, so any database or export of the same cards works. Without --leave-out, a
block stays damaged unless the other place has its days. The exit code is 1 while any block is
damaged.

Examples:
  cardprice history repair --from /backup/cardprice-20260128T040000Z
  cardprice history repair --from old.db --leave-out
  cardprice history repair --leave-out`,
    )
    .action((flags: RepairFlags) => context.withStore((store) => repair(context, store, flags)));
}

async function repair({ clock }: CommandContext, store: Store, flags: RepairFlags): Promise<void> {
  const lock = await takeLock(store, clock);
  try {
    const printings = await damagedPrintings(store, flags);
    const names = await namesOf(store, printings);
    const source = await openSource(flags.from, names);
    try {
      const { replacement } = source;
      const options = { leaveOut: flags.leaveOut ?? false, ...(replacement && { replacement }) };
      const repairs = await repairAll(store, printings, options, {
        clock,
        renew: () => lock.renew(),
      });
      if (flags.json) printJson(repairs.map((one) => described(one, names)));
      else report(repairs, names);
    } finally {
      await source.close();
    }
  } finally {
    await lock.free();
  }
}

async function damagedPrintings(store: Store, { json }: RepairFlags): Promise<number[]> {
  const progress = json ? undefined : showProgress('blocks');
  const { damaged } = await checkHistory(store, progress?.update).finally(progress?.end);
  return [...new Set(damaged.map(({ printing }) => printing))];
}

interface Source {
  readonly replacement: Replacement | undefined;
  close(): Promise<void>;
}

async function openSource(
  from: string | undefined,
  names: ReadonlyMap<number, NamedPrinting>,
): Promise<Source> {
  const close = async () => {};
  if (from === undefined) return { replacement: undefined, close };
  if (/\.(csv|ndjson)$/.test(from)) return { replacement: await readExport(from, names), close };
  const other = await openOther(from);
  return { replacement: other.replacementOf(names), close: other.close };
}

async function repairAll(
  store: Store,
  printings: readonly number[],
  options: RepairOptions,
  { clock, renew }: Pick<CommandContext, 'clock'> & { readonly renew: () => Promise<void> },
): Promise<Repair[]> {
  const publication = await NextPublication.open(store);
  // Responses are cached until the next publication.
  if (printings.length > 0) await publication.begin(store.db);
  const repairs: Repair[] = [];
  for (const printing of printings) {
    repairs.push(await repairHistory(store, printing, options));
    await renew();
  }
  await publication.finish(clock());
  if (repairs.some(({ outcome }) => outcome === 'still damaged')) process.exitCode = 1;
  return repairs;
}

function described(repair: Repair, names: ReadonlyMap<number, NamedPrinting>) {
  const { printing, from, to, kept, replaced, outcome } = repair;
  const named = names.get(printing);
  return {
    card: named?.card ?? null,
    printing: named?.name ?? `printing ${printing}`,
    from: formatDay(from),
    to: to === LAST_DAY ? null : formatDay(to),
    kept,
    replaced,
    outcome,
  };
}

const WORDS = {
  replaced: 'Replaced ',
  'left out': 'Left out ',
  'still damaged': 'Damaged  ',
} as const;

function report(repairs: readonly Repair[], names: ReadonlyMap<number, NamedPrinting>): void {
  for (const repair of repairs) {
    const { card, printing, from, to, kept, replaced, outcome } = described(repair, names);
    const range = to === null ? `from ${from} on` : `${from} to ${to}`;
    const days =
      outcome === 'left out'
        ? `${range}: ${replaced} days replaced, all others are lost; ${kept} days elsewhere stay`
        : `${range}: ${replaced} days replaced; ${kept} days elsewhere stay`;
    printLine(`${WORDS[outcome]} ${card ?? 'unknown card'}, ${printing}, ${days}`);
  }
  const left = repairs.filter(({ outcome }) => outcome === 'still damaged').length;
  if (repairs.length === 0) printLine('No block of the history is damaged.');
  if (left === 0) return;
  printErrorLine(
    `${left} printings are still damaged, and their damaged blocks are not served. Try --from ` +
      'with a backup, another database or an export that has these days, or give the days up ' +
      'with --leave-out.',
  );
}
