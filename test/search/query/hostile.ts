/** Queries in the language of the Pokémon TCG API that are long, deep, or made to take time. */
export const HOSTILE_LUCENE: readonly string[] = [
  'name:a '.repeat(715),
  `${'('.repeat(100)}name:a${')'.repeat(100)}`,
  '('.repeat(4000),
  ')'.repeat(4000),
  '"'.repeat(4001),
  `name:${'"\\'.repeat(2000)}`,
  `hp:[${' '.repeat(2000)}1 TO${' '.repeat(2000)}`,
  `hp:[${'1'.repeat(50)} TO ${'9'.repeat(50)}]`,
  'hp:[1 TO '.repeat(400),
  'a '.repeat(2000),
  `${'-NOT '.repeat(800)}(`,
  'name:a OR '.repeat(400),
  '[{'.repeat(2000),
  `name:${'\\'.repeat(4001)}`,
];
