/** Reads what the service knows and serves of some printings, as a reader would get it. */
import type { Kysely } from 'kysely';
import type { Day } from '../../src/domain/day.ts';
import type { Database } from '../../src/store/catalogue/schema.ts';
import type { Store } from '../../src/store/connect.ts';
import { historyReader } from '../../src/store/history/index.ts';
import type { Amounts, Row, World } from './model.ts';

/** A printing of ours: the row id of its card, and its name. */
export interface Place {
  readonly card: number;
  readonly printing: string;
}

export function placeKey({ card, printing }: Place): string {
  return `${card} ${printing}`;
}

/** Finds the printings of ours that the rows of a source are about, by the key of the row. */
export type Locate = (row: Pick<Row, 'card' | 'printing'>) => Place | undefined;

/** Opens the table of a source's printings, after its first days are imported. */
export async function locator(store: Store, { source }: World): Promise<Locate> {
  const observed = await store.db
    .selectFrom('observations')
    .innerJoin('printings', 'printings.id', 'observations.printing_id')
    .where('source', '=', source)
    .select(['external_id', 'card_id', 'name'])
    .execute();
  const byCard = Map.groupBy(observed, ({ external_id }) => external_id ?? '');
  const cards = await store.db
    .selectFrom('card_external_ids')
    .where('id_space', '=', 'tcgcsv')
    .select(['external_id', 'card_id'])
    .execute();
  const ids = new Map(cards.map(({ external_id, card_id }) => [external_id, card_id]));
  return ({ card, printing }) => {
    const own = byCard.get(card) ?? [];
    const same = own.find(({ name }) => name === printing);
    const found = same ?? (printing === undefined ? own[0] : undefined);
    if (found) return { card: found.card_id, printing: found.name };
    const id = own[0]?.card_id ?? ids.get(card);
    return id === undefined || printing === undefined ? undefined : { card: id, printing };
  };
}

/** What is served of a printing, with the observation of one source that it is perhaps from. */
export interface Served {
  readonly id: number;
  readonly amounts: Amounts;
  readonly figuresAt: number | null;
  /** What the source has accepted of it; undefined for nothing. */
  readonly accepted: Amounts | undefined;
  /** The rule for which the source's newest price waits in quarantine. */
  readonly rule: string | undefined;
}

/** A printing that the card does not have, and whose price waits in quarantine. */
const NOT_SERVED: Served = {
  id: 0,
  amounts: {},
  figuresAt: null,
  accepted: undefined,
  rule: undefined,
};

const AT_ONCE = 1000;

/** Reads the printings of some cards, by `card printing`. */
export async function readServed(
  { db }: Store,
  source: string,
  cards: readonly number[],
): Promise<Map<string, Served>> {
  const served = new Map<string, Served>();
  const unique = [...new Set(cards)];
  for (let from = 0; from < unique.length; from += AT_ONCE) {
    const some = unique.slice(from, from + AT_ONCE);
    const rules = await readRules(db, source, some);
    for (const [key, rule] of rules) served.set(key, { ...NOT_SERVED, rule });
    for (const row of await readPrintings(db, source, some)) {
      const key = placeKey({ card: row.card_id, printing: row.name });
      served.set(key, {
        id: row.id,
        amounts: amountsIn(row),
        figuresAt: row.figures_at,
        accepted: row.accepted_at === null ? undefined : amountsIn(acceptedOf(row)),
        rule: rules.get(key),
      });
    }
  }
  return served;
}

function readPrintings(db: Kysely<Database>, source: string, cards: readonly number[]) {
  return db
    .selectFrom('printings as p')
    .leftJoin('observations as o', (join) => {
      return join.onRef('o.printing_id', '=', 'p.id').on('o.source', '=', source);
    })
    .where('p.card_id', 'in', cards)
    .select(['p.id', 'p.card_id', 'p.name', 'p.market', 'p.low', 'p.mid', 'p.high'])
    .select(['p.conditions', 'p.graded', 'p.figures_at', 'o.observed_at as accepted_at'])
    .select(['o.market as o_market', 'o.low as o_low', 'o.mid as o_mid', 'o.high as o_high'])
    .select(['o.conditions as o_conditions', 'o.graded as o_graded'])
    .execute();
}

type PrintingRow = Awaited<ReturnType<typeof readPrintings>>[number];

function acceptedOf(row: PrintingRow): StoredAmounts {
  return {
    ...{ market: row.o_market, low: row.o_low, mid: row.o_mid, high: row.o_high },
    ...{ conditions: row.o_conditions, graded: row.o_graded },
  };
}

async function readRules(db: Kysely<Database>, source: string, cards: readonly number[]) {
  const rows = await db
    .selectFrom('quarantine')
    .where('source', '=', source)
    .where('card_id', 'in', cards)
    .where('decision', 'is', null)
    .select(['card_id', 'printing', 'rule'])
    .orderBy('id')
    .execute();
  return new Map(
    rows.map(({ card_id, printing, rule }) => {
      return [placeKey({ card: card_id ?? 0, printing: printing ?? '' }), rule];
    }),
  );
}

interface StoredAmounts {
  readonly market: number | null;
  readonly low: number | null;
  readonly mid: number | null;
  readonly high: number | null;
  readonly conditions: string | null;
  readonly graded: string | null;
}

function amountsIn({ market, low, mid, high, conditions, graded }: StoredAmounts): Amounts {
  const figures = Object.entries({ market, low, mid, high }).filter(
    ([, amount]) => amount !== null,
  );
  const others = [conditions, graded].flatMap((json) => Object.entries(JSON.parse(json ?? '{}')));
  return Object.fromEntries([...figures, ...others]) as Amounts;
}

/** Reads the history of a printing: the amounts of each day from `from` on. */
export function historyOf(store: Store, to: Day) {
  const read = historyReader(store);
  return async (printing: number, from: Day): Promise<Map<Day, Amounts>> => {
    const days = await read(printing, from, to);
    return new Map(
      days.map(({ day, market, low, mid, high }) => {
        return [day, amountsIn({ market, low, mid, high, conditions: null, graded: null })];
      }),
    );
  };
}
