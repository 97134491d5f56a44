import { PAGES } from '../../../src/dashboard/pages.ts';
import { CARD, type Dashboard } from './dashboard.ts';
import type { Look, Reader } from './reader.ts';

/** Values for the parameters of paths. */
const EXAMPLES = { id: CARD.id, game: 'lorcana' };
const PRODUCT = 'pokemon-tr-team-rocket-booster-pack-unlimited-edition';

/** Returns an address of each page; the operator's page of an account shows that of `email`. */
export function pathsFor(email: string): readonly string[] {
  const addresses = {
    ...PAGES,
    product: PAGES.product.replace(':id', PRODUCT),
    set: CARD.set,
    search: `${PAGES.search}?q=elsa`,
    operatorAccount: `${PAGES.operatorAccount}?email=${encodeURIComponent(email)}`,
  };
  return Object.values(addresses).map((path) =>
    path.replace(/:(id|game)/g, (_, name: keyof typeof EXAMPLES) => EXAMPLES[name]),
  );
}

/** Opens a browser of an operator who has a key and has used it. */
export async function busyOperator(
  dashboard: Dashboard,
  look: Look,
): Promise<Reader & { readonly email: string }> {
  const reader = await dashboard.operator(look);
  const { key } = await dashboard.keys.create(reader.email, { name: 'shop server' });
  await fetch(`${dashboard.url}/v1/search?q=elsa`, { headers: { 'x-api-key': key } });
  return reader;
}
