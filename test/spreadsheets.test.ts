import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { createContext, runInContext } from 'node:vm';
import Papa from 'papaparse';
import {
  BATCH_TABLE,
  CARD_TABLE,
  HISTORY_TABLE,
  MOVER_TABLE,
  SET_TABLE,
} from '../src/http/tables.ts';
import { eventually, Program, run, temporaryFolder } from './support/cli.ts';
import { examplesIn } from './support/examples.ts';

const PAGE = readFileSync('docs/spreadsheets.md', 'utf8');

/** Fetches an address while the script waits, as Google's servers do. */
const FETCH =
  'fetch(process.argv[1]).then(async (answer) =>' +
  ' process.stdout.write(JSON.stringify([answer.status, await answer.text()])))';

/** What Apps Script gives to scripts, as far as the sample uses it. */
const APPS_SCRIPT = {
  UrlFetchApp: {
    fetch(url: string) {
      const [status, text] = JSON.parse(
        execFileSync(process.execPath, ['-e', FETCH, url], { encoding: 'utf8' }),
      );
      return { getResponseCode: () => status, getContentText: () => text };
    },
  },
  Utilities: {
    parseCsv: (text: string) => Papa.parse(text.trimEnd()).data,
  },
};

describe('docs/spreadsheets.md', () => {
  const database = join(temporaryFolder(), 'sheets.db');
  let url = '';
  let address = '';
  before(async () => {
    const service = new Program(['--database', database, 'start', '--port', '0']);
    url = await service.listening();
    await eventually(() => service.out.includes('  business  cp_live_'));
    const flags = ['--account', 'demo-trader@example.com', '--scopes', 'sheet'];
    const { out } = await run(['key', 'create', ...flags, '--database', database]);
    address = out.match(/^A spreadsheet loads its table from this address: (\S+)$/m)?.[1] ?? '';
  });

  it('names the columns of every table', () => {
    for (const { columns } of [CARD_TABLE, BATCH_TABLE, SET_TABLE, HISTORY_TABLE]) {
      const named = columns.map((column) => `\`${column}\``).join(', ');
      assert.ok(PAGE.replaceAll(' (the grade or condition)', '').includes(named), named);
    }
    const [own] = MOVER_TABLE.columns.join(', ').match(/from.*/) ?? [];
    assert.ok(PAGE.replaceAll('`', '').includes(`then ${own}`), own);
  });

  it('has a function for Google Sheets that finds prices', async () => {
    const token = new URL(address).searchParams.get('token') ?? '';
    assert.match(token, /^cp_live_/);
    const [script = ''] = examplesIn(PAGE, 'js');
    const own = script
      .replace("'https://cards.example'", JSON.stringify(url))
      .replace("'cp_live_…'", JSON.stringify(token));
    const sheet = createContext({ ...APPS_SCRIPT });
    runInContext(own, sheet);
    const cell = (formula: string) => runInContext(formula, sheet);
    assert.equal(cell('CARDPRICE("4/102 charizard")'), 453.86);
    assert.equal(cell('CARDPRICE("4/102 charizard", "name")'), 'Charizard');
    assert.equal(cell('CARDPRICE("4/102 charizard", "near_mint")'), '');
    assert.throws(
      () => cell('CARDPRICE("zzyzx of nowhere")'),
      /No card matches "zzyzx of nowhere"/,
    );
    assert.throws(() => cell('CARDPRICE("charizard", "cost")'), /The columns are id, name, /);
    assert.throws(() => cell('CARDPRICE("charizard", "market", "CHF")'), /"CHF" is not allowed/);
  });

  it('has an address that loads a table', async () => {
    const here = new URL(address);
    const answer = await fetch(`${url}${here.pathname}${here.search}`);
    assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8');
    const rows = (await answer.text()).split('\r\n');
    assert.equal(rows[0], CARD_TABLE.columns.join());
    assert.ok(rows.length > 10);
  });
});
