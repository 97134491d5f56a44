import type { CopyName } from '../../domain/copy.ts';
import { type Day, dayOf, type Millis, startOfDay } from '../../domain/day.ts';
import { isGrade } from '../../domain/grades.ts';
import type { Cents } from '../../domain/money.ts';
import type { SourceObservation } from '../../domain/observation.ts';
import { type DayPrices, NO_PRICES } from '../../domain/price.ts';
import { findValidationRule, isLasting } from '../../domain/quarantined.ts';
import { printingsOf } from '../../store/catalogue/catalogue.ts';
import type { Store, Transaction } from '../../store/connect.ts';
import type {
  NewQuarantineEntry,
  QuarantinedObservation,
  QuarantineEntry,
} from '../../store/quarantine/entries.ts';
import {
  deleteQuarantined,
  insertQuarantined,
  readQuarantined,
  readScopes,
  updateQuarantined,
} from '../../store/quarantine/quarantine.ts';
import type { Finding, QuarantinedBefore, ResolvedObservation } from '../observation.ts';
import { amountNames, amountOf, withAmounts } from './amounts.ts';
import { isSameLevel } from './belief.ts';
import type { QuarantineFinding } from './limits.ts';
import { arePrices } from './rules/absurd.ts';

/** The quarantined entries of the cards of one batch, and the changes that the batch makes. */
export class Quarantine {
  readonly #entries: ReadonlyMap<string, readonly Entry[]>;
  readonly #added: (Described & { readonly cardRowId: number })[] = [];
  readonly #changed: QuarantineEntry[] = [];
  readonly #cleared: number[] = [];
  /** The printings that this batch has quarantined, by source and marketplace. */
  readonly #quarantinedNow = new Set<string>();
  readonly #now: Millis;

  private constructor(known: readonly QuarantineEntry[], now: Millis) {
    const entries = known.filter(hasObservation);
    this.#entries = Map.groupBy(entries, ({ cardRowId, printing }) => `${cardRowId} ${printing}`);
    this.#now = now;
  }

  /** Reads the quarantined entries of the cards of a batch. */
  static async open(
    db: Transaction,
    batch: readonly ResolvedObservation[],
    now: Millis,
  ): Promise<Quarantine> {
    const cards = new Set(batch.map(({ card }) => card));
    return new Quarantine(await readQuarantined(db, [...cards]), now);
  }

  /** Returns the observation with all quarantined data of its printing. */
  annotate(resolved: ResolvedObservation): ResolvedObservation {
    const ofPrinting = this.#entries.get(printingKey(resolved));
    if (!ofPrinting) return resolved;
    const current = this.#current(resolved);
    const { before } = resolved;
    const moved = ofPrinting.filter(isOpenMove);
    return {
      ...resolved,
      before: before && current ? withLastAccepted(before, current.observation) : before,
      // A source's accepted price contradicts nothing while its own newer report waits.
      others: before
        ? resolved.others.filter((other) => !moved.some((entry) => isOf(entry, other)))
        : resolved.others,
      quarantined: current && {
        ...current.observation,
        rule: findValidationRule(current.rule),
        detail: current.detail,
        isRejected: current.decision === 'rejected',
      },
      approvedRules: this.#approved(resolved).flatMap(({ rule }) => findValidationRule(rule) ?? []),
      witnesses: moved.filter((entry) => isWitness(entry, resolved)).map(asObservation),
    };
  }

