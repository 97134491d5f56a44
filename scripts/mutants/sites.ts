import { parseSync } from 'oxc-parser';

/** A small mistake planted in a source file: the text that is replaced, and its replacement. */
export interface Mutant {
  readonly file: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly after: string;
}

type Replacement = Pick<Mutant, 'start' | 'end' | 'after'>;

/** A node of the syntax tree (ESTree with the additions of TypeScript). */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly operator?: string;
  readonly left?: Node;
  readonly right?: Node;
  readonly test?: Node;
  readonly argument?: Node;
  readonly expression?: Node;
  readonly value?: unknown;
}

const OPERATORS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '&&': '||',
  '||': '&&',
};

/** Calls that only print or log. Tests of behaviour cannot see them. */
const UNSEEN = /^(await )?([\w#]+\.)*#?(log|logger|console)\.|^(printLine|printProgress|warn\w*)\(/;

/** Template literals with one of these words are SQL statements. */
const SQL = /\b(select|insert|update|delete|where|order by|from)\b/;
const SQL_WORDS: readonly (readonly [RegExp, string])[] = [
  [/ <= /g, ' < '],
  [/ >= /g, ' > '],
  [/ < /g, ' <= '],
  [/ > /g, ' >= '],
  [/ and /g, ' or '],
  [/ desc\b/g, ''],
];

/** Returns every mutant of a source file, in the order of the text. */
export function mutantsOf(file: string, source: string): Mutant[] {
  const found: Replacement[] = [];
  visit(parseSync(file, source).program as unknown as Node, source, found);
  return found
    .map((one) => ({
      ...one,
      file,
      line: source.slice(0, one.start).split('\n').length,
      before: source.slice(one.start, one.end),
    }))
    .sort((a, b) => a.start - b.start);
}

function visit(node: Node, source: string, found: Replacement[]): void {
  // Types do not run, and the wording of errors is not behaviour.
  if (node.type.startsWith('TS') && !hasValue(node)) return;
  if (node.type === 'ThrowStatement' || node.type === 'ImportDeclaration') return;
  found.push(...replacements(node, source));
  for (const child of children(node)) visit(child, source, found);
}

function hasValue({ type }: Node): boolean {
  return ['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression'].includes(type);
}

function replacements(node: Node, source: string): Replacement[] {
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
      return otherOperator(node, source);
    case 'IfStatement':
    case 'ConditionalExpression':
      return negation(node, source);
    case 'UnaryExpression':
      return node.operator === '!' ? [{ start: node.start, end: node.start + 1, after: '' }] : [];
    case 'Literal':
      return literal(node);
    case 'ExpressionStatement':
      return removedCall(node, source);
    case 'TemplateLiteral':
      return sqlWords(node, source);
    default:
      return [];
  }
}

function otherOperator({ operator = '', left, right }: Node, source: string): Replacement[] {
  const after = OPERATORS[operator];
  // Subtracting strings gives NaN, which any test notices.
  if (!after || !left || !right || isText(left) || isText(right)) return [];
  const start = source.indexOf(operator, left.end);
  return [{ start, end: start + operator.length, after }];
}

function isText({ type, value }: Node): boolean {
  return type === 'TemplateLiteral' || (type === 'Literal' && typeof value === 'string');
}

function negation({ test }: Node, source: string): Replacement[] {
  if (!test) return [];
  const { start, end } = test;
  return [{ start, end, after: `!(${source.slice(start, end)})` }];
}

function literal({ start, end, value }: Node): Replacement[] {
  if (typeof value === 'number') return [{ start, end, after: String(value + 1) }];
  if (typeof value === 'boolean') return [{ start, end, after: String(!value) }];
  if (value === 'desc') return [{ start, end, after: "'asc'" }];
  if (value === '<' || value === '>') return [{ start, end, after: `'${value}='` }];
  if (value === '<=' || value === '>=') return [{ start, end, after: `'${value[0]}'` }];
  return [];
}

function removedCall({ start, end, expression }: Node, source: string): Replacement[] {
  const text = source.slice(start, end);
  const called = expression?.type === 'AwaitExpression' ? expression.argument : expression;
  if (called?.type !== 'CallExpression' || UNSEEN.test(text)) return [];
  return [{ start, end, after: ';' }];
}

function sqlWords({ start, end }: Node, source: string): Replacement[] {
  const text = source.slice(start, end);
  if (!SQL.test(text)) return [];
  return SQL_WORDS.flatMap(([pattern, after]) =>
    [...text.matchAll(pattern)].map((match) => ({
      start: start + match.index,
      end: start + match.index + match[0].length,
      after,
    })),
  );
}

function children(node: Node): Node[] {
  return Object.values(node).flat().filter(isNode);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
