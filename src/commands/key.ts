import { Command, Option } from 'commander';
import {
  type AccountKey,
  AccountKeys,
  type KeyOptions,
  MAX_ACTIVE_KEYS,
  type NewKey,
} from '../accounts/keys/account-keys.ts';
import { MAX_KEY_ADDRESSES } from '../accounts/keys/key-restrictions.ts';
import type { AuditAction } from '../domain/audit.ts';
import { formatMoment } from '../domain/day.ts';
import { isSheetOnly, KEY_SCOPES, OPERATOR_SCOPES, sheetAddress } from '../domain/key-scopes.ts';
import { splitList } from '../lib/csv.ts';
import type { Store } from '../store/connect.ts';
import { recordCommand } from './audit.ts';
import type { CommandContext } from './context.ts';
import { type JsonFlag, jsonOption, readCount } from './options.ts';
import { formatCount, formatOptionalMoment, printJson, printLine, printTable } from './output.ts';

/** Restrictions of a key compared with its account, as flags. */
interface RestrictionFlags {
  readonly name?: string;
  readonly expires?: string;
  readonly scopes?: string;
  readonly limit?: string;
  readonly addresses?: string;
  readonly query?: 'on' | 'off';
}

interface CreateFlags extends JsonFlag, RestrictionFlags {
  readonly account: string;
}

/** `cardprice key …`: creates and manages API keys. */
export function keyCommand(context: CommandContext): Command {
  return new Command('key')
    .description('Create and manage API keys.')
    .addHelpText('after', '\nExample:\n  cardprice key create --account ann@shop.example')
    .addCommand(createCommand(context))
    .addCommand(listCommand(context))
    .addCommand(updateCommand(context))
    .addCommand(regenerateCommand(context))
    .addCommand(revokeCommand(context));
}

function createCommand(context: CommandContext): Command {
  const command = new Command('create')
    .description(`Create a key. An account can have up to ${MAX_ACTIVE_KEYS} active keys.`)
    .requiredOption('--account <email>', 'The account it belongs to.');
  return withRestrictions(command)
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `${SCOPE_HELP}

Without --expires, the key works for CARDPRICE_KEY_DAYS days, or until revoked if that is off.

Examples:
  cardprice key create --account ann@shop.example --name shop --expires 2030-12-31
  cardprice key create --account ann@shop.example --scopes read --limit 1000
  cardprice key create --account ann@shop.example --scopes sheet --name prices.xlsx
  cardprice key create --account ann@shop.example --addresses 203.0.113.7,2001:db8::/48 --query off`,
    )
    .action(async ({ account, json, ...flags }: CreateFlags) => {
      const options = readRestrictions(flags);
      const key = await changeKey(context, 'key-created', (keys) => keys.create(account, options));
      printNewKey(context, key, json);
    });
}

const SCOPE_HELP = `
Scopes (a key has all of these unless --scopes names some):
${listScopes(KEY_SCOPES)}
Scopes only for keys of operators, and only if you name them:
${listScopes(OPERATOR_SCOPES)}`;

function listScopes(scopes: Readonly<Record<string, string>>): string {
  const lines = Object.entries(scopes).map(
    ([scope, meaning]) => `  ${scope.padEnd(14)} ${meaning}`,
  );
  return lines.join('\n');
}

function withRestrictions(command: Command): Command {
  return command
    .option('--name <name>', 'The name of the key for its owner (default: "default").')
    .option('--expires <date>', 'The last day (UTC, YYYY-MM-DD) on which the key works, or never.')
    .option('--scopes <scopes>', 'The scopes of the key, separated by commas, or all.')
    .option('--limit <requests>', 'Requests a day that the key may use of the quota, or off.')
    .option(
      '--addresses <networks>',
      `Where the key works from: up to ${MAX_KEY_ADDRESSES} addresses and networks, or any.`,
    )
    .addOption(
      new Option('--query <state>', 'Whether ?api_key= also works.').choices(['on', 'off']),
    );
}

/** @throws OperatorError if the limit is not a number. */
function readRestrictions(flags: RestrictionFlags): KeyOptions {
  const { scopes, limit, addresses, query, ...rest } = flags;
  return {
    ...rest,
    ...(scopes !== undefined && {
      scopes: scopes === 'all' ? Object.keys(KEY_SCOPES) : splitList(scopes),
    }),
    ...(limit !== undefined && {
      dailyRequests: limit === 'off' ? null : readCount('--limit', limit),
    }),
    ...(addresses !== undefined && {
      addresses: addresses === 'any' ? [] : splitList(addresses),
    }),
    ...(query !== undefined && { inQuery: query === 'on' }),
  };
}

