import type { Day } from '../../src/domain/day.ts';
import type { Cents } from '../../src/domain/money.ts';
import type { PriceFigures } from '../../src/domain/price.ts';
import type { PriceSettings } from '../../src/ingest/import.ts';
import type { Store } from '../../src/store/connect.ts';

/** Returns numbers from 0 to 1. */
export type Random = () => number;

export type FigureName = keyof PriceFigures;

/** What a source reports of a printing on a day, in cents; missing figures are unknown. */
export type Amounts = Readonly<Partial<Record<FigureName, Cents>>>;

/** A printing of a card, with its true figures. */
export interface Row {
  /** The source's own id of the card. */
  readonly card: string;
  readonly printing: string;
  readonly set: string;
  /** By index of the day; undefined on days without a report. */
  readonly days: readonly (Amounts | undefined)[];
}

/** What a source reports of a printing on one day, true or wrong. */
export interface Report {
  readonly row: Pick<Row, 'card' | 'printing' | 'set'>;
  readonly amounts: Amounts;
}

/** Where and how days are imported; `limits: null` switches validation off. */
export interface Importer {
  readonly store: Store;
  readonly settings: PriceSettings;
}

/** A catalogue with the true prices of each day. */
export interface World {
  readonly days: readonly Day[];
  /** How many days are imported before the first mistake. */
  readonly daysBefore: number;
  readonly rows: readonly Row[];
  /** Printings that the source does not list yet, for mistakes in first prices. */
  readonly unlisted: readonly Row[];
  /** Imports the catalogue. */
  prepare(to: Importer): Promise<void>;
  /** Imports one day as the source reports it. */
  publish(to: Importer, day: Day, reports: readonly Report[]): Promise<void>;
}

/** What a mistake makes a source report of a printing. */
export interface Wrong {
  readonly row: Report['row'];
  /** What it should report. A printing that does not exist has nothing. */
  readonly truth: Row['days'];
  /** What it reports on a day, by index, from the first day of the mistake on. */
  readonly amounts: (day: number) => Amounts | undefined;
}

/** Where a mistake is planted. */
export interface Target {
  /** One printing, all printings of a set, or all of the source. */
  readonly rows: readonly Row[];
  /** The index of the first day of the mistake. */
  readonly start: number;
  /** The other printings of a row's card. */
  siblings(row: Row): readonly Row[];
  /** A row of another card and set, with a price on every day. */
  other(): Row | undefined;
  /** The rows of another set with at least `size` rows. */
  otherSet(size: number): readonly Row[];
  readonly random: Random;
}

/** A kind of mistake. */
export interface Kind {
  readonly name: string;
  /** How many prices it affects. */
  readonly scope: 'single' | 'set' | 'feed';
  /** Whether another figure or printing shows that it is wrong. */
  readonly isContradicted?: boolean;
  /** Whether the printing has no price of its source yet. */
  readonly isFirstPrice?: boolean;
  /** Whether it is planted in printings that the source has not listed before. */
  readonly isUnlisted?: boolean;
  /** Whether only the day of the amounts is wrong. */
  readonly isOldNews?: boolean;
  /** By how many times a wrong amount must be off to count; any visible difference without. */
  readonly leastFactor?: number;
  /** The group that the kind is reported in, if that does not follow from its first day. */
  readonly group?: 'large' | 'medium' | 'double' | 'small' | 'part';
  /** Returns what goes wrong, or undefined where this mistake cannot happen. */
  readonly plant: (target: Target) => readonly Wrong[] | undefined;
}

/** Names a printing of a source. */
export function rowKey({ card, printing }: Pick<Row, 'card' | 'printing'>): string {
  return `${card} ${printing}`;
}

/** Returns an amount of at least a cent. */
export function cents(amount: number): Cents {
  return Math.max(1, Math.round(amount)) as Cents;
}
