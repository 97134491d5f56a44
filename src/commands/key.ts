import { Command } from 'commander';
import {
  type AccountKey,
  AccountKeys,
  MAX_ACTIVE_KEYS,
  type NewKey,
} from '../accounts/account-keys.ts';
import { formatMoment } from '../domain/day.ts';
import type { CommandContext } from './context.ts';
import { jsonOption } from './options.ts';
import { formatOptionalMoment, printJson, printLine, printTable } from './output.ts';

interface JsonFlag {
  readonly json?: boolean;
}

interface CreateFlags extends JsonFlag {
  readonly account: string;
  readonly name?: string;
  readonly expires?: string;
}

/** `cardprice key …`: the keys that accounts ask with. */
export function keyCommand(context: CommandContext): Command {
  return new Command('key')
    .description('Create and manage API keys.')
    .addHelpText('after', '\nExample:\n  cardprice key create --account ann@shop.example')
    .addCommand(createCommand(context))
    .addCommand(listCommand(context))
    .addCommand(regenerateCommand(context))
    .addCommand(revokeCommand(context));
}

function createCommand(context: CommandContext): Command {
  return new Command('create')
    .description(`Create a key; an account has at most ${MAX_ACTIVE_KEYS} that work.`)
    .requiredOption('--account <email>', 'The account it belongs to.')
    .option('--name <name>', 'What its owner calls it (default: "default").')
    .option('--expires <date>', 'The last day (UTC, YYYY-MM-DD) on which it works.')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nExample:\n  cardprice key create --account ann@shop.example --name shop --expires 2030-12-31',
    )
    .action(async ({ account, json, ...options }: CreateFlags) => {
      const key = await withKeys(context, (keys) => keys.create(account, options));
      printNewKey(key, json);
    });
}

function listCommand(context: CommandContext): Command {
  return new Command('list')
    .description('List the keys of an account, without the keys themselves.')
    .requiredOption('--account <email>', 'The account.')
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  cardprice key list --account ann@shop.example')
    .action(async ({ account, json }: { account: string } & JsonFlag) => {
      const list = await withKeys(context, (keys) => keys.list(account));
      if (json) printJson(list.map(keyJson));
      else printKeys(list, account);
    });
}

function regenerateCommand(context: CommandContext): Command {
  return new Command('regenerate')
    .description('Put a new key in the place of one, which stops working at once.')
    .argument('<id>', 'The id of the key, as `key list` shows it.')
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  cardprice key regenerate 3')
    .action(async (id: string, { json }: JsonFlag) => {
      const key = await withKeys(context, (keys) => keys.regenerate(id));
      printNewKey(key, json);
    });
}

function revokeCommand(context: CommandContext): Command {
  return new Command('revoke')
    .description('Make a key stop working at once and for good.')
    .argument('<id>', 'The id of the key, as `key list` shows it.')
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  cardprice key revoke 3')
    .action(async (id: string, { json }: JsonFlag) => {
      const key = await withKeys(context, (keys) => keys.revoke(id));
      if (json) printJson(keyJson(key));
      else printLine(`Revoked the key ${key.id} ("${key.name}", ending in ${key.hint}).`);
    });
}

function withKeys<Result>(
  context: CommandContext,
  work: (keys: AccountKeys) => Promise<Result>,
): Promise<Result> {
  return context.withStore((store) => work(new AccountKeys(store, context.clock)));
}

function printNewKey(key: NewKey, json: boolean | undefined): void {
  if (json) {
    printJson({ ...keyJson(key), key: key.key });
    return;
  }
  printLine(key.key);
  printLine(`This is the key ${key.id} ("${key.name}"), ${lifetime(key)}.`);
  printLine('Copy it now: it is shown this once and cannot be shown again.');
}

function lifetime({ expiresAt }: AccountKey): string {
  return expiresAt === null ? 'valid until revoked' : `valid until ${formatMoment(expiresAt)}`;
}

function printKeys(keys: readonly AccountKey[], account: string): void {
  const rows = keys.map((key) => [
    String(key.id),
    key.name,
    `…${key.hint}`,
    key.status,
    formatMoment(key.createdAt),
    formatOptionalMoment(key.expiresAt) ?? 'never',
    key.lastUse ? `${formatMoment(key.lastUse.at)} from ${key.lastUse.address}` : 'never',
  ]);
  printTable(
    ['ID', 'NAME', 'KEY', 'STATUS', 'CREATED', 'EXPIRES', 'LAST USED'],
    rows,
    `There are no keys yet. Create one: cardprice key create --account ${account}`,
  );
}

function keyJson(key: AccountKey) {
  return {
    id: key.id,
    name: key.name,
    hint: key.hint,
    status: key.status,
    createdAt: formatMoment(key.createdAt),
    expiresAt: formatOptionalMoment(key.expiresAt),
    revokedAt: formatOptionalMoment(key.revokedAt),
    lastUsedAt: formatOptionalMoment(key.lastUse?.at ?? null),
    lastUsedFrom: key.lastUse?.address ?? null,
  };
}
