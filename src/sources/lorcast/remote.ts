import { Type } from 'typebox';
import type { Remote } from '../contract/remote.ts';
import { compileResponseParser, Label, Nullish } from '../kit/schema.ts';

const NAME = 'Lorcast';

const parseSets = compileResponseParser(
  NAME,
  Type.Object({
    results: Type.Array(Type.Object({ id: Label, released_at: Nullish(Type.String()) })),
  }),
);

const parseCards = compileResponseParser(NAME, Type.Array(Type.Object({ set: Type.Object({}) })));

/** Lorcast asks for 50 to 100 ms between two requests, and updates its prices daily. */
export const LORCAST_REMOTE: Remote = {
  base: 'https://api.lorcast.com',
  pauseMs: 100,
  everyHours: 20,
  content: { kind: 'pages', saveAs: 'lorcast.json', crawl: crawlSets },
};

/** Requests the list of sets and the cards of each. Cards get the release date of their set. */
function* crawlSets(keep: (item: unknown) => void): Generator<string, void, unknown> {
  const { results: sets } = parseSets(yield 'v0/sets');
  for (const { id, released_at } of sets) {
    for (const card of parseCards(yield `v0/sets/${encodeURIComponent(id)}/cards`)) {
      keep({ ...card, set: { ...card.set, released_at } });
    }
  }
}