function updateCommand(context: CommandContext): Command {
  const command = new Command('update')
    .description('Change the restrictions of a key that you name, from its next request.')
    .argument('<id>', 'The id of the key, as `key list` shows it.');
  return withRestrictions(command)
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `${SCOPE_HELP}

Examples:
  cardprice key update 3 --scopes read --limit 1000 --addresses 203.0.113.0/24
  cardprice key update 3 --scopes all --limit off --addresses any --expires never`,
    )
    .action(async (id: string, { json, ...flags }: RestrictionFlags & JsonFlag) => {
      const options = readRestrictions(flags);
      const key = await changeKey(context, 'key-changed', (keys) => keys.update(id, options));
      if (json) printJson(keyJson(key));
      else printLine(`Changed the key ${key.id} ("${key.name}"): ${describeKey(key)}.`);
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
    .description('Replace a key. The old key stops working at once.')
    .argument('<id>', 'The id of the key, as `key list` shows it.')
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  cardprice key regenerate 3')
    .action(async (id: string, { json }: JsonFlag) => {
      const key = await changeKey(context, 'key-changed', (keys) => keys.regenerate(id));
      printNewKey(context, key, json);
    });
}

function revokeCommand(context: CommandContext): Command {
  return new Command('revoke')
    .description('Revoke a key, at once and permanently.')
    .argument('<id>', 'The id of the key, as `key list` shows it.')
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  cardprice key revoke 3')
    .action(async (id: string, { json }: JsonFlag) => {
      const key = await changeKey(context, 'key-revoked', (keys) => keys.revoke(id));
      if (json) printJson(keyJson(key));
      else printLine(`Revoked the key ${key.id} ("${key.name}", ending in ${key.hint}).`);
    });
}

function withKeys<Result>(
  context: CommandContext,
  work: (keys: AccountKeys, store: Store) => Promise<Result>,
): Promise<Result> {
  const { keyDays } = context.config();
  return context.withStore((store) => {
    return work(new AccountKeys(store, context.clock, { keyDays }), store);
  });
}

/** Changes a key, and records the change in the audit log. */
function changeKey<Key extends AccountKey>(
  context: CommandContext,
  action: AuditAction,
  change: (keys: AccountKeys) => Promise<Key>,
): Promise<Key> {
  return withKeys(context, async (keys, store) => {
    const key = await change(keys);
    const detail = `key ${key.id} "${key.name}" (…${key.hint})`;
    await recordCommand(context, store, action, { subject: key.accountId, detail });
    return key;
  });
}

function printNewKey(context: CommandContext, key: NewKey, json: boolean | undefined): void {
  if (json) {
    printJson({ ...keyJson(key), key: key.key });
    return;
  }
  printLine(key.key);
  printLine(`This is the key ${key.id} ("${key.name}"), ${describeKey(key)}.`);
  printLine('Copy it now. It is shown only once.');
  if (isSheetOnly(key.scopes)) printSheetAddress(context, key);
}

function printSheetAddress(context: CommandContext, { key }: NewKey): void {
  const { publicUrl, host, port } = context.config();
  const address = sheetAddress(publicUrl || `http://${host}:${port}`, key);
  printLine(`A spreadsheet loads its table from this address: ${address}&q=charizard`);
}

/** Describes how long a key works, and its restrictions. */
function describeKey(key: AccountKey): string {
  return [lifetime(key), ...restrictionsOf(key)].join(', ');
}

function restrictionsOf({ scopes, dailyRequests, addresses, inQuery }: AccountKey): string[] {
  return [
    ...(scopes === null ? [] : [`only for ${scopes.join(', ') || 'nothing'}`]),
    ...(dailyRequests === null ? [] : [`at most ${formatCount(dailyRequests)} requests a day`]),
    ...(addresses === null ? [] : [`only from ${addresses.join(', ')}`]),
    ...(inQuery ? [] : ['only in the header']),
  ];
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
    restrictionsOf(key).join(', ') || 'none',
  ]);
  printTable(
    ['ID', 'NAME', 'KEY', 'STATUS', 'CREATED', 'EXPIRES', 'LAST USED', 'RESTRICTIONS'],
    rows,
    `This account has no keys. Create one: cardprice key create --account ${account}`,
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
    scopes: key.scopes,
    dailyRequests: key.dailyRequests,
    usedToday: key.usedToday,
    addresses: key.addresses,
    inQuery: key.inQuery,
  };
}
