import { Command } from 'commander';
import type { Finding } from '../domain/finding.ts';
import type { CommandContext } from './context.ts';
import { examine } from './doctor/checks.ts';
import { jsonOption } from './options.ts';
import { printJson, printLine } from './output.ts';
import { PAGES_FOLDER } from './pages.ts';

/** `cardprice doctor`: shows problems, and how to fix them. */
export function doctorCommand(context: CommandContext): Command {
  return new Command('doctor')
    .description('Check settings, database, disk, clock and sources, and show how to fix problems.')
    .option('--deep', 'Also read every page of the SQLite files.')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nThe exit code is 1 if something is wrong. Warnings do not change it.' +
        '\n\nExample:\n  cardprice doctor --deep',
    )
    .action(async ({ deep = false, json }: { deep?: boolean; json?: boolean }) => {
      const { version } = context;
      const config = context.config();
      const findings = await examine({ config, clock: Date.now, deep, pages: PAGES_FOLDER });
      if (json) printJson({ version, node: process.version, findings });
      else print(findings, version);
      if (findings.some(({ state }) => state === 'wrong')) process.exitCode = 1;
    });
}

const MARKS = { good: 'ok     ', warning: 'WARNING', wrong: 'WRONG  ' };

function print(findings: readonly Finding[], version: string): void {
  printLine(`Cardprice ${version} on Node ${process.version}`);
  for (const { state, about, says, mend } of findings) {
    printLine(`${MARKS[state]} ${about}: ${says}`);
    if (mend !== '') printLine(`        → ${mend}`);
  }
}
