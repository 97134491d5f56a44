import { safeText } from '../../domain/text.ts';
import { LUCENE_DIALECT } from './dialects.ts';
import { Grammar } from './grammar.ts';
import type { Node } from './node.ts';
import { joinTrees, type Tree } from './tree.ts';
import { type Range, readHead, readValue, type TypedHead, type TypedValue } from './typed-field.ts';

/** The fields of the records that a query is about. */
export interface LuceneFields {
  /** The names of all fields; any of them may have parts. */
  readonly fields: ReadonlySet<string>;
  /** The fields in which words without a field are searched. */
  readonly wordFields: readonly string[];
  /** The fields whose values are compared as a whole, with all signs. */
  readonly keywords: ReadonlySet<string>;
}

/** A test of a field of any record. */
export interface FieldTest {
  readonly kind: 'field';
  /** `attacks.name` */
  readonly field: string;
  /** Whether the value must be the whole field. */
  readonly isExact: boolean;
  /** As typed, with its escapes. Empty for a range. */
  readonly value: string;
  readonly range: Range | undefined;
}

/** The fault of a query, in a sentence. */
export class QueryFault extends Error {}

/** In characters. Longer queries are refused, which bounds their time. */
const MAX_LENGTH = 4096;

/** Enough to name every card of a page by its id. A word without a field counts once per field. */
const MAX_TESTS = 256;

/**
 * Parses a query in Lucene's language. Unlike the search's own language, it is strict.
 * @throws QueryFault
 */
export function parseLucene(q: string, fields: LuceneFields): Tree<FieldTest> {
  if (q.length > MAX_LENGTH) throw new QueryFault(`It has more than ${MAX_LENGTH} characters.`);
  const { tree } = new LuceneParser(q.trim(), fields).parse();
  if (!tree) throw new QueryFault('It is empty.');
  return tree;
}

class LuceneParser extends Grammar<FieldTest> {
  /** The field before the group that is being parsed: `types:(fire OR water)`. */
  #field = '';
  readonly #fields: LuceneFields;
  #tests = 0;

  constructor(source: string, fields: LuceneFields) {
    super(source, LUCENE_DIALECT);
    this.#fields = fields;
  }

  protected override parseOperand(): Node<FieldTest> {
    const { source, at: from } = this.cursor;
    const head = readHead(source, from, LUCENE_DIALECT);
    this.cursor.at = head?.to ?? from;
    if (head && source[this.cursor.at] === '(') return this.#parseFieldGroup(head);
    const typed = readValue(source, this.cursor.at, LUCENE_DIALECT);
    if (typed.value === '' || (!typed.isQuoted && RESERVED.test(typed.value))) throw this.#fault();
    this.cursor.at = typed.to;
    return { from, to: typed.to, tree: this.#testOf(head, typed) };
  }

  #testOf(head: TypedHead | undefined, typed: TypedValue): Tree<FieldTest> | undefined {
    const { name = this.#field, isExact = false, operator = ':' } = head ?? {};
    const range = typed.range ?? rangeOf(operator, typed.value);
    const test = { kind: 'field', isExact, value: range ? '' : typed.value, range } as const;
    if (name === '') {
      const { wordFields } = this.#fields;
      this.#count(wordFields.length);
      return joinTrees<FieldTest>(
        'any',
        wordFields.map((field) => ({ ...test, field })),
      );
    }
    this.#count(1);
    if (this.#fields.fields.has(name.split('.', 1)[0] ?? '')) return { ...test, field: name };
    throw new QueryFault(`There is no field ${safeText(name, 40)}.`);
  }

  #count(tests: number): void {
    this.#tests += tests;
    if (this.#tests > MAX_TESTS) throw new QueryFault(`It has more than ${MAX_TESTS} conditions.`);
  }

  #parseFieldGroup({ name }: TypedHead): Node<FieldTest> {
    const outer = this.#field;
    this.#field = name;
    const group = this.parseGroup();
    this.#field = outer;
    return group;
  }

  protected override parseGroup(): Node<FieldTest> {
    const group = super.parseGroup();
    if (!group.tree) throw new QueryFault('A pair of brackets has nothing in it.');
    return group;
  }

  protected override looseBracket(message: string): never {
    throw new QueryFault(message);
  }

  #fault(): QueryFault {
    const { source, at } = this.cursor;
    const found = at < source.length ? `"${safeText(source.slice(at), 20)}"` : 'the end';
    return new QueryFault(`A value is expected at character ${at + 1}, in place of ${found}.`);
  }
}

/** Words that join conditions. They are values only in quotation marks. */
const RESERVED = /^(?:AND|OR|NOT|&&|\|\|)$/;

/** `hp:>=150` is `hp:[150 TO *]`. */
function rangeOf(operator: string, value: string): Range | undefined {
  if (operator === ':') return undefined;
  const isOpen = !operator.endsWith('=');
  const [low, high] = operator.startsWith('>') ? [value, '*'] : ['*', value];
  return { low, high, isLowOpen: isOpen, isHighOpen: isOpen };
}
