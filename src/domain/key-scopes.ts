/** The uses of an API key, by scope. A key without a list of scopes has all of these. */
export const KEY_SCOPES = {
  read: 'search, cards, prices, sets, games and history',
  bulk: 'many cards at once: batch, the resolver and bulk files',
  alerts: 'alerts on prices: reading and changing them',
  webhooks: 'webhooks: reading and changing them',
  sheet: 'tables for spreadsheets; chosen alone, the key comes with an address for them',
} as const;

/** The scopes that only API keys of operators may have, and only if they list them. */
export const OPERATOR_SCOPES = {
  'operator:read': 'accounts, keys, plans, usage, sources, quarantine and the audit log',
  'operator:write': 'changing them',
} as const;

/** The path of tables for spreadsheets. */
export const SHEET_PATH = '/v1/sheet.csv';

export type OperatorScope = keyof typeof OPERATOR_SCOPES;
export type KeyScope = keyof typeof KEY_SCOPES | OperatorScope;

/** The scopes of a key without a list of scopes. */
export const KEY_SCOPE_NAMES = Object.keys(KEY_SCOPES) as (keyof typeof KEY_SCOPES)[];

const OPERATOR_SCOPE_NAMES = Object.keys(OPERATOR_SCOPES) as OperatorScope[];

/** Every scope. */
export const ALL_SCOPE_NAMES: readonly KeyScope[] = [...KEY_SCOPE_NAMES, ...OPERATOR_SCOPE_NAMES];

/** Returns the scope with a name, or undefined. */
export function findKeyScope(name: string): KeyScope | undefined {
  return ALL_SCOPE_NAMES.find((scope) => scope === name);
}

/** Whether a key with these scopes may only read tables for spreadsheets, by a sheet address. */
export function isSheetOnly(scopes: readonly KeyScope[] | null): boolean {
  return scopes?.join() === 'sheet';
}

/** Returns the address of tables for spreadsheets at a web origin, with a key in it. */
export function sheetAddress(origin: string, key: string): string {
  return `${origin}${SHEET_PATH}?token=${key}`;
}

/** Whether only API keys of operators may have a scope. */
export function isOperatorScope(scope: KeyScope): scope is OperatorScope {
  return scope in OPERATOR_SCOPES;
}
