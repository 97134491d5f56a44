import type { LocalPrices } from '../../domain/local-prices.ts';
import type { SearchSort } from '../results.ts';
import { type Amount, CURRENCY_WORD, readMoney, SYMBOL, type UnknownAmount } from './money.ts';
import type { Comparison, NumberField, Tree } from './tree.ts';
import { joinTrees } from './tree.ts';

/** The meaning of everyday wording: a condition, an order, or the reason why it has none. */
export interface Wording {
  /** Its end in the text. */
  readonly to: number;
  readonly tree?: Tree | undefined;
  readonly sort?: SearchSort;
  readonly problem?: string;
}

type Read = (
  groups: Readonly<Record<string, string | undefined>>,
  local: LocalPrices,
) => Omit<Wording, 'to'>;

interface Pattern {
  readonly pattern: RegExp;
  readonly read: Read;
}

const UNITS = `${SYMBOL}|${CURRENCY_WORD}`;

/** An amount of money: `20`, `$1,250.50`, `5 dollars`, `€50`, `1.5k`. */
function amount(name: string): string {
  const number = String.raw`(?<${name}>\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?|\d{1,9}(?:[.,]\d{1,2})?)`;
  const sign = String.raw`(?:(?:us(?=\$))?(?<${name}Sign>${SYMBOL})\s?)?`;
  const unit = String.raw`(?:\s?(?<${name}Unit>(?:${UNITS})(?!\w)))?`;
  return String.raw`${sign}${number}(?<${name}Kilo>k)?${unit}(?![\w/%★]|[.,]\d)`;
}

/** Reads an amount. Without a unit, it takes the unit of `other`, the other end of a range. */
function readAmount(groups: Parameters<Read>[0], name: string, local: LocalPrices, other = name) {
  const { [name]: digits = '', [`${name}Kilo`]: kilo } = groups;
  const unitOf = (one: string) => groups[`${one}Sign`] ?? groups[`${one}Unit`];
  return readMoney(`${digits}${kilo ?? ''}`, unitOf(name) ?? unitOf(other) ?? '', local);
}

function priced(operator: Comparison, amount: Amount | UnknownAmount): Omit<Wording, 'to'> {
  return 'problem' in amount ? amount : { tree: priceTest(operator, amount) };
}

function priceTest(operator: Comparison, amount: Amount): Tree {
  return { kind: 'number', field: 'price', operator, ...amount };
}

function numberTest(field: NumberField, operator: Comparison, value: number): Tree {
  return { kind: 'number', field, operator, value };
}

/** Compiles a pattern that begins at the search position and ends at the end of a word. */
function pattern(source: string, read: Read): Pattern {
  return { pattern: new RegExp(`(?:${source})(?![\\w%])`, 'iy'), read };
}

function bound(words: string, operator: Comparison): Pattern {
  const verb = '(?:(?:(?:that|which) )?(?:priced|costing|costs?|worth) )?';
  const source = String.raw`${verb}(?:${words})\s*${amount('to')}`;
  return pattern(source, (groups, local) => priced(operator, readAmount(groups, 'to', local)));
}

function range(source: string): Pattern {
  return pattern(source, (groups, local) => {
    const low = readAmount(groups, 'low', local, 'high');
    const high = readAmount(groups, 'high', local, 'low');
    if ('problem' in low) return low;
    if ('problem' in high) return high;
    const [least, most] = low.value <= high.value ? [low, high] : [high, low];
    return { tree: joinTrees('all', [priceTest('>=', least), priceTest('<=', most)]) };
  });
}

function order(words: string, sort: SearchSort): Pattern {
  // In other places, `first` may begin a name.
  return pattern(String.raw`(?:${words})(?: first(?=\s*$))?`, () => ({ sort }));
}

const CHANGE_FIELDS: readonly (readonly [RegExp, NumberField])[] = [
  [/today|yesterday|1 ?d|24 ?h| day$/i, 'change1d'],
  [/month|30/i, 'change30d'],
];

