import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { run, temporaryFolder } from './support/cli.ts';
import { MAIN } from './support/main-module.ts';

/** What finds the database by itself: two units, and the function for an operator's shell. */
const UNITS = ['cardprice.service', 'cardprice-backup.service'];

const PAGE = readFileSync('docs/deploying.md', 'utf8');

/** The first lines for a shell of the page that have this text, without their indentation. */
function linesWith(text: string): string {
  const blocks = PAGE.match(/(?<=```sh\n).*?(?=\n *```)/gs) ?? [];
  const found = blocks.find((block) => block.includes(text)) ?? '';
  assert.notEqual(found, '', text);
  return found.replaceAll(/^ {3}/gm, '');
}

/** The function alone, without the commands that the page calls next. */
const [AS_CARDPRICE = ''] =
  linesWith('as_cardprice() {').match(/^as_cardprice\(\) \{.*?^\}/ms) ?? [];

/** A server with a folder in the place of `/etc/cardprice`, and without the user `cardprice`. */
class Installed {
  readonly folder = temporaryFolder();
  readonly settings = join(this.folder, 'cardprice.env');

  constructor() {
    mkdirSync(join(this.folder, 'credentials'));
    writeFileSync(this.settings, readFileSync('deploy/systemd/cardprice.env'));
    this.#write('cardprice', `exec "${process.execPath}" "${MAIN}" "$@"`);
    this.#write('runuser', '[ "$1 $2 $3" = "--user cardprice --" ] && shift 3 && exec "$@"');
  }

  #write(program: string, line: string): void {
    writeFileSync(join(this.folder, program), `#!/bin/sh\n${line}\n`);
    chmodSync(join(this.folder, program), 0o755);
  }

  async run(lines: string): Promise<string> {
    const here = lines.replaceAll('/etc/cardprice', this.folder);
    const script = here.replaceAll('--group cardprice', '');
    const env = { PATH: `${this.folder}:${process.env.PATH}` };
    const { code, out, err } = await run(['-c', script], { command: ['/bin/bash'], env });
    assert.equal(code, 0, err);
    return out;
  }

  /** The database that each of the three has. */
  async databases(): Promise<(string | undefined)[]> {
    const ofUnits = UNITS.map((unit) => {
      const text = readFileSync(join('deploy/systemd', unit), 'utf8');
      const variables = text.match(/(?<=^Environment=).*/gm) ?? [];
      const files = text.match(/(?<=^EnvironmentFile=).*/gm) ?? [];
      return `env ${variables.join(' ')} $(grep -v '^#' ${files.join(' ')}) cardprice config --json`;
    });
    const commands = [...ofUnits, `${AS_CARDPRICE}\nas_cardprice config --json`];
    const shown = await Promise.all(commands.map((command) => this.run(command)));
    return shown.map((text) => {
      const { settings } = JSON.parse(text) as { settings: { variable: string; value: string }[] };
      return settings.find(({ variable }) => variable === 'CARDPRICE_DATABASE')?.value;
    });
  }
}

describe('The service, its backups and commands of an operator', () => {
  it('have one SQLite file', async () => {
    const databases = await new Installed().databases();
    assert.deepEqual(databases, Array(3).fill('/var/lib/cardprice/cards.db'));
  });

  it('have one PostgreSQL server, once its URL is a credential', async () => {
    const installed = new Installed();
    const [install = '', rest = ''] = linesWith('/dev/stdin').split(/\n(?=sed )/);
    const [replace = ''] = rest.split('\nas_cardprice');
    const url = 'postgres://cardprice:s3cret@db/cardprice';
    await installed.run(`echo '${url}' | ${install}\n${replace}`);
    assert.deepEqual(await installed.databases(), Array(3).fill(url.replace('s3cret', '***')));
    assert.doesNotMatch(readFileSync(installed.settings, 'utf8'), /^CARDPRICE_DATABASE=/m);
  });

  it('are the same user, in the same folder', () => {
    const [service, backup] = UNITS.map((unit) => {
      const text = readFileSync(join('deploy/systemd', unit), 'utf8');
      return text.match(/^(User|Group|WorkingDirectory|EnvironmentFile|LoadCredential)=.*/gm);
    });
    assert.deepEqual(service, backup);
    assert.ok(service?.includes('User=cardprice'));
  });
});
