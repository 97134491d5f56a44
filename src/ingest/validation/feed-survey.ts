import type { GameSlug } from '../../domain/games.ts';
import type { SourceObservation } from '../../domain/observation.ts';
import type { ResolvedObservation } from '../observation.ts';
import { amountOf, comparedNames, isFreshAt } from './amounts.ts';
import { type ComparedLevel, decideLevel, judgeRatios } from './feed-level.ts';
import { daysBetween } from './rules/price-moves.ts';
import { medianOf } from './set-level.ts';

/** Compares all of a feed, before any of it is written, with what is known of its cards. */
export class FeedSurvey {
  readonly #source: string;
  /** By game and marketplace; that of the whole feed has the key ''. */
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
   * Returns why the prices of a game and marketplace cannot be right, in a sentence, or undefined
   * where they may. Where too few of them can be compared, the whole feed is judged.
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
  /** What the feed was compared with, in words. */
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
      { ...this.#own.judge(), what: 'its own last ones' },
      { ...this.#others.judge(), what: 'those of other sources' },
    ];
  }
}

type Priced = ResolvedObservation['observation'];

/** Whether another source has the price of the same marketplace, observed at about that time. */
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

/** Describes what is wrong with a feed; undefined if nothing is. */
function describe(source: string, { level, what }: SurveyedLevel): string | undefined {
  if (typeof level === 'string') return undefined;
  const { reason, median, bound, compared } = level;
  const limits = `${(1 / bound).toFixed(2)} to ${bound.toFixed(2)}`;
  const count = compared.toLocaleString('en');
  return reason === 'scale'
    ? `the prices of ${source} are ${median.toFixed(2)} times ${what}, in the median of ${count}; ` +
        `${limits} would be believed`
    : `half of ${count} prices of ${source} differ from ${what} by more than ${median.toFixed(2)} ` +
        `times, as if they were of other cards; up to ${bound.toFixed(2)} would be believed`;
}
