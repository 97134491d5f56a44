import { Command } from 'commander';
import { FEED_SOURCES, RATES_SOURCES } from '../sources/registry.ts';
import type { CommandContext } from './context.ts';
import { bulkCommand } from './import/bulk.ts';
import { feedCommand } from './import/feed.ts';
import { archiveCommand, quotesCommand } from './import/past.ts';
import { ratesCommand } from './import/rates.ts';
import { csvCommand, tcgcsvCommand } from './import/tcgcsv.ts';
import { traced } from './traces.ts';

/** `cardprice import …`: imports cards and prices from a source. */
export function importCommand(context: CommandContext): Command {
  const command = new Command('import')
    .description('Import cards and prices from a source.')
    .addHelpText(
      'after',
      '\nWhat each source gives, and when it was imported last: cardprice sources' +
        '\n\nExample:\n  cardprice import tcgcsv https://tcgcsv.com',
    )
    .addCommand(tcgcsvCommand(context))
    .addCommand(archiveCommand(context))
    .addCommand(csvCommand(context))
    .addCommand(quotesCommand(context))
    .addCommand(bulkCommand(context));
  for (const source of FEED_SOURCES) command.addCommand(feedCommand(context, source));
  for (const source of RATES_SOURCES) command.addCommand(ratesCommand(context, source));
  return traced(command, context);
}
