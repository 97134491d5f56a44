import { Type } from 'typebox';
import type { Remote } from '../contract/remote.ts';
import { compileResponseParser } from '../kit/schema.ts';

/** The codes of the sets to request: SWU-DB has no list of its sets. */
const SETS = ['SOR', 'SHD', 'TWI', 'JTL', 'LOF', 'SEC', 'LAW'];

const parseSet = compileResponseParser('SWU-DB', Type.Object({ data: Type.Array(Type.Unknown()) }));

export const SWU_DB_REMOTE: Remote = {
  base: 'https://api.swu-db.com',
  pauseMs: 250,
  everyHours: 20,
  content: { kind: 'pages', saveAs: 'swu-db.json', crawl: crawlSets },
};

function* crawlSets(keep: (item: unknown) => void): Generator<string, void, unknown> {
  for (const set of SETS) {
    const { data } = parseSet(yield `cards/${set.toLowerCase()}?format=json`);
    for (const card of data) keep(card);
  }
}