/** Changes by some percent in a window, a week by default; or any change in a window. */
function changes(verbs: string, sign: 1 | -1): Pattern[] {
  const span = '(?:day|week|month|1d|7d|30d|(?:24|1|7|30) ?(?:days?|hours?|h))';
  const since = '(?:this|last|in an?|in the last|over the last|in|within)';
  const window = `(?<window>today|since yesterday|${since} ${span})`;
  const percent = String.raw`(?<percent>\d{1,4}(?:\.\d)?) ?(?:%|percent)`;
  const least = '(?: by)?(?: (?:more than|at least|over))?';
  const fieldOf = (typed = '') => CHANGE_FIELDS.find(([words]) => words.test(typed))?.[1];
  return [
    pattern(
      `(?:${verbs})${least} ${percent}(?: ${window})?`,
      ({ percent: size, window: typed }) => {
        const field = fieldOf(typed) ?? 'change7d';
        return { tree: numberTest(field, sign === 1 ? '>=' : '<=', sign * Number(size)) };
      },
    ),
    pattern(`(?:${verbs}) ${window}`, ({ window: typed }) => {
      return { tree: numberTest(fieldOf(typed) ?? 'change7d', sign === 1 ? '>' : '<', 0) };
    }),
  ];
}

const PATTERNS: readonly Pattern[] = [
  ...changes('up|rose|risen|gained|gaining', 1),
  ...changes('down|fell|fallen|dropped|lost|losing', -1),
  range(`between ${amount('low')} (?:and|to|-) ${amount('high')}`),
  range(String.raw`(?:from )?(?=\S*${SYMBOL})${amount('low')} ?(?:-|–|to) ?${amount('high')}`),
  range(
    String.raw`(?:from )?(?=\S+(?: to \S+)? ?(?:${UNITS})(?!\w))${amount('low')} ?(?:-|–|to) ?${amount('high')}`,
  ),
  bound(`at most|up to|(?:no|not) more than|max(?:imum)?(?= ?${SYMBOL})|<=`, '<='),
  bound('under|below|less than|cheaper than|<', '<'),
  bound(`at least|(?:no|not) less than|min(?:imum)?(?= ?${SYMBOL})|>=`, '>='),
  bound('over|above|more than|>', '>'),
  pattern(`${amount('to')} or (?:less|under|below|cheaper)`, (groups, local) => {
    return priced('<=', readAmount(groups, 'to', local));
  }),
  pattern(`${amount('to')} (?:or (?:more|over|above)|and up)`, (groups, local) => {
    return priced('>=', readAmount(groups, 'to', local));
  }),
  pattern(String.raw`(?=${SYMBOL})${amount('to')}\+`, (groups, local) => {
    return priced('>=', readAmount(groups, 'to', local));
  }),
  order('cheapest|least expensive|lowest priced?|price:? low to high', 'price_asc'),
  order(
    'most expensive|most valuable|priciest|highest priced?|price:? high to low|sort(?:ed)? by price',
    'price_desc',
  ),
  order('newest|most recent|latest|sort(?:ed)? by date', 'newest'),
  order('sort(?:ed)? by name|alphabetically', 'name'),
  order('sort(?:ed)? by number', 'number'),
];

/** A quick check that excludes most texts. */
const FIRST = /[udrglfbacnmophstw<>$€£¥\d]/iy;

/** Reads the wording at a position in a text; undefined if there is none. */
export function readWording(source: string, at: number, local: LocalPrices): Wording | undefined {
  FIRST.lastIndex = at;
  if (!FIRST.test(source)) return undefined;
  for (const { pattern, read } of PATTERNS) {
    pattern.lastIndex = at;
    const match = pattern.exec(source);
    if (match) return { to: pattern.lastIndex, ...read(match.groups ?? {}, local) };
  }
  return undefined;
}
