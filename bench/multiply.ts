/**
 * Makes a larger catalogue out of one in SQLite: copies of all cards with other names, ids and
 * sets.
 *
 *     node bench/multiply.ts cards.db large.db --times 16     # half a minute, 800 MB
 *
 * Then `cardprice serve --database large.db` shows the memory that many cards take.
 */
import { copyFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import Sqlite from 'better-sqlite3';
import { shifted } from './search/copies.ts';

const { values, positionals } = parseArgs({
  options: { times: { type: 'string', default: '16' } },
  allowPositionals: true,
});
const [from, to] = positionals;
if (from === undefined || to === undefined) throw new Error('Name two files of SQLite.');

/** Between the numbers of two copies in external ids. */
const ID_DISTANCE = 60_000_000;

copyFileSync(from, to);
const database = new Sqlite(to);
for (const pragma of ['synchronous = off', 'journal_mode = memory', 'foreign_keys = off']) {
  database.pragma(pragma);
}
database.function('shifted', (name, by) => shifted(String(name), Number(by)));
const last = { sets: lastId('sets'), cards: lastId('cards'), printings: lastId('printings') };
database.transaction(() => {
  for (let copy = 1; copy < Number(values.times); copy++) addCopy(copy);
})();
database.pragma('journal_mode = wal');
console.log(`${lastId('cards')} cards, ${lastId('printings')} printings`);
database.close();

function addCopy(copy: number): void {
  const [set, card, printing] = [last.sets, last.cards, last.printings].map((id) => copy * id);
  copyRows('sets', {
    id: `id + ${set}`,
    public_set_id: `public_set_id || '-copy${copy}'`,
    code: `code || '${copy}'`,
  });
  copyRows('cards', {
    id: `id + ${card}`,
    public_id: `public_id || '-copy${copy}'`,
    set_id: `set_id + ${set}`,
    name: `shifted(name, ${copy * 7})`,
    image: `replace(image, '/product/', '/product/${copy}')`,
  });
  copyRows('printings', { id: `id + ${printing}`, card_id: `card_id + ${card}` });
  database
    .prepare(
      `insert or ignore into card_external_ids (id_space, external_id, card_id, revision)
       select id_space, cast(external_id as integer) + ${copy * ID_DISTANCE}, card_id + ${card},
       revision from card_external_ids where card_id <= ? and id_space = 'tcgcsv'`,
    )
    .run(last.cards);
}

/** Copies the original rows of a table with some columns changed. */
function copyRows(
  table: keyof typeof last,
  changed: Readonly<Record<string, string | undefined>>,
): void {
  const columns = database.pragma(`table_info(${table})`) as { readonly name: string }[];
  const names = columns.map(({ name }) => name);
  const values = names.map((name) => changed[name] ?? name);
  database
    .prepare(`insert into ${table} (${names}) select ${values} from ${table} where id <= ?`)
    .run(last[table]);
}

function lastId(table: 'sets' | 'cards' | 'printings'): number {
  return database.prepare(`select max(id) from ${table}`).pluck().get() as number;
}
