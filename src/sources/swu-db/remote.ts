import { Type } from 'typebox';
import type { Remote } from '../contract/remote.ts';
import { compileAnswerParser } from '../kit/schema.ts';

/** SWU-DB does not list its sets; these are the codes of those that it is asked for. */
const SETS = ['SOR', 'SHD', 'TWI', 'JTL', 'LOF', 'SEC', 'LAW'];

const parseSet = compileAnswerParser('SWU-DB', Type.Object({ data: Type.Array(Type.Unknown()) }));

export const SWU_DB_REMOTE: Remote = {
  base: 'https://api.swu-db.com',
  pauseMs: 250,
  everyHours: 20,
  content: { kind: 'pages', saveAs: 'swu-db.json', crawl: walkSets },
};

function* walkSets(keep: (item: unknown) => void): Generator<string, void, unknown> {
  for (const set of SETS) {
    const { data } = parseSet(yield `cards/${set.toLowerCase()}?format=json`);
    for (const card of data) keep(card);
  }
}