  /**
   * Returns the earlier days of an observation that the operator has approved, for its figures or
   * for one condition or grade.
   */
  approvedDays(resolved: ResolvedObservation, copy?: CopyName): Set<Day> {
    const approved = this.#own(resolved).filter((entry) => {
      return isApproved(entry) && isDay(entry) && copyOf(entry) === copy;
    });
    return new Set(approved.map(({ observation }) => dayOf(observation.observedAt)));
  }

  /**
   * Puts an observation into quarantine. The same price again updates the existing entry. A
   * rejected entry is not listed again.
   */
  add(resolved: ResolvedObservation, { days, amounts, ...finding }: QuarantineFinding): void {
    const { observedAt, marketplace, currency, prices, conditions, graded } = resolved.observation;
    const reported = { marketplace, currency, observedAt, prices, conditions, graded };
    const past = pastOf(resolved, amounts);
    const claim = resolved.conflict?.claim;
    const observation = {
      ...reported,
      days,
      ...(amounts && { amounts }),
      ...past,
      ...(claim && { claim }),
    };
    const known = this.#current(resolved);
    if (known && isNewer(known, resolved)) return;
    if (known && isStillRejected(known, finding, observation)) return;
    if (this.#isQuarantinedNow(resolved)) return;
    const described = this.#describe(resolved, finding, observation);
    const listing = known ? listingOf(known, finding, observation) : undefined;
    const quarantinedAt = this.#now;
    if (known) this.#changed.push({ ...known, ...described, quarantinedAt, ...listing });
    else this.#added.push(described);
  }

  /** Puts an earlier day of an observation into quarantine, unless it is already there. */
  addDay(resolved: ResolvedObservation, { day, ...prices }: DayPrices, finding: Finding): void {
    if (this.#hasDay(resolved, day)) return;
    const { amounts } = finding;
    const rest = { conditions: {}, graded: {}, ...(amounts && { amounts }) };
    this.#addDay(resolved, day, finding, { prices, ...rest });
  }

  /** Does the same with an earlier day of a condition or grade. */
  addCopyDay(
    resolved: ResolvedObservation,
    copy: CopyName,
    { day, market }: DayPrices,
    finding: Finding,
  ): void {
    if (market === null || this.#hasDay(resolved, day, copy)) return;
    const amounts = { [copy]: market };
    const [conditions, graded] = isGrade(copy) ? [{}, amounts] : [amounts, {}];
    this.#addDay(resolved, day, finding, {
      prices: NO_PRICES,
      conditions,
      graded,
      amounts: [copy],
    });
  }

  #hasDay(resolved: ResolvedObservation, day: Day, copy?: CopyName): boolean {
    return this.#own(resolved).some((entry) => {
      const isOfDay = isDay(entry) && dayOf(entry.observation.observedAt) === day;
      return isOfDay && copyOf(entry) === copy;
    });
  }

  #addDay(
    resolved: ResolvedObservation,
    day: Day,
    finding: Finding,
    amounts: Pick<QuarantinedObservation, 'prices' | 'conditions' | 'graded' | 'amounts'>,
  ): void {
    const { marketplace, currency } = resolved.observation;
    const observation = { marketplace, currency, observedAt: startOfDay(day), days: 0, ...amounts };
    this.#added.push(this.#describe(resolved, finding, observation));
  }

  /**
   * Clears the quarantined entry of a printing whose new observation is accepted. If the
   * observation lacks all quarantined amounts, the entry stays, because the amounts would otherwise
   * count as first prices when they return.
   */
  clear(resolved: ResolvedObservation): void {
    const known = this.#current(resolved);
    if (!known || known.decision === 'rejected' || isNewer(known, resolved)) return;
    const { amounts } = known.observation;
    const isMissing = amounts?.every((name) => !amountOf(resolved.observation, name));
    if (!isMissing) this.#cleared.push(known.id);
  }

  /** Writes the changes. */
  async save(store: Store, transaction: Transaction): Promise<void> {
    const cards = [...new Set(this.#added.map(({ cardRowId }) => cardRowId))];
    const scopes = await readScopes(transaction, cards);
    const printings = await printingsOf(store, transaction, cards);
    const rowIds = new Map(
      printings.map(({ rowId, cardRowId, name }) => [`${cardRowId} ${name}`, rowId]),
    );
    const added = this.#added.map((entry) => {
      const scope = scopes.get(entry.cardRowId);
      const printingRowId = rowIds.get(`${entry.cardRowId} ${entry.printing}`) ?? null;
      return { ...entry, game: scope?.game ?? null, setRowId: scope?.set ?? null, printingRowId };
    });
    await insertQuarantined(transaction, added);
    await updateQuarantined(store, transaction, this.#changed);
    await deleteQuarantined(transaction, this.#cleared);
  }

  #describe(
    { source, card, printing, externalId = null }: ResolvedObservation,
    { rule, detail }: Finding,
    observation: QuarantinedObservation,
  ): Described & { readonly cardRowId: number } {
    const { observedAt, marketplace } = observation;
    return {
      source,
      marketplace,
      cardRowId: card,
      printing,
      rule,
      detail,
      observation,
      delisted: [],
      externalId,
      observedAt: Number.isSafeInteger(observedAt) ? observedAt : null,
      quarantinedAt: this.#now,
      decidedAt: null,
      decision: null,
    };
  }

  /** Returns whether this batch has already quarantined the printing, and notes that it now has. */
  #isQuarantinedNow(resolved: ResolvedObservation): boolean {
    const { source, observation } = resolved;
    const key = `${printingKey(resolved)} ${source} ${observation.marketplace}`;
    const isKnown = this.#quarantinedNow.has(key);
    this.#quarantinedNow.add(key);
    return isKnown;
  }

  /** Returns the entries of the same printing, source and marketplace. */
  #own(resolved: ResolvedObservation): readonly Entry[] {
    const { source, observation } = resolved;
    const ofPrinting = this.#entries.get(printingKey(resolved)) ?? [];
    return ofPrinting.filter((entry) => {
      return entry.source === source && entry.marketplace === observation.marketplace;
    });
  }

  #current(resolved: ResolvedObservation): Entry | undefined {
    return this.#own(resolved).find((entry) => !isApproved(entry) && !isDay(entry));
  }

  /**
   * Returns the operator's approvals. An approval of the card that an id means applies only to one
   * id.
   */
  #approved(resolved: ResolvedObservation): Entry[] {
    return this.#own(resolved).filter((entry) => {
      const { rule, externalId } = entry;
      const isMeant = rule !== 'shared-external-id' || externalId === (resolved.externalId ?? null);
      return isApproved(entry) && !isDay(entry) && isMeant;
    });
  }
}

