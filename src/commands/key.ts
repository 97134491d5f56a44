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
import { KEY_SCOPES, OPERATOR_SCOPES } from '../domain/key-scopes.ts';
import { splitList } from '../lib/lists.ts';
import type { Store } from '../store/connect.ts';
import { readCount } from './arguments.ts';
import { recordCommand } from './audit-entry.ts';
import type { CommandContext } from './context.ts';
import { jsonOption } from './options.ts';
import { formatCount, formatOptionalMoment, printJson, printLine, printTable } from './output.ts';

interface JsonFlag {
  readonly json?: boolean;
}

/** What a key may do less than its account, as it is written on the command line. */
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

/** `cardprice key …`: the keys that accounts ask with. */
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
    .description(`Create a key; an account has at most ${MAX_ACTIVE_KEYS} that work.`)
    .requiredOption('--account <email>', 'The account it belongs to.');
  return withRestrictions(command)
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `${SCOPE_HELP}

Without --expires it works for CARDPRICE_KEY_DAYS, or until revoked when that is off.

Examples:
  cardprice key create --account ann@shop.example --name shop --expires 2030-12-31
  cardprice key create --account ann@shop.example --scopes read --limit 1000
  cardprice key create --account ann@shop.example --addresses 203.0.113.7,2001:db8::/48 --query off`,
    )
    .action(async ({ account, json, ...flags }: CreateFlags) => {
      const options = readRestrictions(flags);
      const key = await changeKey(context, 'key-created', (keys) => keys.create(account, options));
      printNewKey(key, json);
    });
}

const SCOPE_HELP = `
Scopes, of which a key has all unless --scopes names some:
${listScopes(KEY_SCOPES)}
Only keys of operators, and none without naming them:
${listScopes(OPERATOR_SCOPES)}`;

function listScopes(scopes: Readonly<Record<string, string>>): string {
  const lines = Object.entries(scopes).map(
    ([scope, meaning]) => `  ${scope.padEnd(14)} ${meaning}`,
  );
  return lines.join('\n');
}

function withRestrictions(command: Command): Command {
  return command
    .option('--name <name>', 'What its owner calls it (default: "default").')
    .option('--expires <date>', 'The last day (UTC, YYYY-MM-DD) on which it works, or never.')
    .option('--scopes <scopes>', 'What it may be used for, separated by commas, or all.')
    .option('--limit <requests>', 'Requests a day that it may use of the quota, or off.')
    .option(
      '--addresses <networks>',
      `From where it works: up to ${MAX_KEY_ADDRESSES} addresses and networks, or any.`,
    )
    .addOption(
      new Option('--query <state>', 'Whether it works as ?api_key=, too.').choices(['on', 'off']),
    );
}

/** @throws OperatorError when the limit is no number. */
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
    .description('Change what a key may do, from its next request on; what is not named stays.')
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
    .description('Put a new key in the place of one, which stops working at once.')
    .argument('<id>', 'The id of the key, as `key list` shows it.')
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  cardprice key regenerate 3')
    .action(async (id: string, { json }: JsonFlag) => {
      const key = await changeKey(context, 'key-changed', (keys) => keys.regenerate(id));
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

/** Changes a key, and records that. */
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

function printNewKey(key: NewKey, json: boolean | undefined): void {
  if (json) {
    printJson({ ...keyJson(key), key: key.key });
    return;
  }
  printLine(key.key);
  printLine(`This is the key ${key.id} ("${key.name}"), ${describeKey(key)}.`);
  printLine('Copy it now: it is shown this once and cannot be shown again.');
}

/** How long a key works, and what it may do less than its account. */
function describeKey(key: AccountKey): string {
  return [lifetime(key), ...restrictionsOf(key)].join(', ');
}

function restrictionsOf({ scopes, dailyRequests, addresses, inQuery }: AccountKey): string[] {
  return [
    ...(scopes === null ? [] : [`only for ${scopes.join(', ')}`]),
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
    scopes: key.scopes,
    dailyRequests: key.dailyRequests,
    usedToday: key.usedToday,
    addresses: key.addresses,
    inQuery: key.inQuery,
  };
}
