import type { GameSlug } from '../../domain/games.ts';
import type { SourceObservation } from '../../domain/observation.ts';
import type { ResolvedObservation } from '../observation.ts';
import { amountOf, comparedNames, isFreshAt } from './amounts.ts';
import { daysBetween } from './rules/price-moves.ts';
import { medianOf } from './set-level.ts';

/**
 * Judges a feed as a whole by the ratios of its prices to others: other sources' prices at the same
 * marketplace, or its own earlier ones. Single prices move, but the median of many hardly does.
 * This reveals a file in which euros were read as dollars, or rows have the prices of the next row.
 *
 * Measured: on both days with data, nearly all of 26,764 prices of Scryfall and TCGCSV are equal to
 * the cent. For 26,510 prices of Scryfall nine days apart, the median ratio is 1.000, and half are
 * within 1.5 % of it. The median of Lorcana's 1,400 printings moved by at most 1.1 % in a day, 2.6
 * % in a week, 5.4 % in 30 days and 19 % in 120. Shifted by a row, half of Scryfall's prices are
 * off by a factor of 3.2.
 */

/** A feed that is wrong as a whole. */
export interface FeedShift {
  /** All prices are off alike, or each by a different factor because they belong to other cards. */
  readonly reason: 'scale' | 'other cards';
  /** The median of the ratios; for other cards, the factor by which half of the prices are off. */
  readonly median: number;
  /** The limit for the median, which must also not fall below its inverse. */
  readonly bound: number;
  readonly compared: number;
}

/** The verdict on a feed. `unknown` means that too few prices can be compared. */
export type FeedLevel = 'unknown' | 'sound' | FeedShift;

/**
 * How far off a median may be, as a logarithm: on the same day, and additionally for each day
 * between.
 */
const SCALE_BOUND = 0.05;
/** The same limits for half of the prices, in either direction. */
const OTHER_CARDS_BOUND = 0.6;
const GROWTH_A_DAY = 0.0025;

/** With this many prices a median is meaningful. With fewer, nearly all must be off alike. */
const MANY = 100;
const FEW = 20;
/** The share of prices that must be off by about their median, with many and with few prices. */
const SHARE_OF_MANY = 0.5;
const SHARE_OF_FEW = 0.9;

/** Judges the ratios of prices to other prices that are `days` days older or newer. */
export function judgeRatios(ratios: readonly number[], days: number): FeedLevel {
  if (ratios.length < FEW) return 'unknown';
  const logs = ratios.map(Math.log);
  const median = medianOf(logs) ?? 0;
  const compared = ratios.length;
  const growth = GROWTH_A_DAY * days;
  const near = logs.filter((log) => Math.abs(log - median) <= Math.abs(median) / 2).length;
  const isAlike = near >= compared * (compared < MANY ? SHARE_OF_FEW : SHARE_OF_MANY);
  if (Math.abs(median) > SCALE_BOUND + growth && isAlike) {
    const bound = Math.exp(SCALE_BOUND + growth);
    return { reason: 'scale', median: Math.exp(median), bound, compared };
  }
  if (compared < MANY) return Math.abs(median) <= SCALE_BOUND + growth ? 'sound' : 'unknown';
  const off = medianOf(logs.map(Math.abs)) ?? 0;
  if (off <= OTHER_CARDS_BOUND + growth) return 'sound';
  const bound = Math.exp(OTHER_CARDS_BOUND + growth);
  return { reason: 'other cards', median: Math.exp(off), bound, compared };
}

/** A comparison of a feed, and the verdict. */
export interface ComparedLevel {
  readonly level: FeedLevel;
  readonly compared: number;
}

/**
 * Decides between the comparisons of a feed. A comparison that finds the feed sound wins if it
 * compares at least half as many prices as any other: a feed that agrees with other sources has
 * been fixed, and a feed that has not moved is as the operator approved it.
 */
export function decideLevel<Compared extends ComparedLevel>(
  all: readonly Compared[],
): Compared | undefined {
  const known = all.filter(({ level }) => level !== 'unknown');
  const most = Math.max(...known.map(({ compared }) => compared));
  const sound = known.find(({ level, compared }) => level === 'sound' && compared * 2 >= most);
  return sound ?? known.find(({ compared }) => compared === most);
}

