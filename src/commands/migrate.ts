import { Command } from 'commander';
import { migrateStore } from '../store/connect.ts';
import type { CommandContext } from './context.ts';
import { EXIT, printLine } from './output.ts';

/** `cardprice migrate`: brings the schema of the database up to date. */
export function migrateCommand(context: CommandContext): Command {
  return new Command('migrate')
    .description('Migrate the database schema. The service can keep running.')
    .option('--check', 'Only list the migrations to run.')
    .addHelpText(
      'after',
      `
Every command migrates the schema when it opens the database, unless CARDPRICE_MIGRATE is off. With
--check, the exit code is ${EXIT.failure} if there are migrations to run.

Examples:
  cardprice migrate --check
  CARDPRICE_DATABASE=postgres://cardprice@db/cardprice cardprice migrate`,
    )
    .action(({ check: isCheck = false }: { readonly check?: boolean }) => {
      return migrate(context, isCheck);
    });
}

async function migrate(context: CommandContext, isCheck: boolean): Promise<void> {
  const migrations = await migrateStore(context.config().database, { isCheck });
  for (const name of migrations) printLine(isCheck ? `To run: ${name}` : `Ran ${name}`);
  if (migrations.length === 0) printLine('The schema of the database is up to date.');
  else if (isCheck) process.exitCode = EXIT.failure;
}
