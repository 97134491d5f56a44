import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { type BulkSummary, importBulk } from '../../ingest/drivers/bulk.ts';
import { Downloads, filesIn } from '../../sources/bulk/download.ts';
import { type BulkLocation, openBulk } from '../../sources/bulk/read.ts';
import { withReadErrors } from '../../sources/io/files.ts';
import { isUrl, openFolder, webTree } from '../../sources/io/tree.ts';
import { originsNamed, WebClient } from '../../sources/io/web.ts';
import type { CommandContext } from '../context.ts';
import { type JsonFlag, jsonOption } from '../options.ts';
import { printErrorLine, printLine } from '../output.ts';
import { withProgress } from '../progress.ts';
import {
  dryRunOption,
  importOptions,
  printBroken,
  reportImport,
  userAgent,
  withTarget,
} from './shared.ts';

interface BulkFlags extends JsonFlag {
  readonly key?: string;
  readonly apiKeyFile?: string;
  readonly downloads: string;
  readonly dryRun?: boolean;
}

/** `cardprice import bulk`: fills a service from the bulk files of another one. */
export function bulkCommand(context: CommandContext): Command {
  return new Command('bulk')
    .description(
      'Make a second service of the bulk files of a Cardprice service: the same ids, prices and ' +
        'history. Later files update it.',
    )
    .argument('<folder or URL>', 'The folder with bulk.json, or the URL of one.')
    .option('--key <public key>', 'The key that must have signed the list, in base64.')
    .option('--api-key-file <file>', 'A file with your API key, if the URL is that of a service.')
    .option(
      '--downloads <folder>',
      'Where to keep files until they are imported.',
      'bulk-downloads',
    )
    .addOption(dryRunOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
The database must be new, or of an earlier import of bulk files. Every file is compared with the
digest in the list before anything is written. A download that broke off goes on where it stopped.

Examples:
  cardprice import bulk https://cards.example/v1/bulk --api-key-file key.txt --key 3q2+7w…
  cardprice import bulk /srv/bulk`,
    )
    .action((location: string, flags: BulkFlags) => importFiles(context, location, flags));
}

async function importFiles(
  context: CommandContext,
  location: string,
  flags: BulkFlags,
): Promise<void> {
  const { key, json = false, dryRun = false } = flags;
  if (key === undefined) {
    printErrorLine(
      'Without --key, digests show that files are whole, but not whose they are. The operator of ' +
        'the service can give you the key.',
    );
  }
  const { tree, files, remove } = await openLocation(context, location, flags);
  try {
    const source = await withProgress('files', json, ({ onProgress }) => {
      const watch = onProgress && { onFile: onProgress };
      return openBulk({ tree, files, publicKey: key, ...watch });
    });
    const { summary, changes } = await withTarget(context, dryRun, async (target) => {
      const summary = await withProgress('files', json, (watch) => {
        return importBulk(target.store, source, { ...importOptions(context), ...watch });
      });
      return { summary, changes: await target.changes?.() };
    });
    if (!dryRun) await remove();
    reportImport(summary, { json, changes, print: () => printSummary(summary) });
  } finally {
    await tree.close();
  }
}

type OpenLocation = Pick<BulkLocation, 'tree' | 'files'> & { remove(): Promise<void> };

async function openLocation(
  context: CommandContext,
  location: string,
  { apiKeyFile, downloads }: BulkFlags,
): Promise<OpenLocation> {
  if (!isUrl(location)) {
    return {
      tree: await openFolder(location),
      files: filesIn(location),
      remove: async () => undefined,
    };
  }
  const base = location.replace(/\/(?:bulk\.json)?$/, '');
  const secret = { headers: await keyHeaders(apiKeyFile) };
  const client = new WebClient({
    userAgent: userAgent(context),
    trustedOrigins: originsNamed(location),
  });
  const files = new Downloads(base, downloads, client, secret.headers);
  return { tree: webTree(base, client, { secret }), files, remove: () => files.remove() };
}

async function keyHeaders(file: string | undefined): Promise<Readonly<Record<string, string>>> {
  if (file === undefined) return {};
  const text = await withReadErrors(file, () => readFile(file, 'utf8'));
  return { 'x-api-key': text.trim() };
}

function printSummary(summary: BulkSummary): void {
  const { files, filesUnchanged, seconds } = summary;
  printLine(`Imported bulk files in ${seconds.toFixed(1)} s`);
  printLine(`Files     ${files}, ${filesUnchanged} unchanged`);
  printLine(`Sets      ${summary.setsAdded} new`);
  printLine(`Cards     ${summary.cardsAdded} new, ${summary.cardsChanged} changed`);
  printLine(`Printings ${summary.printingsAdded} new`);
  printLine(`Prices    ${summary.pricesChanged} changed`);
  printLine(
    `History   ${summary.historyAdded} points added, ${summary.historyCorrected} corrected`,
  );
  for (const [reason, count] of Object.entries(summary.skipped)) {
    printLine(`Skipped   ${count} × ${reason}`);
  }
  printBroken(summary);
}
