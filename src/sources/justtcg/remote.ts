import { Type } from 'typebox';
import type { Remote } from '../contract/remote.ts';
import { compileResponseParser, Label } from '../kit/schema.ts';
import { gameOf } from './adapt.ts';

const NAME = 'JustTCG';

const parseGames = compileResponseParser(
  NAME,
  Type.Object({ data: Type.Array(Type.Object({ id: Label })) }),
);
const parsePage = compileResponseParser(NAME, Type.Object({ data: Type.Array(Type.Unknown()) }));

/** The most cards that a page can have. The free plan has smaller and too few pages. */
const PAGE_SIZE = 100;

/** All pages of our games. JustTCG itself enforces the requests a day of an API key's plan. */
export const JUSTTCG_REMOTE: Remote = {
  base: 'https://api.justtcg.com/v1',
  pauseMs: 500,
  everyHours: 20,
  key: { in: 'header', name: 'x-api-key', required: true },
  content: { kind: 'pages', saveAs: 'justtcg.json', crawl: crawlGames },
};

function* crawlGames(keep: (item: unknown) => void): Generator<string, void, unknown> {
  const { data: games } = parseGames(yield 'games');
  for (const { id } of games) {
    if (gameOf(id) === undefined) continue;
    for (let offset = 0; ; offset += PAGE_SIZE) {
      const page = `cards?game=${encodeURIComponent(id)}&limit=${PAGE_SIZE}&offset=${offset}`;
      const { data } = parsePage(yield page);
      for (const card of data) keep(card);
      if (data.length < PAGE_SIZE) break;
    }
  }
}
