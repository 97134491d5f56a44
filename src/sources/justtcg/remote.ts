import { Type } from 'typebox';
import type { Remote } from '../contract/remote.ts';
import { compileAnswerParser, Label } from '../kit/schema.ts';
import { gameOf } from './adapt.ts';

const NAME = 'JustTCG';

const parseGames = compileAnswerParser(
  NAME,
  Type.Object({ data: Type.Array(Type.Object({ id: Label })) }),
);
const parsePage = compileAnswerParser(NAME, Type.Object({ data: Type.Array(Type.Unknown()) }));

/** As many cards as a page can have; the plan that costs nothing has smaller ones, and too few. */
const PAGE_SIZE = 100;

/** Every page of our games, by a key; what its plan allows a day, JustTCG itself says. */
export const JUSTTCG_REMOTE: Remote = {
  base: 'https://api.justtcg.com/v1',
  pauseMs: 500,
  everyHours: 20,
  key: { in: 'header', name: 'x-api-key', required: true },
  content: { kind: 'pages', saveAs: 'justtcg.json', crawl: walkGames },
};

function* walkGames(keep: (item: unknown) => void): Generator<string, void, unknown> {
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