/** An entry with an observation. */
interface Entry extends QuarantineEntry {
  readonly observation: QuarantinedObservation;
}

/** An entry without the fields that `save` looks up. */
type Described = Omit<NewQuarantineEntry, 'game' | 'setRowId' | 'printingRowId'>;

function hasObservation(entry: QuarantineEntry): entry is Entry {
  return entry.observation !== null;
}

function printingKey({ card, printing }: ResolvedObservation): string {
  return `${card} ${printing}`;
}

function isApproved({ decision }: Entry): boolean {
  return decision === 'approved';
}

/** Whether an entry is an earlier day rather than the source's current report. */
function isDay({ observation }: Entry): boolean {
  return observation.days === 0;
}

/** The condition or grade of an earlier day's entry; undefined for figures. */
function copyOf({ observation: { conditions, graded } }: Entry): CopyName | undefined {
  const [name] = [...Object.keys(conditions), ...Object.keys(graded)];
  return name as CopyName | undefined;
}

/** The rules about the distance of a price's move, which another source can confirm. */
const MOVE_RULES: readonly string[] = [
  'price-jump',
  'swapped-printings',
  'copied-price',
  'exchanged-prices',
  'source-outlier',
  'set-shift',
  'partial-shift',
];

/** Whether an entry is a moved price, not only a listing, and waits for a decision. */
function isOpenMove(entry: Entry): boolean {
  const isOpen = entry.decision !== 'rejected' && !isApproved(entry) && !isDay(entry);
  return isOpen && !entry.observation.amounts && MOVE_RULES.includes(entry.rule);
}

function isOf(entry: Entry, { source, marketplace }: SourceObservation): boolean {
  return entry.source === source && entry.marketplace === marketplace;
}

/**
 * Whether an entry is from another source and marketplace. Two sources of one marketplace are one
 * witness, because both may repeat its mistake.
 */
function isWitness(entry: Entry, { source, observation }: ResolvedObservation): boolean {
  return entry.source !== source && entry.marketplace !== observation.marketplace;
}

/** Whether an entry is about a later day than an observation, which may come from an older file. */
function isNewer({ observation: known }: Entry, { observation }: ResolvedObservation): boolean {
  return dayOf(known.observedAt) > dayOf(observation.observedAt);
}

