import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { run, temporaryFolder } from '../support/cli.ts';

/** Wrong command lines, with the error that they get. */
const WRONG: readonly (readonly [readonly string[], number, string])[] = [
  [['serv'], 2, "Unknown command 'serv' (Did you mean serve?). See `cardprice --help`."],
  [
    ['export', 'history', '--form', 'csv'],
    2,
    "Unknown option '--form' (Did you mean --from?). " + 'See `cardprice export history --help`.',
  ],
  [
    ['export', 'history', '--format', 'xls'],
    2,
    "Option '--format <format>' argument 'xls' is invalid. Allowed choices are csv, ndjson. " +
      'See `cardprice export history --help`.',
  ],
  [
    ['key', 'create'],
    2,
    "Required option '--account <email>' not specified. See `cardprice key create --help`.",
  ],
  [['explain'], 2, "Missing required argument 'id'. See `cardprice explain --help`."],
  [['audit', '--from', 'now'], 1, '--from "now" is not a day YYYY-MM-DD.'],
  [['quarantine', 'approve', 'x'], 1, '"x" is not an id. See `cardprice quarantine list`.'],
  [
    ['quarantine', 'reject', '7'],
    1,
    'Nothing with the id 7 is quarantined. See `cardprice quarantine list`.',
  ],
  [
    ['quarantine', 'undo', '--decision', 'x'],
    1,
    'No decision of "x" can be undone. See `cardprice quarantine decisions`.',
  ],
  [['plan', 'set', 'free'], 1, 'Nothing to change. See `cardprice plan set --help`.'],
];

describe('An error of the command line is one sentence after the name of the program', async () => {
  const env = { CARDPRICE_DATABASE: join(temporaryFolder(), 'cards.db') };
  await run(['migrate'], { env });
  for (const [args, code, message] of WRONG) {
    it(args.join(' '), async () => {
      const outcome = await run(args, { env });
      assert.deepEqual(outcome, { code, out: '', err: `cardprice: ${message}\n` });
    });
  }
});

describe('cardprice help', () => {
  for (const command of [[], ['status'], ['quarantine'], ['key', 'create']]) {
    it(`${command.join(' ')} shows what --help does`, async () => {
      const [help, flag] = await Promise.all([
        run(['help', ...command]),
        run([...command, '--help']),
      ]);
      assert.deepEqual(help, flag);
      assert.equal(help.code, 0);
      assert.ok(help.out.startsWith(`Usage: ${['cardprice', ...command].join(' ')} `), help.out);
    });
  }

  it('refuses a command that does not exist', async () => {
    const { code, err } = await run(['help', 'serv']);
    assert.equal(code, 2);
    assert.match(err, /Unknown command 'serv'/);
  });
});
