import { basename, dirname } from 'node:path';
import { Command } from 'commander';
import { dayOf, formatDay } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import { importRates, type RatesSummary } from '../../ingest/drivers/rates.ts';
import type { RatesSource } from '../../sources/contract/rates.ts';
import { isUrl, openFolder } from '../../sources/io/tree.ts';
import type { CommandContext } from '../context.ts';
import { type JsonFlag, jsonOption } from '../options.ts';
import { printLine } from '../output.ts';
import { importOptions, openPolitely, pauseOption, reportImport, withTarget } from './shared.ts';

interface RatesFlags extends JsonFlag {
  readonly pause: string;
}

/** `cardprice import <source>`, for each source of exchange rates in the registry. */
export function ratesCommand(context: CommandContext, source: RatesSource): Command {
  return new Command(source.name)
    .description(source.summary)
    .argument('<file or url>', source.takes)
    .addOption(pauseOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Prices are converted by the newest rate that is not later than their day, at most a week old. Rates of
CARDPRICE_EUR_RATE come first. Import all past days once; \`cardprice sync\` adds the new ones.

Example:
  cardprice import ${source.name} ${source.example}`,
    )
    .action((location: string, flags: RatesFlags) => {
      return importAndReport(context, source, location, flags);
    });
}

async function importAndReport(
  context: CommandContext,
  source: RatesSource,
  location: string,
  { pause, json = false }: RatesFlags,
): Promise<void> {
  const published = source.read(location, await readLocation(context, location, pause));
  const summary = await withTarget(context, false, ({ store }) => {
    return importRates(store, published, importOptions(context));
  });
  reportImport(summary, { json, changes: undefined, print: () => printSummary(summary) });
}

/** @throws OperatorError if there is no such file, or it cannot be read. */
async function readLocation(
  context: CommandContext,
  location: string,
  pause: string,
): Promise<Uint8Array> {
  const folder = location.slice(0, -basename(location).length - 1);
  const tree = isUrl(location)
    ? openPolitely(context, folder, pause)
    : await openFolder(dirname(location));
  try {
    const file = await tree.read(basename(location));
    if (file.kind === 'found') return file.bytes;
    throw new OperatorError(`There is no ${location}.`);
  } finally {
    await tree.close();
  }
}

function printSummary({ source, observedAt, ...counts }: RatesSummary): void {
  const { rates, ratesChanged, pricesChanged, seconds } = counts;
  const newest = formatDay(dayOf(observedAt));
  printLine(`Imported ${source} up to ${newest} in ${seconds.toFixed(1)} s`);
  printLine(`Rates     ${rates} read, ${ratesChanged} new or changed`);
  printLine(`Prices    ${pricesChanged} changed`);
}
