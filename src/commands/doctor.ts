import { existsSync, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Command } from 'commander';
import { countAllAccounts } from '../accounts/account-sql.ts';
import { type Config, unknownVariables } from '../config/config.ts';
import { formatMoment, type Millis } from '../domain/day.ts';
import { OperatorError } from '../domain/errors.ts';
import type { Finding } from '../domain/finding.ts';
import { displayLocation, isPostgres } from '../domain/location.ts';
import { staleLimit } from '../domain/staleness.ts';
import { formatAge } from '../domain/sync.ts';
import { nextRowIds } from '../store/catalogue/catalogue.ts';
import { isMissing, openStore, type Store } from '../store/connect.ts';
import { damageOf } from '../store/engine/sqlite-file.ts';
import { latestMoment, readHealth, type SourceHealth } from '../store/reports/health.ts';
import type { CommandContext } from './context.ts';
import { checkCertificates } from './doctor/certificates.ts';
import { good, warning, wrong } from './doctor/finding.ts';
import {
  checkBackups,
  checkExposure,
  checkSecondFactors,
  runsInContainer,
} from './doctor/security.ts';
import { PAGES_FOLDER } from './files.ts';
import { memoryBytes, memoryFinding } from './memory.ts';
import { type JsonFlag, jsonOption } from './options.ts';
import { EXIT, printJson, printLine } from './output.ts';

/** `cardprice doctor`: shows problems, and how to fix them. */
export function doctorCommand(context: CommandContext): Command {
  return new Command('doctor')
    .description(
      'Check settings, database, disk, memory, clock and sources, and show how to fix problems.',
    )
    .option('--deep', 'Also read every page of the SQLite files.')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nThe exit code is 1 if something is wrong. Warnings do not change it.' +
        '\n\nExample:\n  cardprice doctor --deep',
    )
    .action(async ({ deep = false, json }: JsonFlag & { readonly deep?: boolean }) => {
      const { version } = context;
      const config = context.config();
      const findings = await examine({
        config,
        clock: Date.now,
        deep,
        pages: PAGES_FOLDER,
        isContainer: runsInContainer(),
      });
      if (json) printJson({ version, node: process.version, findings });
      else print(findings, version);
      if (findings.some(({ state }) => state === 'wrong')) process.exitCode = EXIT.failure;
    });
}

const MARKS = { good: 'ok     ', warning: 'WARNING', wrong: 'WRONG  ' };

function print(findings: readonly Finding[], version: string): void {
  printLine(`Cardprice ${version} on Node ${process.version}`);
  for (const { state, about, says, fix } of findings) {
    printLine(`${MARKS[state]} ${about}: ${says}`);
    if (fix !== '') printLine(`        → ${fix}`);
  }
}

/** The input of the checks. */
export interface Examined {
  readonly config: Config;
  /** Whether the program runs in a container, where it listens on all of its addresses. */
  readonly isContainer: boolean;
  /** The clock of this machine. The clock of a PostgreSQL server may differ. */
  readonly clock: () => Millis;
  /** Whether to read every page of the database, which takes a while. */
  readonly deep: boolean;
  /** The folder of the built pages. */
  readonly pages: URL;
}

type Check = (examined: Examined) => Finding[] | Promise<Finding[]>;
type StoreCheck = (store: Store, examined: Examined) => Promise<Finding[]>;

const MEGABYTE = 1024 * 1024;
const GIGABYTE = 1024 * MEGABYTE;
/** Free space that an import may need, in addition to a second copy of the database. */
const LEAST_FREE_BYTES = 2 * GIGABYTE;
/** The largest difference allowed between the clocks of two machines. */
const CLOCK_TOLERANCE: Millis = 10 * 60_000;

/** Runs all checks, even if some of the data cannot be read. */
export async function examine(examined: Examined): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const check of LOCAL_CHECKS) findings.push(...(await check(examined)));
  const { database, migrate: isMigrating } = examined.config;
  const shown = displayLocation(database);
  if (isMissing(database)) {
    const fix = 'Create one: `cardprice sync`, or `cardprice start` for a demo.';
    return [...findings, wrong('database', `There is no database ${shown}.`, fix)];
  }
  try {
    const store = await openStore(database, { isMigrating });
    try {
      findings.push(good('database', `The schema of ${shown} is up to date.`));
      for (const check of STORE_CHECKS) findings.push(...(await check(store, examined)));
    } finally {
      await store.close();
    }
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    findings.push(wrong('database', error.message, 'The message says what to do.'));
  }
  return findings;
}

const checkSettings: Check = ({ config }) => {
  const unknown = unknownVariables().map((name) => {
    const fix = '`cardprice config --all` lists the settings; unset this one.';
    return warning('settings', `${name} is set, but is not a setting.`, fix);
  });
  if (config.publicUrl === '' && config.host !== '127.0.0.1') {
    unknown.push(
      warning(
        'settings',
        `The service listens on ${config.host}, and CARDPRICE_URL is not set.`,
        'Set it to the address at which people open the dashboard: links and cookies need it.',
      ),
    );
  }
  return unknown.length > 0 ? unknown : [good('settings', 'All settings are known.')];
};

