import { currencyCalled } from '../../domain/currencies.ts';
import { parseDay } from '../../domain/day.ts';
import type { LocalPrices } from '../../domain/local-prices.ts';
import { isWordFact } from '../../domain/searched-facts.ts';
import { foldText, foldWords } from '../../domain/text.ts';
import type { SearchSort } from '../results.ts';
import { Spelling } from '../spelling.ts';
import { SEARCH_DIALECT } from './dialects.ts';
import { type Amount, CURRENCY_WORD, readMoney, SYMBOL, type UnknownAmount } from './money.ts';
import { FIELD_NAMES, findField, type NamedField, RARITY_RANKS } from './names.ts';
import {
  COMPARISONS,
  type Comparison,
  joinTrees,
  type NumberField,
  type TextField,
  type Tree,
} from './tree.ts';
import { readHead, readValue, type TypedField } from './typed-field.ts';

/** A sentence about a part of a query, and the text to type instead. */
export interface Remark {
  readonly message: string;
  readonly suggestion?: string | undefined;
}

export interface FieldContext {
  /** The currency of amounts without one, and the exchange rates of others. */
  readonly local: LocalPrices;
  /** Returns why a field can never have a value; undefined if it can. */
  doubt(field: TextField, value: string): Remark | undefined;
  /** Whether the name of a card has these folded words next to each other: `S:P`, `Type:Null`. */
  isInName(words: readonly string[]): boolean;
}

/** A field with its operator and value, as read from a query. */
export interface ReadField {
  readonly from: number;
  readonly to: number;
  /** Undefined if the text is only words, not a test. */
  readonly node?: {
    readonly tree?: Tree | undefined;
    readonly sort?: SearchSort;
    readonly words?: string;
  };
  readonly problem?: Remark;
}

/** Comparisons with a number may have spaces around them. */
const SPACED = new RegExp(String.raw`([A-Za-z]\w*)\s*(>=|<=|=|<|>)\s*(?=${SYMBOL}?\d)`, 'y');
const AMOUNT = new RegExp(
  String.raw`^(${SYMBOL}?)(\d{1,9}(?:[.,]\d+)*k?)(${SYMBOL}|${CURRENCY_WORD})?$`,
  'i',
);
/** Reads the field at a position in a text; undefined if there is none. */
export function readField(
  source: string,
  at: number,
  context: FieldContext,
): ReadField | undefined {
  const head = readSearchHead(source, at);
  if (!head) return undefined;
  const { name, to: valueAt } = head;
  const field = findField(name);
  if (!field) return misspelt(source, at, head);
  const typed = readSearchValue(source, valueAt);
  const { value, to } = typed;
  const mayBeOfName = field.kind === 'unknown' || name.length === 1 || isFact(field);
  if (mayBeOfName && isOfName(head, value, context)) return undefined;
  const span = { from: at, to };
  if (value === '') {
    if (source.slice(valueAt).trim() !== '') return undefined; // `Type: Null`
    const message = `A value is missing after ${source.slice(at, valueAt).trim()}.`;
    return { ...span, to: valueAt, problem: { message } };
  }
  return { ...span, ...readTest(field, { ...typed, ...head }, context) };
}

function readSearchHead(source: string, at: number) {
  const head = readHead(source, at, SEARCH_DIALECT);
  const isValueNext = head && (head.operator === ':' || /\S/.test(source[head.to] ?? ''));
  if (isValueNext) return head;
  SPACED.lastIndex = at;
  const [, name, operator = ':'] = SPACED.exec(source) ?? [];
  return name === undefined ? undefined : { name, isExact: false, operator, to: SPACED.lastIndex };
}

/** A comma or semicolon after a value separates it from the next words. */
function readSearchValue(source: string, at: number) {
  const typed = readValue(source, at, SEARCH_DIALECT);
  if (typed.isQuoted || typed.range || !/[,;]$/.test(typed.value)) return typed;
  return { ...typed, value: typed.value.slice(0, -1), to: typed.to - 1 };
}

/** Some fields of facts share their names with cards: `Type: Null`. */
function isFact(field: NamedField): boolean {
  return field.kind === 'field' && field.text !== undefined && isWordFact(field.text);
}

function isOfName(
  { name, operator }: Pick<TypedField, 'name' | 'operator'>,
  value: string,
  context: FieldContext,
): boolean {
  const [word] = foldWords(value);
  return operator === ':' && word !== undefined && context.isInName([name.toLowerCase(), word]);
}

const SPELLING = new Spelling<{ readonly text: string }>(() => true);
for (const text of FIELD_NAMES) if (text.length > 3) SPELLING.add({ text });

/** Reports a misspelt field name. Other words before a colon are only words. */
function misspelt(source: string, at: number, { name, to }: { name: string; to: number }) {
  const [nearest] = SPELLING.corrections(name.toLowerCase());
  if (!nearest || /[:\s]/.test(source[to] ?? ' ')) return undefined;
  const suggestion = nearest.term.text + source.slice(at + name.length).split(/\s/, 1)[0];
  return { from: at, to, problem: { message: `No field is called ${name}.`, suggestion } };
}

