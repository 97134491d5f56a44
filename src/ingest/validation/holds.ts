import type { Kysely } from 'kysely';
import { type Day, dayOf, formatDay, type Millis, startOfDay } from '../../domain/day.ts';
import type { DayPrices } from '../../domain/price.ts';
import { findValidationRule, isLasting } from '../../domain/validation-rules.ts';
import { printingsOf } from '../../store/catalogue.ts';
import type { Store } from '../../store/connect.ts';
import {
  deleteQuarantined,
  insertQuarantined,
  type NewQuarantineRow,
  type QuarantinedObservation,
  readQuarantined,
  readScopes,
  updateQuarantined,
} from '../../store/quarantine.ts';
import type { Database, QuarantineRow } from '../../store/schema.ts';
import type { Finding, Held, ResolvedObservation, StoredQuote } from './candidate.ts';
import { formatAmount, formatFigure, mainFigure } from './figures.ts';
import { isSameLevel } from './held.ts';
import { isPossible } from './series.ts';

/** What is held back of the cards of a batch, and what becomes of that. */
export class Quarantine {
  readonly #rows: ReadonlyMap<string, readonly HoldEntry[]>;
  readonly #added: (Omit<NewQuarantineRow, 'game' | 'set_id' | 'printing_id'> & {
    card_id: number;
  })[] = [];
  readonly #changed: QuarantineRow[] = [];
  readonly #removed: number[] = [];
  readonly #heldNow = new Set<string>();
  readonly #now: Millis;

  private constructor(rows: readonly QuarantineRow[], now: Millis) {
    const entries = rows.flatMap((row) => entryOf(row) ?? []);
    this.#rows = Map.groupBy(entries, ({ row }) => `${row.card_id} ${row.printing}`);
    this.#now = now;
  }

  static async open(
    db: Kysely<Database>,
    batch: readonly ResolvedObservation[],
    now: Millis,
  ): Promise<Quarantine> {
    const cards = new Set(batch.map(({ card }) => card));
    return new Quarantine(await readQuarantined(db, [...cards]), now);
  }

  /** A candidate with all that is held back already and concerns it. */
  complete<C extends ResolvedObservation>(candidate: C): C {
    const all = this.#rows.get(keyOf(candidate));
    if (!all) return candidate;
    const own = this.#current(candidate);
    return {
      ...candidate,
      held: own && { ...own.quote, isRejected: own.row.decision === 'rejected' },
      waived: this.#waivers(candidate).flatMap(({ row }) => findValidationRule(row.rule) ?? []),
      witnesses: all.filter((entry) => isWitness(entry, candidate)).map(asStored),
    };
  }

  /** The days of a candidate's past that the operator has let through. */
  acceptedDays(candidate: ResolvedObservation): Set<Day> {
    const own = this.#own(candidate).filter(({ row, quote }) => {
      return row.decision === 'approved' && quote.days === 0;
    });
    return new Set(own.map(({ quote }) => dayOf(quote.observedAt)));
  }

  /** Holds a candidate back. The same again is not listed twice, nor again once it is rejected. */
  hold(candidate: ResolvedObservation, { days, ...finding }: Held): void {
    const { observedAt, marketplace, currency, prices, conditions, graded } = candidate.observation;
    const quote = { marketplace, currency, observedAt, prices, conditions, graded, days };
    const known = this.#current(candidate);
    if (known && isStillRejected(known, finding, quote)) return;
    if (this.#isHeldNow(candidate)) return;
    const row = this.#row(candidate, finding, quote);
    const isListed = known && known.row.decision === null;
    const held_at = isListed ? known.row.quarantined_at : this.#now;
    if (known) this.#changed.push({ ...known.row, ...row, quarantined_at: held_at });
    else this.#added.push(row);
  }

  /** Holds back a day of a candidate's past, unless that is done already. */
  holdDay(candidate: ResolvedObservation, finding: Finding, { day, ...prices }: DayPrices): void {
    const isKnown = this.#own(candidate).some(({ quote }) => {
      return quote.days === 0 && dayOf(quote.observedAt) === day;
    });
    if (isKnown) return;
    const { marketplace, currency } = candidate.observation;
    const observedAt = startOfDay(day);
    const rest = { conditions: {}, graded: {}, days: 0 };
    const quote = { marketplace, currency, observedAt, prices, ...rest };
    this.#added.push(this.#row(candidate, finding, quote));
  }

  /** Strikes off what was held back of a candidate that is sound now. */
  pass(candidate: ResolvedObservation): void {
    const known = this.#current(candidate);
    if (known && known.row.decision === null) this.#removed.push(known.row.id);
  }

  async save(store: Store, transaction: Kysely<Database>): Promise<void> {
    const cards = [...new Set(this.#added.map(({ card_id }) => card_id))];
    const scopes = await readScopes(transaction, cards);
    const printings = await printingsOf(transaction, cards);
    const ids = new Map(printings.map(({ id, card_id, name }) => [`${card_id} ${name}`, id]));
    const added = this.#added.map((row) => {
      const scope = scopes.get(row.card_id);
      const printing_id = ids.get(`${row.card_id} ${row.printing}`) ?? null;
      return { ...row, game: scope?.game ?? null, set_id: scope?.set ?? null, printing_id };
    });
    await insertQuarantined(transaction, added);
    await updateQuarantined(store, transaction, this.#changed);
    await deleteQuarantined(transaction, this.#removed);
  }

  #row(candidate: ResolvedObservation, { reason, detail }: Finding, quote: QuarantinedObservation) {
    const { source, card, printing, externalId = null } = candidate;
    const { observedAt } = quote;
    return {
      ...{ source, marketplace: quote.marketplace, card_id: card, printing, rule: reason, detail },
      ...{ observation: JSON.stringify(quote), external_id: externalId },
      observed_at: Number.isSafeInteger(observedAt) ? observedAt : null,
      ...{ quarantined_at: this.#now, decided_at: null, decision: null },
    };
  }

  /** Whether the very printing was held back before in this batch. */
  #isHeldNow(candidate: ResolvedObservation): boolean {
    const { source, observation } = candidate;
    const key = `${keyOf(candidate)} ${source} ${observation.marketplace}`;
    const isHeld = this.#heldNow.has(key);
    this.#heldNow.add(key);
    return isHeld;
  }

  #own(candidate: ResolvedObservation): readonly HoldEntry[] {
    const { source, observation } = candidate;
    const all = this.#rows.get(keyOf(candidate)) ?? [];
    return all.filter(
      ({ row }) => row.source === source && row.marketplace === observation.marketplace,
    );
  }

  #current(candidate: ResolvedObservation): HoldEntry | undefined {
    return this.#own(candidate).find(({ row, quote }) => {
      return row.decision !== 'approved' && quote.days > 0;
    });
  }

  /** What the operator has let through; which card is meant, only for the source's card. */
  #waivers(candidate: ResolvedObservation): HoldEntry[] {
    return this.#own(candidate).filter(({ row, quote }) => {
      const isMeant =
        row.rule !== 'shared-external-id' || row.external_id === (candidate.externalId ?? null);
      return row.decision === 'approved' && quote.days > 0 && isMeant;
    });
  }
}

