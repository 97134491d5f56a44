import {
  CONTRACT_GRADES,
  type ContractGrade,
  type Grade,
} from '../../../src/domain/grade-names.ts';
import { CONDITIONS, type Condition, FIGURES } from '../../../src/domain/price.ts';
import { type Figure, labelOf, type PriceName } from './price-names.ts';

/** The rows of the price table on the page of a card. */

/** A price in a table. */
export interface PriceRow {
  readonly name: PriceName;
  readonly label: string;
  /** In the reader's currency. */
  readonly amount: number;
  readonly isEstimated: boolean;
}

/** The prices of a kind, which share their marketplaces and their day. */
export interface PriceGroup {
  readonly kind: 'raw' | 'condition' | 'grade';
  readonly rows: readonly PriceRow[];
  /** The labels of missing prices of this kind. */
  readonly unpriced: readonly string[];
  /** The marketplaces of the prices. */
  readonly from: readonly string[];
  /** When the prices were observed: ISO 8601; null if unknown. */
  readonly observedAt: string | null;
}

type Amounts<Name extends string> = Readonly<Record<Name, number | null>>;

/** A printing with its prices as the API returns them. */
export interface PricedPrinting {
  readonly prices: Amounts<Figure> & {
    readonly conditions: Amounts<Condition>;
    readonly graded: Amounts<ContractGrade>;
    /** By grader and grade; missing without any. */
    readonly allGrades?: Readonly<Record<string, Readonly<Record<string, number>>>>;
    /** The conditions without a source, whose prices are derived from the market price. */
    readonly estimated?: readonly string[];
  };
  readonly figuresAt: string | null;
  readonly conditionsAt: string | null;
  readonly gradedAt: string | null;
  readonly origins: {
    readonly figures: string | null;
    readonly conditions: string | null;
    readonly graded: readonly string[];
  };
}

/** Returns the prices of raw copies, by condition and by grade, in the order of the page. */
export function groupPrices(printing: PricedPrinting): readonly PriceGroup[] {
  const { prices, figuresAt, conditionsAt, gradedAt, origins } = printing;
  const { conditions, graded, estimated = [] } = prices;
  return [
    {
      kind: 'raw',
      rows: rowsOf(FIGURES, prices, []),
      unpriced: [],
      from: listed(origins.figures),
      observedAt: figuresAt,
    },
    {
      kind: 'condition',
      rows: rowsOf(CONDITIONS, conditions, estimated),
      unpriced: CONDITIONS.filter((name) => conditions[name] === null).map(labelOf),
      from: listed(origins.conditions),
      observedAt: conditionsAt,
    },
    {
      kind: 'grade',
      rows: gradeRows(prices.allGrades),
      unpriced: CONTRACT_GRADES.filter((name) => graded[name] === null).map(labelOf),
      from: origins.graded,
      observedAt: gradedAt,
    },
  ];
}

function listed(marketplace: string | null): readonly string[] {
  return marketplace === null ? [] : [marketplace];
}

function rowsOf<Name extends Figure | Condition>(
  names: readonly Name[],
  amounts: Amounts<Name>,
  estimated: readonly string[],
): PriceRow[] {
  return names.flatMap((name) => {
    const amount = amounts[name];
    if (amount === null) return [];
    return [{ name, label: labelOf(name), amount, isEstimated: estimated.includes(name) }];
  });
}

/** Returns all grades with a price: those of the contract, then the others by company. */
export function gradeRows(allGrades: PricedPrinting['prices']['allGrades'] = {}): PriceRow[] {
  const rows = Object.entries(allGrades).flatMap(([company, levels]) => {
    const sorted = Object.entries(levels).sort(([a], [b]) => parseFloat(b) - parseFloat(a));
    return sorted.map(([level, amount]): PriceRow => {
      const name = `${company}_${level.replace('.', '_')}` as Grade;
      return { name, label: labelOf(name), amount, isEstimated: false };
    });
  });
  const contracted = CONTRACT_GRADES.flatMap(
    (grade) => rows.find(({ name }) => name === grade) ?? [],
  );
  return [...new Set([...contracted, ...rows])];
}

/** A price of a printing, with its group, which has its source. */
export interface FoundPrice {
  readonly row: PriceRow;
  readonly group: PriceGroup;
}

/** Finds a price by its name; undefined if no source has it. */
export function findPrice(
  groups: readonly PriceGroup[],
  name: PriceName | undefined,
): FoundPrice | undefined {
  for (const group of groups) {
    const row = group.rows.find((one) => one.name === name);
    if (row) return { row, group };
  }
  return undefined;
}

/** Finds the price of the same grade by any company: `any_9` for `psa_9`. */
export function findAnyCompany(
  groups: readonly PriceGroup[],
  name: PriceName,
): FoundPrice | undefined {
  return findPrice(groups, name.replace(/^[a-z]+_(?=\d)/, 'any_') as PriceName);
}

/** Finds the price of a raw copy: the market price, or a listing if there is none. */
export function findRawPrice(groups: readonly PriceGroup[]): FoundPrice | undefined {
  return FIGURES.map((name) => findPrice(groups, name)).find((found) => found !== undefined);
}
