import { readdirSync, statfsSync, statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import pLimit from 'p-limit';
import type { Logger } from 'pino';
import { findAccountById } from '../accounts/account-sql.ts';
import { AlertMails } from '../accounts/alerts/mails.ts';
import type { OutboxMails } from '../accounts/webhooks/attempt.ts';
import type { DisabledWebhook } from '../accounts/webhooks/delivery.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Config } from '../config/config.ts';
import { alertMail } from '../dashboard/alert-mail.ts';
import { type Brand, type Logo, logoOf, MAX_LOGO_BYTES } from '../dashboard/brand.ts';
import type { DashboardOptions } from '../dashboard/index.ts';
import { createMailer, type Mailer } from '../dashboard/mail.ts';
import { PAGES } from '../dashboard/pages.ts';
import { PictureCache } from '../dashboard/picture-cache.ts';
import { Pictures } from '../dashboard/pictures.ts';
import { OperatorError } from '../domain/errors.ts';
import { isPostgres } from '../domain/location.ts';
import { nextTime } from '../domain/sync.ts';
import { approveQuarantined } from '../ingest/decisions/approve.ts';
import { rejectQuarantined, takeBackRejections } from '../ingest/decisions/refresh-disputes.ts';
import { undoDecision } from '../ingest/decisions/undo.ts';
import { parseEmail } from '../lib/email.ts';
import type { MachineHealth, QuarantineReview } from '../operator/services.ts';
import { newestBackup } from '../store/backup/backup.ts';
import type { Store } from '../store/connect.ts';
import { quarantinePages } from '../store/quarantine/quarantine.ts';
import type { ManualSync } from '../sync/manual.ts';
import type { CommandContext } from './context.ts';
import { runsInContainer } from './doctor/security.ts';
import { examine } from './doctor.ts';
import { backupFolder, PAGES_FOLDER, workingPath } from './files.ts';
import { userAgent } from './import/shared.ts';
import { syncableSources } from './sync.ts';

/** The options that the dashboard gets from the running server. */
type FromServer = 'resources' | 'health' | 'store' | 'version' | 'clock' | 'trail';
type DashboardSettings = Omit<DashboardOptions, FromServer>;

interface Serving {
  readonly logger: Logger;
  /** Whether this service syncs by itself. */
  readonly isSyncing: boolean;
  readonly syncs: ManualSync;
}

/** Returns the options of the dashboard that come from the settings. */
export async function dashboardSettings(
  context: CommandContext,
  config: Config,
  { logger, isSyncing, syncs }: Serving,
): Promise<DashboardSettings> {
  const { publicUrl, signUp, invitationCode, keyDays, auditDays } = config;
  const { smtp, mailFrom } = config;
  return {
    brand: await readBrand(config),
    machine: () => machineHealth(context, config, { isSyncing }),
    syncs,
    syncable: syncableSources(config),
    review: dashboardReview(context),
    isPublic: config.isPublic,
    signUp: { isOpen: signUp, invitationCode },
    keyRules: { keyDays },
    auditDays,
    webhookNetworks: config.webhookNetworks,
    burst: config.burst,
    keyBurst: config.keyBurst === 'off' ? null : config.keyBurst,
    operatorSecondFactor: config.operatorSecondFactor,
    publicUrl,
    mailer: smtp === '' ? undefined : mailerOf(smtp, mailFrom, publicUrl),
    pictures: config.pictures ? picturesOf(context, config, logger) : undefined,
    security: { contacts: config.securityContacts, policy: config.securityPolicy },
    pages: PAGES_FOLDER,
  };
}

/** Returns the pictures, with a cache next to the database. */
function picturesOf(context: CommandContext, config: Config, logger: Logger): Pictures {
  const folder = workingPath(config, 'pictures');
  const cache = new PictureCache({ folder, logger, clock: context.clock });
  return new Pictures({ userAgent: userAgent(context), logger, cache });
}

/** @throws OperatorError without a public URL. Callers choose the Host header, so links need it. */
function mailerOf(smtp: string, from: string, publicUrl: string): Mailer {
  if (publicUrl !== '') return createMailer(smtp, from);
  throw new OperatorError(
    'Links in mail need CARDPRICE_URL. Set it to the address at which people open the ' +
      'dashboard, such as https://cards.example, or unset CARDPRICE_SMTP.',
  );
}

/** Mails the owner of a webhook that it was disabled. */
export async function mailDisabledWebhook(
  { mailer, publicUrl }: Pick<DashboardSettings, 'mailer' | 'publicUrl'>,
  { accounts }: Store,
  { accountId, ...webhook }: DisabledWebhook,
): Promise<void> {
  const account = await findAccountById(accounts.db, accountId);
  const to = account && parseEmail(account.email);
  if (mailer && to) await mailer.sendWebhookDisabled(to, webhook, `${publicUrl}${PAGES.webhooks}`);
}

/** Returns the sender of mails about fired alerts; undefined without a mail server. */
export function alertMails(
  { mailer, publicUrl }: Pick<DashboardSettings, 'mailer' | 'publicUrl'>,
  store: Store,
  catalog: Catalog,
): OutboxMails | undefined {
  if (!mailer) return undefined;
  return new AlertMails(store, (news) => {
    return mailer.sendAlerts(news.to, alertMail(news, { catalog, publicUrl }));
  });
}

/** Runs the checks of `cardprice doctor`, and reports the files and the free space. */
export async function machineHealth(
  { clock }: Pick<CommandContext, 'clock'>,
  config: Config,
  { isSyncing }: Pick<Serving, 'isSyncing'>,
): Promise<MachineHealth> {
  const now = clock();
  return {
    findings: await examine({
      config,
      clock: Date.now,
      deep: false,
      pages: PAGES_FOLDER,
      isContainer: runsInContainer(),
    }),
    processes: config.workers,
    nextSyncAt: isSyncing ? nextTime(config.syncAt, now) : null,
    ...filesOf(config.database),
  };
}

/** Returns the files of a database, the free space and the time of the newest backup. */
function filesOf(database: string): Pick<MachineHealth, 'files' | 'freeBytes' | 'backupAt'> {
  // A PostgreSQL server has its files on another machine.
  if (isPostgres(database)) return { files: [], freeBytes: null, backupAt: null };
  const file = resolve(database);
  const folder = dirname(file);
  const { bavail, bsize } = statfsSync(folder);
  const names = readdirSync(folder).filter((name) => join(folder, name).startsWith(file));
  const files = names.flatMap((name) => {
    // A file may have disappeared after it was listed.
    const stats = statSync(join(folder, name), { throwIfNoEntry: false });
    return stats?.isFile() ? [{ name, bytes: stats.size }] : [];
  });
  return { files, freeBytes: bavail * bsize, backupAt: newestBackup(backupFolder(database)) };
}

/**
 * Reads the name, the tagline, the color and the logo of the service from the settings.
 *
 * @throws OperatorError that names the file of the logo if it cannot be used.
 */
export async function readBrand({ name, tagline, color, logo }: Config): Promise<Brand> {
  return {
    name,
    tagline,
    color: color === 'default' ? null : color,
    logo: logo === '' ? null : await readLogo(logo),
  };
}

async function readLogo(path: string): Promise<Logo> {
  const size = await stat(path).then(
    (file) => file.size,
    (error) => {
      throw refused(path, `it cannot be read (${error.code})`, error);
    },
  );
  if (size > MAX_LOGO_BYTES) throw refused(path, `it has more than ${MAX_LOGO_BYTES} bytes`);
  const logo = logoOf(await readFile(path));
  if (!logo) throw refused(path, 'it is not an SVG, PNG, JPEG, WebP, AVIF or GIF picture');
  return logo;
}

function refused(path: string, reason: string, cause?: unknown): OperatorError {
  return new OperatorError(`The logo ${path} cannot be shown: ${reason}. CARDPRICE_LOGO sets it.`, {
    cause,
  });
}

/**
 * Takes the decisions of the dashboard one at a time, because the import lock belongs to a process,
 * not to a request. Each decision opens its own connection, so no other request writes into its
 * transaction.
 */
export function dashboardReview({
  withStore,
  clock,
}: Pick<CommandContext, 'withStore' | 'clock'>): QuarantineReview {
  const limit = pLimit(1);
  const decide = <Result>(work: (store: Store) => Promise<Result>): Promise<Result> => {
    return limit(() => withStore(work));
  };
  return {
    approve: (filter) =>
      decide(async (store) => {
        const waiting = quarantinePages(store.db, { ...filter, isDecided: false });
        const { accepted: decided, ...rest } = await approveQuarantined(store, waiting, clock);
        return { decided, ...rest };
      }),
    reject: (filter) =>
      decide(async (store) => {
        const decidedAt = clock();
        const decided = await rejectQuarantined(store, filter, clock, decidedAt);
        return { decided, pricesChanged: 0, refused: 0, decidedAt };
      }),
    undo: (filter) =>
      decide(async (store) => {
        const decided = await takeBackRejections(store, filter, clock);
        return { decided, pricesChanged: 0, refused: 0, decidedAt: null };
      }),
    undoDecision: (decidedAt) =>
      decide(async (store) => {
        const { undone, kept, pricesChanged } = await undoDecision(store, decidedAt, clock);
        return { decided: undone, pricesChanged, refused: kept, decidedAt: null };
      }),
  };
}
