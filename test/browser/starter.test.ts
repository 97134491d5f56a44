/** What a newcomer sees of the starter catalogue. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { Catalog } from '../../src/catalog/catalog.ts';
import { PAGES } from '../../src/dashboard/pages.ts';
import { shareDashboard } from './support/dashboard.ts';
import { ANY_LOOK, type Reader } from './support/reader.ts';

const dashboard = shareDashboard({ settings: { CARDPRICE_PUBLIC: 'on' } });

/** Returns the paths of this service that a page links to. */
function linksOf(html: string): string[] {
  const links = html.matchAll(/<a [^>]*href="(\/[^"#]*)/g);
  return [...new Set([...links].map(([, path = '']) => path.replaceAll('&amp;', '&')))];
}

describe('The starter catalogue', () => {
  let reader: Reader;
  before(async () => {
    reader = await dashboard().reader(ANY_LOOK, 'business');
  });

  async function pageAt(path: string): Promise<string> {
    const response = await reader.context.request.get(path, { headers: { accept: 'text/html' } });
    assert.ok(response.ok(), `${path}: ${response.status()}`);
    return response.text();
  }

  it('has no dead end within two clicks of the home page', async () => {
    const catalog = new Catalog(dashboard().store);
    await catalog.refresh();
    const visited = new Set(linksOf(await pageAt('/')));
    const linked = new Set(visited);
    for (const path of visited) for (const next of linksOf(await pageAt(path))) linked.add(next);
    const cards = [...linked].flatMap((path) => /^\/cards\/([\w-]+)/.exec(path)?.[1] ?? []);
    assert.ok(new Set(cards).size > 200, `${cards.length} cards`);
    const isPriced = (id: string) => {
      return catalog.card(id)?.printings.some(({ prices }) => prices.market !== null);
    };
    assert.deepEqual(
      cards.filter((id) => !isPriced(id)),
      [],
    );
    for (const path of linked) {
      if (!path.startsWith(`${PAGES.movers}/`)) continue;
      const html = await pageAt(path);
      assert.ok(/<del|→/.test(html) || html.includes('See the sets of the game'), path);
    }
  });
});
