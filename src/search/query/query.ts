import { GAMES } from '../../domain/games.ts';
import {
  findLanguageMark,
  type LanguageCode,
  type LanguageMark,
  languageCalled,
} from '../../domain/languages.ts';
import { foldWords } from '../../domain/text.ts';
import { findPhrases } from '../lexicon/index.ts';
import type { FilterPart, Problem } from '../lexicon/phrase.ts';
import type { SearchSort } from '../results.ts';
import { findLink, type Link, readFileName } from './links.ts';
import { MONEY } from './money.ts';
import type { Node } from './node.ts';
import { type ParserContext, QueryParser } from './parser.ts';
import { printTree } from './print.ts';
import { joinTrees, type Tree } from './tree.ts';

/** A parsed query: cards match its text and satisfy its condition. */
export interface Query {
  /** The words to search for; empty if there are none. */
  readonly text: string;
  readonly condition?: Tree | undefined;
  /** The order that the query asks for. */
  readonly sort?: SearchSort | undefined;
  /** The language whose prices the query asks for, if it names one apart from its words. */
  readonly language?: LanguageCode | undefined;
  readonly filters: readonly FilterPart[];
  readonly problems: readonly Problem[];
}

export interface QueryContext extends ParserContext {
  /** Whether a text is the name of a card. */
  isName(text: string): boolean;
  /** Whether the name of a card has all words of a text. */
  areInName(text: string): boolean;
  /** Whether a card has an id such as `tcgplayer:85637` or `pokemon-bs-charizard-004`. */
  hasCard(id: string): boolean;
}

