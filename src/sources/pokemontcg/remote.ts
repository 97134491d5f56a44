import { Type } from 'typebox';
import type { Remote } from '../contract/remote.ts';
import { compileResponseParser } from '../kit/schema.ts';

const parsePage = compileResponseParser(
  'The Pokémon TCG API',
  Type.Object({ data: Type.Array(Type.Unknown()), totalCount: Type.Integer({ minimum: 0 }) }),
);

/** The most cards that a page can have. */
const PAGE_SIZE = 250;

/** Without an API key it allows 30 requests a minute and 1,000 a day. */
export const POKEMONTCG_REMOTE: Remote = {
  base: 'https://api.pokemontcg.io',
  pauseMs: 2000,
  requestsADay: 1000,
  everyHours: 20,
  key: { in: 'header', name: 'X-Api-Key', required: false },
  content: { kind: 'pages', saveAs: 'pokemontcg.json', crawl: crawlPages },
};

/** Sorts by id, which does not change between two requests. */
function* crawlPages(keep: (item: unknown) => void): Generator<string, void, unknown> {
  let pages = 1;
  for (let page = 1; page <= pages; page += 1) {
    const { data, totalCount } = parsePage(
      yield `v2/cards?orderBy=id&pageSize=${PAGE_SIZE}&page=${page}`,
    );
    for (const card of data) keep(card);
    pages = Math.ceil(totalCount / PAGE_SIZE);
  }
}
