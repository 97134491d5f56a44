import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { after } from 'node:test';

/**
 * Makes a name lead to addresses until the test ends, after some milliseconds: a list for each
 * lookup, of which the last one stays. Returns how often it was looked up.
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
