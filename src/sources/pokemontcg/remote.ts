import { Type } from 'typebox';
import type { Remote } from '../contract/remote.ts';
import { compileAnswerParser } from '../kit/schema.ts';

const parsePage = compileAnswerParser(
  'The Pokémon TCG API',
  Type.Object({ data: Type.Array(Type.Unknown()), totalCount: Type.Integer({ minimum: 0 }) }),
);

/** As many cards as a page can have. */
const PAGE_SIZE = 250;

/** Without a key it answers 30 requests a minute, and 1,000 a day. */
export const POKEMONTCG_REMOTE: Remote = {
  base: 'https://api.pokemontcg.io',
  pauseMs: 2000,
  requestsADay: 1000,
  everyHours: 20,
  key: { in: 'header', name: 'X-Api-Key', required: false },
  content: { kind: 'pages', saveAs: 'pokemontcg.json', crawl: walkPages },
};

/** Sorted by what does not change while it is read. */
function* walkPages(keep: (item: unknown) => void): Generator<string, void, unknown> {
  let pages = 1;
  for (let page = 1; page <= pages; page += 1) {
    const { data, totalCount } = parsePage(
      yield `v2/cards?orderBy=id&pageSize=${PAGE_SIZE}&page=${page}`,
    );
    for (const card of data) keep(card);
    pages = Math.ceil(totalCount / PAGE_SIZE);
  }
}
