import type { Material } from './material.ts';
import type { Random } from './random.ts';
import type { ValueSchema } from './routes.ts';

/** Texts in parameters, bodies and paths: good ones, and ones that have broken programs before. */
const TEXTS = [
  ...['charizard', 'charizrd 4/102 psa 9', 'elsa enchanted', 'pikachu base set 1st edition', 'e'],
  ...[
    'pokemon',
    'mtg',
    'pokemon-jp',
    'relevance',
    'price_desc',
    '7d',
    'all',
    '2026-01-28',
    'match',
  ],
  ...[
    '',
    ' ',
    '\0',
    '\u0000a',
    '\n\r\t',
    '\ud800',
    '\ufeff',
    '🃏'.repeat(60),
    'ｐｉｋａ',
    'ピカチュウ',
  ],
  ...['%', '%%%', '_', "'", '"', "' or 1=1 --", '\\', '../../etc/passwd', '..%2f..%2f', '$(id)'],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'null', 'undefined', 'NaN', '[]'],
  ...['<script>alert(1)</script>', '{{7*7}}', '\u202eabc', 'a'.repeat(200), '1 '.repeat(100)],
  ...[
    '4/102 '.repeat(33),
    'charizard '.repeat(20),
    'ab '.repeat(66),
    '(('.repeat(50),
    '-'.repeat(200),
  ],
  ...['x'.repeat(5000), 'é'.repeat(400), '٣', '１２', '4'.repeat(300), '0x10', '1e3', '-0'],
];

const NUMBERS = [0, 1, -1, 2, 20, 100, 101, 1e9, 2 ** 31, 2 ** 53, 1e300, -1e300, 0.1, 1e-7];

/** A text, often one that something is called. */
export function randomText(random: Random, { ids, emails, keys }: Material): string {
  if (random.chance(0.3)) return random.pick(ids);
  if (random.chance(0.1)) return random.pick(emails);
  if (random.chance(0.02)) return random.pick(keys);
  if (random.chance(0.1)) return random.bytes(random.below(40)).toString('latin1');
  return random.pick(TEXTS);
}

/** A value of JSON that fits a schema, or nearly. */
export function randomValue(
  random: Random,
  material: Material,
  schema: ValueSchema,
  depth = 0,
): unknown {
  if (random.chance(0.04)) return wrongValue(random, material);
  const { anyOf, type, properties = {}, items, maxItems = 20 } = schema;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return random.pick(schema.enum);
  if (anyOf && depth < 5) return randomValue(random, material, random.pick(anyOf), depth + 1);
  if (type === 'object') return objectOf(random, material, properties, depth);
  if (type === 'array') {
    const count = random.chance(0.1) ? maxItems + random.below(3) : random.below(6);
    const item = items ?? {};
    return Array.from({ length: count }, () => randomValue(random, material, item, depth + 1));
  }
  if (type === 'integer' || type === 'number') return random.pick(NUMBERS);
  if (type === 'boolean') return random.chance(0.5);
  return randomText(random, material);
}

function objectOf(
  random: Random,
  material: Material,
  properties: Readonly<Record<string, ValueSchema>>,
  depth: number,
): object {
  const members = Object.entries(properties).filter(() => random.chance(0.9));
  const values = members.map(([name, schema]) => [
    name,
    randomValue(random, material, schema, depth + 1),
  ]);
  if (random.chance(0.05)) values.push([random.pick(TEXTS), wrongValue(random, material)]);
  return Object.fromEntries(values);
}

function wrongValue(random: Random, material: Material): unknown {
  return random.pick<unknown>([
    null,
    true,
    [],
    {},
    [[]],
    random.pick(NUMBERS),
    randomText(random, material),
    { length: 3 },
    { toString: 1, valueOf: null },
    Array(random.below(600)).fill(randomText(random, material)),
  ]);
}

/** The fields of an item of the resolver, which its schema leaves to the handler. */
const ITEM_FIELDS = [
  ...['name', 'set', 'setCode', 'setId', 'number', 'game', 'printing', 'condition', 'language'],
  ...['grade', 'year', 'quantity', 'tcgplayer', 'scryfall', 'cardmarket', 'mtgjson', 'unknown'],
];

/** Bodies of the endpoints whose schemas do not describe all of them. */
export function knownBody(random: Random, material: Material): unknown {
  const text = () => randomText(random, material);
  const item = () => {
    if (random.chance(0.6)) return text();
    const fields = ITEM_FIELDS.filter(() => random.chance(0.3));
    return Object.fromEntries(fields.map((field) => [field, random.pick([text(), 4, null])]));
  };
  const count = random.pick([0, 1, 2, 5, 20, 21, random.chance(0.05) ? 501 : 3]);
  return random.pick([
    { ids: Array.from({ length: count }, text) },
    { items: Array.from({ length: count }, item) },
    { email: random.pick(material.emails), password: text() },
    { token: text(), password: text() },
  ]);
}
