import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import fc from 'fast-check';
import { formatLogLine } from '../../src/http/logger.ts';
import { escapeControls, escapeControlsInLines } from '../../src/lib/control-characters.ts';
import { openFolder } from '../../src/sources/io/tree.ts';
import { openStore } from '../../src/store/connect.ts';
import { run, temporaryFolder } from '../support/cli.ts';
import { editTree } from '../support/edited-tree.ts';
import { FIXTURE, importTree, TreeCopy } from '../support/tcgcsv.ts';

/** Sets the title of a terminal, hides text, reverses it, and begins a new line. */
const ATTACK = '\u001b]0;owned\u0007\u001b[8m\u009b2J\u202eevil\u2066\u200b\u2028\nForged line';
/** What no line may have; line ends are checked apart. */
const UNSAFE = /[^\P{C}\n]|[\p{Zl}\p{Zp}]/u;

describe('Control characters', () => {
  it('are shown as in JSON, and everything else stays', () => {
    assert.equal(escapeControls('a\u001b[0m\u009b\n'), 'a\\u001b[0m\\u009b\\u000a');
    assert.equal(escapeControls('\u{e0041}\u202e'), '\\udb40\\udc41\\u202e');
    for (const name of ['Æther Vial', 'ピカチュウ', '★ Charizard', 'Lim-Dûl’s Vault', '+2 Mace']) {
      assert.equal(escapeControls(name), name);
    }
  });

  it('are escaped in any text, and JSON keeps its meaning', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        assert.doesNotMatch(escapeControls(text), /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
        assert.deepEqual(JSON.parse(escapeControlsInLines(JSON.stringify([text], null, 2))), [
          text,
        ]);
      }),
    );
  });

  it('are shown in the lines of the log on a terminal', () => {
    const record = { level: 30, time: 0, msg: ATTACK, name: ATTACK, err: { message: ATTACK } };
    assert.doesNotMatch(formatLogLine(JSON.stringify(record)), /[\p{C}\p{Zl}\p{Zp}]/u);
  });
});

describe('The commands', () => {
  const database = join(temporaryFolder(), 'cards.db');

  before(async () => {
    const tree = editTree(await openFolder(FIXTURE), (entries) =>
      entries.map((entry) => ({
        ...entry,
        ...(typeof entry.name === 'string' && { name: `${entry.name}${ATTACK}` }),
        ...(typeof entry.subTypeName === 'string' && { subTypeName: `Foil${ATTACK}` }),
      })),
    );
    const store = await openStore(database);
    await importTree(store, tree);
    const dearer = editTree(tree, (entries) =>
      entries.map((entry) => {
        const { marketPrice: market } = entry;
        return typeof market === 'number' ? { ...entry, marketPrice: market * 50 } : entry;
      }),
    );
    await importTree(store, dearer);
    await store.close();
  });

  /** What a command printed; it may have failed. */
  async function printed(...args: readonly string[]): Promise<string> {
    const { code, out, err } = await run([...args, '--database', database]);
    assert.notEqual(code, 70, err);
    return out + err;
  }

  function assertHarmless(text: string, what: string): void {
    const [found] = UNSAFE.exec(text) ?? [];
    assert.equal(found, undefined, `${what}: ${JSON.stringify(found)}`);
    assert.doesNotMatch(text, /^\s*Forged line/m, what);
  }

  it('show no control character of a card, a set or a printing', async () => {
    let shown = '';
    for (const args of [
      ['quarantine', 'list'],
      ['quarantine', 'list', '--by', 'set'],
      ['quarantine', 'list', '--json'],
      ['report'],
      ['report', '--json'],
      ['status'],
      ['import', 'tcgcsv', FIXTURE, '--dry-run'],
      ['explain', (await firstCard()) ?? ''],
      ['quarantine', 'list', '--set', `x${ATTACK}`],
      ['x\u001b]0;owned\u0007'],
    ]) {
      const text = await printed(...args);
      assertHarmless(text, args.join(' '));
      shown += text;
    }
    assert.match(shown, /\\u001b\]0;owned\\u0007/, 'the names are shown at all');
  });

  it('show none of what could not be read', async () => {
    const tree = new TreeCopy()
      .edit('3/604/prices', ([row]) => Object.assign(row ?? {}, { marketPrice: ATTACK }))
      .edit('3/groups', ([group]) => Object.assign(group ?? {}, { name: `Base${ATTACK}` }));
    const text = await printed('import', 'tcgcsv', tree.folder, '--dry-run');
    assert.match(text, /must be number, but is/);
    assertHarmless(text, 'bad rows');
    assertHarmless(await printed('import', 'quotes', `no-such-file${ATTACK}`), 'a file name');
  });

  async function firstCard(): Promise<string | undefined> {
    const store = await openStore(database);
    const row = await store.db.selectFrom('cards').select('public_id').executeTakeFirst();
    await store.close();
    return row?.public_id;
  }
});

it('All commands print by the one module that escapes', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' });
  const direct = /console\.(?:log|error|warn|info|table)\(|process\.std(?:out|err)\.write/;
  const writing = files
    .filter((path) => path.endsWith('.ts'))
    .filter((path) => direct.test(readFileSync(join('src', path), 'utf8')));
  // The samples of the reference print in the programs of their readers.
  const samples = 'http/reference/samples.ts';
  assert.deepEqual(writing.sort(), ['commands/output.ts', 'http/logger.ts', samples]);
});