/** Texts without any of these, and without money, are only words. Most queries are. */
const SIGNS =
  /["“”„:<>=()%]|(?:^|[\s(])[-−]\S|\b(?:or|not|without|except|excluding|under|below|less|cheaper|over|above|more|least|most|up|down|between|cheapest|priciest|newest|latest|highest|lowest|sort|sorted|price|rose|risen|gain(?:ed|ing)|dropped|fell|fallen|lost|losing|alphabetically)\b/i;

/** Signs with a fixed meaning, unlike words such as `not`, which may be part of a name. */
const OPERATORS = /["“”„:<>=$€£¥%]|(?:^|[\s(])[-−]\S/;

const UUID = /^\s*[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\s*$/i;

/** Longer texts are only words. */
const MAX_LENGTH = 1000;

/** Reads a query: pasted links and ids, and the syntax of docs/search.md next to plain words. */
export function readQuery(q: string, context: QueryContext): Query {
  const mark = findLanguageMark(q);
  if (!mark || isOfName(q, mark, context)) return readUnmarked(q, context);
  const { language, from, to, instead } = mark;
  const rest = q.slice(0, from) + instead + q.slice(to);
  const read = readUnmarked(rest, context);
  const filter = { typed: q.slice(from, to), from, to, means: `lang:${language}` };
  return { ...read, language, filters: [...read.filters, filter] };
}

/** Whether a mark is a word of a name instead. In brackets, this requires a whole name. */
function isOfName(q: string, { from }: LanguageMark, context: QueryContext): boolean {
  return /[([]/.test(q.charAt(from)) ? context.isName(q) : context.areInName(q);
}

function readUnmarked(q: string, context: QueryContext): Query {
  return readPasted(q, context) ?? readSyntax(q, context) ?? plain(q);
}

function plain(text: string): Query {
  return { text, filters: [], problems: [] };
}

function readPasted(q: string, context: QueryContext): Query | undefined {
  const link = findLink(q);
  if (link) return readLink(q, link, context);
  const id = idIn(q);
  if (id !== undefined && context.hasCard(id)) return found(q, { from: 0, to: q.length }, id);
  const file = readFileName(q);
  if (file !== undefined) return plain(file);
  const [, name, set] =
    /^\s*\[\[[$!#]?([^[\]|]+)(?:\|([^[\]|]*))?(?:\|[^[\]]*)?\]\]\s*$/.exec(q) ?? [];
  if (name === undefined || set === undefined) return undefined;
  return context.doubt('set', set) ? undefined : readSyntax(`${name} set:"${set}"`, context);
}

/** Returns the id if the whole text is one: a UUID of Scryfall, or a number of TCGplayer. */
function idIn(q: string): string | undefined {
  if (UUID.test(q)) return `scryfall:${q.trim().toLowerCase()}`;
  const [, number] = /^\s*(?:tcgplayer(?: product)?(?: id)?)?[\s:#]*(\d{5,9})\s*$/i.exec(q) ?? [];
  if (number !== undefined) return `tcgplayer:${number}`;
  return /^\s*[a-z]+(?:-[a-z0-9]+){2,}\s*$/.test(q) ? q.trim() : undefined;
}

function readLink(q: string, link: Link, context: QueryContext): Query {
  const { from, to, ids, words, site } = link;
  const id = ids.find((one) => context.hasCard(one));
  if (id !== undefined) return found(q, { from, to }, id);
  const text = `${q.slice(0, from)} ${words} ${q.slice(to)}`.trim();
  const typed = q.slice(from, to);
  if (text !== '' && ids.length === 0) return plain(text);
  const rest = text === '' ? '' : ', so its words were read';
  const message = `The link to ${site} leads to no card of this catalogue${rest}.`;
  return { ...plain(text), problems: [{ typed, from, to, message }] };
}

function found(q: string, { from, to }: { from: number; to: number }, id: string): Query {
  const condition: Tree = { kind: 'text', field: 'id', operator: ':', value: id };
  const filters = [{ typed: q.slice(from, to), from, to, means: printTree(condition) }];
  return { ...plain(''), condition, filters };
}

/** Reads operators. Undefined if there are none, or if the text is the name of a card. */
function readSyntax(q: string, context: QueryContext): Query | undefined {
  if (q.length > MAX_LENGTH || !(SIGNS.test(q) || MONEY.test(q))) return undefined;
  const parser = new QueryParser(q, context);
  const parts = partsOf(parser.parse());
  const { wordings, problems, looseBrackets } = parser;
  const isPlain = wordings.length === 0 && parts.every(({ isWord }) => isWord);
  if ((isPlain && problems.length === 0) || context.isName(q)) return undefined;
  if (!OPERATORS.test(q) && context.areInName(q)) return undefined;
  const isFilter = ({ isWord, tree, sort }: Node) => {
    return !isWord && (tree !== undefined || sort !== undefined);
  };
  const game = [...parts, ...wordings].some(isFilter) ? gameAlone(q, parts) : undefined;
  const filters = [...parts, ...wordings, ...(game ?? [])].filter(isFilter);
  filters.sort((a, b) => a.from - b.from);
  const text = game ? '' : textOf(q, parts);
  const trees = filters.flatMap(({ tree }) => tree ?? []);
  const others = trees.filter((tree) => !isTranslation(tree));
  const isLanguageAlone = others.length === 0 && foldWords(text).length === 0;
  return {
    text,
    condition: joinTrees('all', isLanguageAlone ? trees : others),
    language: trees.map(languageIn).findLast((language) => language !== undefined),
    sort: filters.findLast(({ sort }) => sort)?.sort,
    filters: filters.map((node) => filterPart(q, node)),
    problems: isPlain ? problems : [...problems, ...looseBrackets],
  };
}

/** Returns the language that a test asks for. */
function languageIn(tree: Tree): LanguageCode | undefined {
  return tree.kind === 'text' && tree.field === 'lang' ? languageCalled(tree.value) : undefined;
}

/**
 * Whether a test asks for a language in which no game is catalogued. It then selects a price of
 * each card, and excludes no card.
 */
function isTranslation(tree: Tree): boolean {
  const asked = languageIn(tree);
  return asked !== undefined && GAMES.every(({ language }) => language !== asked);
}

/**
 * Returns a test for the game if the words next to the operators only name one: `cheapest mtg
 * cards`. Returns no test if they do not even name a game: `newest cards`.
 */
function gameAlone(q: string, parts: readonly Node[]): readonly Node[] | undefined {
  const [first, ...others] = parts.filter(({ isWord }) => isWord);
  const to = others.at(-1)?.to ?? first?.to;
  if (!first || to === undefined) return undefined;
  const isApart = parts.some(({ isWord, from }) => !isWord && from > first.from && from < to);
  const words = foldWords(q.slice(first.from, to));
  const phrases = findPhrases(words).filter(({ as }) => as === 'game' || as === 'noise');
  const isCovered = words.every((_, i) => phrases.some((one) => one.from <= i && i < one.to));
  if (isApart || !isCovered) return undefined;
  const games = phrases.filter(({ as }) => as === 'game');
  const [game] = games.toSorted((a, b) => b.to - b.from - (a.to - a.from));
  if (!game) return [];
  const value = words.slice(game.from, game.to).join(' ');
  const tree: Tree = { kind: 'text', field: 'game', operator: ':', value };
  return [{ from: first.from, to, tree }];
}

/** Returns the parts that must all be true. */
function partsOf(node: Node): readonly Node[] {
  return node.of ? node.of.flatMap(partsOf) : [node];
}

function filterPart(q: string, { from, to, tree, sort }: Node): FilterPart {
  const means = tree ? printTree(tree) : `sort:${sort}`;
  return { typed: q.slice(from, to), from, to, means };
}

/** Returns the words of a query: all of it except the parts that only filter. */
function textOf(q: string, parts: readonly Node[]): string {
  let text = '';
  let end = 0;
  for (const { from, to, isWord, isPhrase, words = '' } of parts) {
    if (isWord || isPhrase) continue;
    text += `${q.slice(end, from)} ${words} `;
    end = to;
  }
  return (text + q.slice(end)).trim();
}
