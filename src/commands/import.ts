import { Command } from 'commander';
import type { CommandContext } from './context.ts';
import { archiveCommand } from './import/archive.ts';
import { csvCommand } from './import/csv.ts';
import { quotesCommand } from './import/quotes.ts';
import { tcgcsvCommand } from './import/tcgcsv.ts';

/** `cardprice import …`: brings prices in. */
export function importCommand(context: CommandContext): Command {
  return new Command('import')
    .description('Import cards and prices from a source.')
    .addHelpText('after', '\nExample:\n  cardprice import tcgcsv https://tcgcsv.com')
    .addCommand(tcgcsvCommand(context))
    .addCommand(archiveCommand(context))
    .addCommand(csvCommand(context))
    .addCommand(quotesCommand(context));
}
