import assert from 'node:assert/strict';
import { it } from 'node:test';
import { importFixtures } from '../support/app.ts';
import { run } from '../support/cli.ts';
import { freshDatabase } from '../support/prepared.ts';

const CHARIZARD = 'pokemon-bs-charizard-004';
const database = await freshDatabase('SQLite');
await importFixtures(database);

const cardprice = (...args: string[]) => run(['--database', database, ...args]);

it('search lists cards with prices, as many as asked for', async () => {
  const { code, out } = await cardprice('search', 'charizard', 'base', 'set');
  assert.equal(code, 0);
  assert.match(
    out,
    /^market +name +number +set +printing +id\n\$\d+\.\d\d +Charizard +004\/102 +Base Set /,
  );
  const some = await cardprice('search', 'forest or charizard', '--limit', '1');
  assert.match(some.out, /^\d+ more: raise --limit\.$/m);
  const none = await cardprice('search', 'zzzzzz');
  assert.deepEqual([none.code, none.out], [0, 'No card matches.\n']);
});

it('search --json prints what the API answers', async () => {
  const { out } = await cardprice('search', 'charizard 4/102', '--game', 'pokemon', '--json');
  const [card] = JSON.parse(out);
  assert.deepEqual([card.id, card.game], [CHARIZARD, 'pokemon']);
  assert.ok(card.prices.market > 0);
});

it('show prints every printing of a card', async () => {
  const { out } = await cardprice('show', CHARIZARD);
  assert.match(out, /^Charizard\nBase Set · 004\/102 · Holo Rare\n\nprinting +market/);
  assert.match(out, /^Holofoil +\$\d/m);
  const { data } = { data: JSON.parse((await cardprice('show', CHARIZARD, '--json')).out) };
  assert.equal(data.printings[0].name, 'Holofoil');
});

it('both have prices in another currency, and say the rate', async () => {
  const env = { CARDPRICE_EUR_RATE: '2026-01-01:1.25' };
  const inEuros = (...args: string[]) => run(['--database', database, ...args], { env });
  const note = /^Prices that no source has in EUR are converted from USD at 0\.8 of 2026-01-01\.$/m;
  const shown = await inEuros('show', CHARIZARD, '--currency', 'EUR');
  assert.match(shown.out, /^Holofoil +€363\.09/m, '$453.86');
  assert.match(shown.err, note);
  const search = (...words: string[]) => inEuros('search', ...words, '--currency', 'EUR');
  const found = await search('charizard', 'base', 'set', 'between', '363', 'and', '363.10');
  assert.match(found.out, /€363\.09 +Charizard/);
  assert.match(found.err, note);
  const { out } = await search('charizard', '4/102', '--json');
  assert.equal(JSON.parse(out)[0].prices.currency, 'EUR');
  const plain = await inEuros('search', 'charizard', 'over', '€363');
  assert.match(plain.out, /^\$453\.86 +Charizard/m);
  assert.equal(plain.err, '');
});

it('both say that a currency has no rate', async () => {
  const shown = await cardprice('show', CHARIZARD, '--currency', 'GBP');
  assert.match(shown.out, /^Holofoil +20/m, 'only the day');
  assert.match(shown.err, /^No exchange rate from US dollars to GBP is known for /);
  const found = await cardprice('search', 'charizard over £5');
  assert.match(found.err, /^No exchange rate from GBP to US dollars is known for /);
});

it('both say what to do without a card or a catalogue', async () => {
  const unknown = await cardprice('show', 'nothing');
  assert.deepEqual(
    [unknown.code, unknown.err],
    [1, 'cardprice: No card has the id "nothing". Search for it by its name.\n'],
  );
  const empty = await freshDatabase('SQLite');
  await run(['--database', empty, 'migrate']);
  const { code, err } = await run(['--database', empty, 'search', 'x']);
  assert.equal(code, 1);
  assert.match(err, /has no cards|does not exist/);
});