/**
 * Compares a whole feed, before any of it is written, with the stored observations of its cards.
 */
export class FeedSurvey {
  readonly #source: string;
  /** By game and marketplace; the key '' stands for the whole feed. */
  readonly #parts = new Map<string, SurveyedPart>();
  readonly #shifts = new Map<string, string | undefined>();

  constructor(source: string) {
    this.#source = source;
  }

  /** Adds observations of cards of a game. */
  add(game: GameSlug, observations: readonly ResolvedObservation[]): void {
    for (const resolved of observations) {
      for (const key of ['', partKey(game, resolved.observation.marketplace)]) {
        const part = this.#parts.get(key) ?? new SurveyedPart();
        this.#parts.set(key, part);
        part.add(resolved);
      }
    }
  }

  /**
   * Returns a sentence on why the prices of a game and marketplace must be wrong; undefined if they
   * may be right. If too few of them can be compared, judges the whole feed.
   */
  shiftOf(game: GameSlug, marketplace: string): string | undefined {
    const key = partKey(game, marketplace);
    if (!this.#shifts.has(key)) this.#shifts.set(key, this.#judge(key, ''));
    return this.#shifts.get(key);
  }

  #judge(...keys: readonly string[]): string | undefined {
    const [decided] = keys.flatMap(
      (key) => decideLevel(this.#parts.get(key)?.levels() ?? []) ?? [],
    );
    return decided && describe(this.#source, decided);
  }
}

function partKey(game: GameSlug, marketplace: string): string {
  return `${game} ${marketplace}`;
}

interface SurveyedLevel extends ComparedLevel {
  /** The other side of the comparison, in words. */
  readonly what: string;
}

class SurveyedPart {
  readonly #own = new Ratios();
  readonly #others = new Ratios();

  add(resolved: ResolvedObservation): void {
    const { observation, before, others } = resolved;
    if (before) this.#own.add(observation, before);
    const other = others.find((one) => isComparable(observation, one));
    if (other) this.#others.add(observation, other);
  }

  levels(): SurveyedLevel[] {
    return [
      { ...this.#own.judge(), what: 'its previous prices' },
      { ...this.#others.judge(), what: 'the prices of other sources' },
    ];
  }
}

type Priced = ResolvedObservation['observation'];

/** Whether another source has a price for the same marketplace, observed at about that time. */
function isComparable({ marketplace, observedAt }: Priced, other: SourceObservation): boolean {
  return other.marketplace === marketplace && isFreshAt(other, observedAt);
}

/** The ratios of prices to others, one for each observation. */
class Ratios {
  readonly #ratios: number[] = [];
  readonly #days: number[] = [];

  /** Adds the first amount that both have, of the same currency. */
  add(observation: Priced, known: SourceObservation): void {
    if (observation.currency !== known.currency) return;
    for (const name of comparedNames(observation, known)) {
      const [is, was] = [amountOf(observation, name), amountOf(known, name)];
      if (!is || !was || is < 0 || was < 0) continue;
      this.#ratios.push(is / was);
      this.#days.push(daysBetween(observation.observedAt, known.observedAt));
      return;
    }
  }

  judge(): ComparedLevel {
    const compared = this.#ratios.length;
    return { level: judgeRatios(this.#ratios, medianOf(this.#days) ?? 0), compared };
  }
}

/** Describes the fault of a feed; undefined if it has none. */
function describe(source: string, { level, what }: SurveyedLevel): string | undefined {
  if (typeof level === 'string') return undefined;
  const { reason, median, bound, compared } = level;
  const limits = `${(1 / bound).toFixed(2)} to ${bound.toFixed(2)}`;
  const count = compared.toLocaleString('en');
  return reason === 'scale'
    ? `the prices of ${source} are ${median.toFixed(2)} times ${what} (median of ${count}); ` +
        `${limits} times is accepted`
    : `half of ${count} prices of ${source} differ from ${what} by a factor of more than ` +
        `${median.toFixed(2)}, like prices of other cards; up to ${bound.toFixed(2)} is accepted`;
}
