import { createApiKey } from '../../../src/accounts/keys/api-key.ts';
import type { Caller, Service } from '../../support/app.ts';

/** The material of requests: callers, ids and values. */
export interface Material {
  readonly keys: readonly string[];
  /** API keys that were revoked or never existed. */
  readonly deadKeys: readonly string[];
  /** Cookie headers of people and operators who are signed in. */
  readonly cookies: readonly string[];
  readonly emails: readonly string[];
  readonly ids: readonly string[];
  /** Of answers that do not change. */
  readonly etags: readonly string[];
}

const ACCOUNTS = 4;
const SESSIONS = 3;

/** Creates new accounts, keys and sessions, because requests spend, revoke and end them. */
export async function makeMaterial(service: Service): Promise<Material> {
  // Wrong passwords of earlier requests would slow down the sign-ins below.
  await service.store.accounts.db.deleteFrom('attempts').execute();
  const callers: Caller[] = [];
  for (let count = 0; count < ACCOUNTS; count += 1) callers.push(await service.caller('business'));
  const free = await service.caller('free');
  const revoked = await service.caller('business');
  await service.keys.revoke(revoked.keyId);
  const browsers = [await service.operator()];
  for (let count = 0; count < SESSIONS; count += 1) {
    browsers.push(await service.signedInBrowser('business'));
  }
  return {
    keys: [...callers, free].map(({ key }) => key),
    deadKeys: [revoked.key, createApiKey()],
    cookies: browsers.map(({ cookie }) => cookie),
    emails: [...callers, ...browsers].map(({ email }) => email),
    ids: [...(await idsOf(free)), ...callers.map(({ keyId }) => keyId)],
    etags: await etagsOf(free),
  };
}

async function etagsOf(caller: Caller): Promise<string[]> {
  const paths = ['/v1/games', '/v1/sets', '/v1/search?q=charizard', '/v1/autocomplete?q=cha'];
  const answers = await Promise.all(paths.map((path) => caller.get(path)));
  return answers.map(({ headers }) => String(headers.etag));
}

async function idsOf(caller: Caller): Promise<string[]> {
  const cards = await caller.get('/v1/search?q=a&limit=60');
  const sets = await caller.get('/v1/sets?limit=20');
  const found = [...cards.json().data, ...sets.json().data];
  return found.map(({ id, setId }: { id?: string; setId: string }) => id ?? setId);
}