/** What is wrong with a day of a candidate's past. */
export function dayFinding(
  { cardName, printing, observation }: ResolvedObservation,
  day: DayPrices,
): Finding {
  const figure = mainFigure([{ prices: day }]);
  const amount = figure ? day[figure] : null;
  const price = amount === null ? 'none' : formatAmount(amount, observation.currency);
  const what = `${formatFigure(figure ?? 'price')} of ${cardName} (${printing}) was ${price}`;
  const reason = isPossible(day) ? 'price-jump' : 'absurd-price';
  return { reason, detail: `The ${what} on ${formatDay(day.day)} alone.` };
}

interface HoldEntry {
  readonly row: QuarantineRow;
  readonly quote: QuarantinedObservation;
}

function entryOf(row: QuarantineRow): HoldEntry | undefined {
  return row.observation === null
    ? undefined
    : { row, quote: JSON.parse(row.observation) as QuarantinedObservation };
}

function keyOf({ card, printing }: ResolvedObservation): string {
  return `${card} ${printing}`;
}

/** Reasons that are of how far a price has moved, which another source may see, too. */
const MOVED: readonly string[] = [
  'price-jump',
  'swapped-printings',
  'copied-price',
  'source-outlier',
];

/** Whether another source's price that is held back for its move may speak for a candidate. */
function isWitness({ row, quote }: HoldEntry, { source }: ResolvedObservation): boolean {
  const isOpen = row.decision === null && quote.days > 0;
  return row.source !== source && isOpen && MOVED.includes(row.rule);
}

/** Whether the operator's rejection is of this, too: at whatever price, where that is no matter. */
function isStillRejected(
  { row, quote }: HoldEntry,
  { reason }: Finding,
  now: QuarantinedObservation,
): boolean {
  if (row.decision !== 'rejected') return false;
  return (row.rule === reason && isLasting(reason)) || isSameLevel(quote, now);
}

function asStored({ row, quote }: HoldEntry): StoredQuote {
  return { ...quote, source: row.source };
}
