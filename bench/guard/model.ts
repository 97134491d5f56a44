import type { Day } from '../../src/domain/day.ts';
import type { Cents } from '../../src/domain/money.ts';
import type { GradeName } from '../../src/domain/observation.ts';
import type { Condition, PriceFigures } from '../../src/domain/price.ts';
import type { PriceSettings } from '../../src/ingest/import.ts';
import type { Store } from '../../src/store/connect.ts';

/** The name of an amount: a figure, a condition or a grade. */
export type AmountName = keyof PriceFigures | Condition | GradeName;

/** The amounts that a source reports of a printing on a day, in cents; missing ones are unknown. */
export type Amounts = Readonly<Partial<Record<AmountName, Cents>>>;

/** A printing of a card at a source, with what the source truly reports of it. */
export interface Row {
  /** The source's own id of the card. */
  readonly card: string;
  /** Undefined where the source does not tell printings apart. */
  readonly printing: string | undefined;
  /** What the source publishes together: a set, mostly. */
  readonly set: string;
  /** By index of the day; undefined on days without a report. */
  readonly days: readonly (Amounts | undefined)[];
}

/** What a source reports of a printing on one day, truly or by mistake. */
export interface Report {
  readonly row: Pick<Row, 'card' | 'printing' | 'set'>;
  readonly amounts: Amounts;
}

/** Where and how days are imported. */
export interface Importer {
  readonly store: Store;
  /** `limits: null` switches validation off. */
  readonly settings: PriceSettings;
}

/** A source whose real days are imported one after the other, and that makes the mistakes. */
export interface World {
  readonly name: string;
  /** What the days are made of, for readers of the results. */
  readonly about: string;
  /** The source by its name in the table of sources. */
  readonly source: string;
  readonly days: readonly Day[];
  /** How many days are imported before the first mistake. */
  readonly daysBefore: number;
  readonly rows: readonly Row[];
  /** Printings that the source does not list yet: mistakes in first prices need them. */
  readonly unlisted: readonly Row[];
  /** Imports what is there before the first day: the catalogue, other sources' prices. */
  prepare(to: Importer): Promise<void>;
  /** Imports some days as the source reports them, and what other sources report of them. */
  publish(to: Importer, days: readonly PublishedDay[]): Promise<void>;
  /** Whether all days come in one import, so that only the history shows the earlier ones. */
  readonly isAtOnce: boolean;
}

/** What a source reports on a day. */
export interface PublishedDay {
  /** The index of the day in its world. */
  readonly index: number;
  readonly reports: readonly Report[];
}

/** Names a printing of a source. */
export function rowKey({ card, printing }: Pick<Row, 'card' | 'printing'>): string {
  return `${card} ${printing ?? ''}`;
}

/** Returns an amount of at least a cent. */
export function cents(amount: number): Cents {
  return Math.max(1, Math.round(amount)) as Cents;
}