/** Whether the operator's rejection covers a new finding; for a lasting rule, at any price. */
function isStillRejected(known: Entry, { rule }: Finding, now: QuarantinedObservation): boolean {
  if (known.decision !== 'rejected') return false;
  const [claim, rejected] = [now.claim, known.observation.claim];
  if (claim || rejected)
    return claim?.name === rejected?.name && claim?.number === rejected?.number;
  return (known.rule === rule && isLasting(rule)) || isSameLevel(known.observation, now);
}

/**
 * Returns the fields that an entry keeps when its price is reported again: since when it waits and,
 * if the finding is the same, that it has closed. Undefined if it is new to the operator.
 */
function listingOf(
  known: Entry,
  { rule }: Finding,
  now: QuarantinedObservation,
): Pick<Entry, 'quarantinedAt' | 'decidedAt' | 'decision'> | undefined {
  const { quarantinedAt, decidedAt, decision } = known;
  const isSame = known.rule === rule && isSameLevel(known.observation, now);
  const stays = decision === null || (decision === 'closed' && isSame);
  return stays ? { quarantinedAt, decidedAt, decision } : undefined;
}

function asObservation({ source, observation }: Entry): SourceObservation {
  return { ...observation, source };
}

/* The stored past of an entry of the quarantine. */

/** The most days that an entry stores: the first one and the last ones. */
const MOST_DAYS = 60;

type Past = Pick<QuarantinedObservation, 'earlierDays' | 'was' | 'trails'>;

/** Returns the days in quarantine, and the accepted amounts before them. */
export function pastOf(
  resolved: ResolvedObservation,
  amounts: readonly string[] | undefined,
): Past {
  const { quarantined, observation } = resolved;
  const { earlierDays = [], trails = {} } = quarantined ?? {};
  const was = lastAccepted(resolved, amounts);
  const isReadable = arePrices(observation.prices) && Number.isSafeInteger(observation.observedAt);
  if (!isReadable) return { earlierDays, was, trails };
  return { earlierDays: daysUntil(resolved), was, trails: trailsUntil(resolved, amounts) };
}

/** The first day stays, because the price had time to move until then, but not since. */
function daysUntil({ quarantined, observation }: ResolvedObservation): DayPrices[] {
  const today = dayOf(observation.observedAt);
  const known = [...(quarantined?.earlierDays ?? []), ...(observation.earlierDays ?? [])];
  const past = known.filter(({ day }) => day < today);
  const [first, ...others] = [...past, { day: today, ...observation.prices }];
  return first ? [first, ...others.slice(1 - MOST_DAYS)] : [];
}

/**
 * Returns the last accepted values of amounts, including quarantined amounts that are not reported
 * now.
 */
function lastAccepted(
  { quarantined, observation, before }: ResolvedObservation,
  amounts: readonly string[] | undefined,
): Record<string, Cents> {
  const waited = Object.keys(quarantined?.was ?? {}).filter((name) => {
    return amounts === undefined || !amountOf(observation, name);
  });
  const was = [...waited, ...(amounts ?? [])].flatMap((name) => {
    const cents = quarantined?.was?.[name] ?? (before && amountOf(before, name));
    return cents ? [[name, cents] as const] : [];
  });
  return Object.fromEntries(was);
}

/** Returns the trails of conditions and grades, which the days of figures do not have. */
function trailsUntil(
  { quarantined, observation }: ResolvedObservation,
  amounts: readonly string[] = amountNames(observation),
): Record<string, readonly Cents[]> {
  const isToday = quarantined && dayOf(quarantined.observedAt) === dayOf(observation.observedAt);
  const trails = amounts.flatMap((name) => {
    const cents = amountOf(observation, name);
    if (name in observation.prices || !cents) return [];
    const trail = quarantined?.trails?.[name] ?? [];
    const past = isToday ? trail.slice(0, -1) : trail;
    return [[name, [...past, cents].slice(-MOST_DAYS)] as const];
  });
  return Object.fromEntries(trails);
}

/** Adds the amounts that have since been in quarantine to the last accepted ones. */
export function withLastAccepted(
  before: SourceObservation,
  { was }: Pick<QuarantinedBefore, 'was'>,
): SourceObservation {
  return was ? withAmounts(before, was) : before;
}
