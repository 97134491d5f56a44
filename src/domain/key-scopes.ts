/** What an API key may be used for, by scope. A key without a list of scopes may be used for all. */
export const KEY_SCOPES = {
  read: 'search, cards, prices, sets, games and history',
  bulk: 'many cards at once: batch and the resolver',
  sheet: 'price sheets; no endpoint needs it yet',
  webhooks: 'webhooks; no endpoint needs it yet',
} as const;

export type KeyScope = keyof typeof KEY_SCOPES;

export const KEY_SCOPE_NAMES = Object.keys(KEY_SCOPES) as KeyScope[];

/** The scope of a name, or undefined. */
export function findKeyScope(name: string): KeyScope | undefined {
  return KEY_SCOPE_NAMES.find((scope) => scope === name);
}