const checkDisk: Check = ({ config: { database } }) => {
  if (isPostgres(database)) return [];
  const file = resolve(database);
  if (!existsSync(dirname(file))) {
    return [wrong('disk', `The folder ${dirname(file)} does not exist.`, `mkdir ${dirname(file)}`)];
  }
  return [checkSpace(file), ...checkFolder(dirname(file))];
};

function checkSpace(file: string): Finding {
  const { bavail, bsize } = statfsSync(dirname(file));
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const free = bavail * bsize;
  const says = `${(free / GIGABYTE).toFixed(1)} GB free`;
  if (free >= LEAST_FREE_BYTES + size) return good('disk', `${says}.`);
  const fix = 'Free some space. Imports and backups can need a second copy of the database.';
  return warning('disk', `${says}; the database takes ${Math.round(size / MEGABYTE)} MB.`, fix);
}

/** The mode bit that lets everyone write. */
const WRITABLE_BY_ALL = 0o002;

function checkFolder(folder: string): Finding[] {
  const { mode } = statSync(folder);
  // With the sticky bit, as in /tmp, users cannot replace the files of others.
  if ((mode & WRITABLE_BY_ALL) === 0 || mode & 0o1000) return [];
  return [wrong('disk', `Everyone can write to ${folder}.`, `chmod o-w ${folder}`)];
}

const checkPages: Check = ({ pages }) => {
  if (existsSync(new URL('index.html', pages))) return [good('pages', 'The pages are built.')];
  return [wrong('pages', 'The pages of the dashboard are not built.', 'npm run build:web')];
};

const LOCAL_CHECKS: readonly Check[] = [
  checkSettings,
  checkExposure,
  checkCertificates,
  checkDisk,
  checkPages,
];

const checkFiles: StoreCheck = async (_store, { config: { database }, deep }) => {
  if (!deep || isPostgres(database)) return [];
  const files = ['', '-accounts', '-usage'].map((ending) => `${resolve(database)}${ending}`);
  return files.map((file) => {
    const fault = damageOf(file);
    if (!fault) return good('database', `Every page of ${file} is intact.`);
    return wrong(
      'database',
      `${file} is damaged: ${fault}.`,
      'Restore a backup: `cardprice restore`.',
    );
  });
};

const checkMemory: StoreCheck = async ({ db }, { config: { workers } }) => {
  const { card } = await nextRowIds(db);
  // Cards are never deleted.
  return [memoryFinding({ cards: card - 1, workers, available: memoryBytes() })];
};

const checkAccounts: StoreCheck = async ({ accounts: { db } }) => {
  const { all, operators } = await countAllAccounts(db);
  if (all === 0) {
    const fix = '`cardprice account create --operator --email you@shop.example`';
    return [warning('accounts', 'There are no accounts.', fix)];
  }
  if (operators > 0) return [good('accounts', `${all} accounts.`)];
  const fix = 'Run `cardprice account set-operator E on`, then `cardprice account reset-link E`.';
  return [warning('accounts', 'No operator can sign in.', fix)];
};

const checkClock: StoreCheck = async (store, { config: { database }, clock }) => {
  const [here, now] = [clock(), store.clock()];
  const machine = isPostgres(database) ? 'the PostgreSQL server' : 'this machine';
  const says = `${formatMoment(now)} by the clock of ${machine}`;
  if (Math.abs(here - now) > CLOCK_TOLERANCE) {
    const fix =
      'Set the clock that is wrong: `timedatectl` shows whether a machine is synchronised.';
    return [wrong('clock', `It is ${formatMoment(here)} here, and ${says}.`, fix)];
  }
  const latest = await latestMoment(store);
  if (latest === undefined || latest <= now + CLOCK_TOLERANCE) {
    return [good('clock', `It is ${says}.`)];
  }
  const fix = `Set the clock of ${machine}: \`timedatectl\` shows whether it is synchronised.`;
  return [
    wrong(
      'clock',
      `It is ${says}, but the database has entries from ${formatMoment(latest)}.`,
      fix,
    ),
  ];
};

const checkSources: StoreCheck = async (store, { config }) => {
  const health = await readHealth(store, {
    now: store.clock(),
    synced: config.sync,
    limitOf: (source) => staleLimit(config, source),
  });
  const findings = health.flatMap(sourceFinding);
  const waiting = health.reduce((sum, { quarantined }) => sum + quarantined, 0);
  if (waiting > 0) {
    const says = `${waiting} quarantined prices await a decision.`;
    findings.push(warning('sources', says, '`cardprice quarantine list`'));
  }
  return findings.length > 0 ? findings : [good('sources', 'All watched sources are up to date.')];
};

function sourceFinding({ source, game, age, stale, error }: SourceHealth): Finding[] {
  const what = game ? `${source} (${game})` : source;
  if (stale) {
    const since = age === null ? 'never succeeded' : `is ${formatAge(age)} old`;
    return [
      wrong('sources', `${what} ${since}.`, 'Run `cardprice sync`, then `cardprice status`.'),
    ];
  }
  if (error === null) return [];
  return [warning('sources', `The last update of ${what} failed: ${error}`, '`cardprice status`')];
}

const STORE_CHECKS: readonly StoreCheck[] = [
  checkFiles,
  checkMemory,
  checkAccounts,
  checkSecondFactors,
  checkBackups,
  checkClock,
  checkSources,
];
