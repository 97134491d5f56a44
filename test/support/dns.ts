import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { after } from 'node:test';

/**
 * Makes a name resolve to addresses after some milliseconds, until the test ends: one list for each
 * lookup, with the last one repeating. Returns the number of lookups.
 */
export function resolveTo(
  name: string,
  lists: readonly (readonly string[])[],
  ms = 0,
): () => number {
  const { lookup } = dns;
  let count = 0;
  const fake = (
    host: string,
    options: dns.LookupAllOptions,
    callback: (...args: unknown[]) => void,
  ) => {
    if (host !== name) return lookup(host, options, callback);
    const addresses = lists[Math.min(count, lists.length - 1)] ?? [];
    count += 1;
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    setTimeout(() => callback(null, found), ms);
  };
  Object.assign(dns, { lookup: fake });
  syncBuiltinESMExports();
  after(() => {
    Object.assign(dns, { lookup });
    syncBuiltinESMExports();
  });
  return () => count;
}