function readTest(
  field: NamedField,
  typed: TypedField,
  context: FieldContext,
): Pick<ReadField, 'node' | 'problem'> {
  if (field.kind === 'unknown') {
    return { node: {}, problem: { message: `Cardprice does not know ${field.what} yet.` } };
  }
  if (field.kind === 'sort') return readSort(typed.value);
  if (field.kind === 'id') return readText('id', `${field.space}:${typed.value}`, typed, context);
  const isCompared = typed.range !== undefined || typed.operator !== ':';
  const isText = field.text !== undefined && !(isCompared && isNumeric(typed));
  if (field.number !== undefined && !isText) return readNumber(field.number, typed, context);
  if (field.text === undefined) return {};
  if (/[<>]/.test(typed.operator) || typed.range) {
    const suggestion = `${typed.name}:${typed.value}`;
    return { problem: { message: `A ${field.text} has no order.`, suggestion } };
  }
  return readText(field.text, typed.value, typed, context);
}

/** Whether a field that is also a text is compared as a number. */
function isNumeric({ operator, range }: TypedField): boolean {
  return range !== undefined || /[<>]/.test(operator);
}

function readText(
  field: TextField,
  value: string,
  { operator, isExact }: TypedField,
  context: FieldContext,
): Pick<ReadField, 'node' | 'problem'> {
  if (foldText(value) === '') return {};
  const isUnequal = operator === '!=';
  const isPrinting = field === 'printing' && isUnequal;
  const exact = isExact || (operator === '=' && value !== '') ? '=' : ':';
  const tree: Tree = { kind: 'text', field, operator: isPrinting ? '!=' : exact, value };
  const problem = context.doubt(field, value);
  if (problem && field === 'lang') return { node: {}, problem };
  const node = {
    tree: isUnequal && !isPrinting ? ({ kind: 'not', of: tree } as const) : tree,
    ...(field === 'name' && !isUnequal && { words: value }),
  };
  return { node, ...(problem && { problem }) };
}

function readNumber(
  field: NumberField,
  typed: TypedField,
  context: FieldContext,
): Pick<ReadField, 'node' | 'problem'> {
  const tests: Tree[] = [];
  for (const [comparison, text] of boundsOf(typed)) {
    const number = readValueOf(field, typed.name, text, context);
    if (typeof number === 'string') return { problem: { message: number } };
    const amount = typeof number === 'object' ? number : { value: number };
    if ('problem' in amount) return { node: {}, problem: { message: amount.problem } };
    tests.push({ kind: 'number', field, operator: comparison, ...amount });
  }
  const tree = joinTrees('all', tests);
  return { node: { tree: tree && typed.operator === '!=' ? { kind: 'not', of: tree } : tree } };
}

function boundsOf({ operator, value, range }: TypedField) {
  const bounds: (readonly [operator: Comparison, value: string])[] = [];
  if (range && range.low !== '*') bounds.push([range.isLowOpen ? '>' : '>=', range.low]);
  // The first bracket decides for both ends.
  if (range && range.high !== '*') bounds.push([range.isLowOpen ? '<' : '<=', range.high]);
  if (!range) bounds.push([COMPARISONS.find((one) => one === operator) ?? '=', value]);
  return bounds;
}

/** Reads the value of a number field; returns a sentence if it is not valid. */
function readValueOf(
  field: NumberField,
  name: string,
  text: string,
  { local }: FieldContext,
): number | Amount | UnknownAmount | string {
  if (field === 'price') {
    const [, sign, digits = '', unit] = AMOUNT.exec(text) ?? [];
    const ofField = currencyCalled(name) ?? '';
    if (digits === '') return `${text} is not an amount.`;
    return readMoney(digits, sign || unit || ofField, local);
  }
  if (field === 'date') return readDate(text) ?? `${text} is not a date such as 2024-05-31.`;
  if (field === 'rarity') return rankOf(text);
  const [digits = ''] = /^[-+]?\d{1,6}(?:\.\d)?(?=%?$)/.exec(text) ?? [];
  const isWhole = field.startsWith('change') || /^\d+$/.test(digits);
  return digits === '' || !isWhole ? `${text} is not a number.` : Number(digits);
}

/** The day of `2024-05-31`, `2024/05/31`, `2024-05` or `2024`. */
function readDate(text: string): number | undefined {
  const [year = '', month = '01', day = '01'] = text.split(/[-/]/);
  return parseDay(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`);
}

function rankOf(text: string): number | string {
  const folded = foldText(text);
  const rank = RARITY_RANKS.findIndex((one) => one === folded || one[0] === folded);
  return rank === -1 ? `Only ${RARITY_RANKS.join(', ')} have an order.` : rank;
}

const SORTS: readonly (readonly [names: string, sort: SearchSort])[] = [
  ['price_desc pricedesc price usd', 'price_desc'],
  ['price_asc priceasc', 'price_asc'],
  ['name', 'name'],
  ['newest released date set.releasedate', 'newest'],
  ['number set', 'number'],
  ['relevance', 'relevance'],
];

function readSort(value: string): Pick<ReadField, 'node' | 'problem'> {
  const lower = value.toLowerCase();
  const sort = SORTS.find(([names]) => names.split(' ').includes(lower))?.[1];
  if (sort) return { node: { sort } };
  const orders = SORTS.map(([, one]) => one).join(', ');
  return { node: {}, problem: { message: `There is no order ${value}: use ${orders}.` } };
}
