import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { Logger } from 'pino';
import type { AuditTrail } from '../accounts/audit/audit.ts';
import { SERVICE } from '../accounts/audit/audit.ts';
import { readStartSettings, writeStartSetting } from '../accounts/audit/audit-sql.ts';
import type { SettingText } from '../config/config.ts';
import type { Store } from '../store/connect.ts';

const digest = promisify<string, Buffer, number, Buffer>(scrypt);
const DIGEST_BYTES = 32;
const SALT_BYTES = 16;

/** Records changed settings like {@link recordChanges}. A failure is only logged. */
export async function recordSettings(
  store: Store,
  settings: readonly SettingText[],
  { trail, logger }: { readonly trail: AuditTrail; readonly logger: Logger },
): Promise<void> {
  try {
    await recordChanges(store, settings, trail);
  } catch (err) {
    logger.error({ err }, 'the settings could not be compared with those of the last start');
  }
}

/**
 * Records the settings that differ from the last start, with their old and new texts. For a secret,
 * only the fact that it changed is recorded. To detect a change, the database stores a salted
 * digest that is slow to guess (scrypt).
 */
async function recordChanges(
  store: Store,
  settings: readonly SettingText[],
  trail: AuditTrail,
): Promise<void> {
  const { db } = store.accounts;
  const former = await readStartSettings(db);
  for (const setting of settings) {
    const stored = former.get(setting.variable);
    if (await isSame(setting, stored)) continue;
    const detail = setting.isSecret
      ? describeSecret(setting, stored)
      : `"${stored ?? setting.default}" → "${setting.text}"`;
    trail.record('settings-changed', SERVICE, { subject: setting.variable, detail });
    const value = setting.isSecret ? await secretOf(setting.text) : setting.text;
    const isDefault = setting.text === setting.default;
    await writeStartSetting(db, setting.variable, isDefault ? undefined : value);
  }
}

function describeSecret(setting: SettingText, stored: string | undefined): string {
  if (stored === undefined) return 'a secret was set';
  return setting.text === setting.default ? 'the secret was unset' : 'the secret was changed';
}

async function isSame(setting: SettingText, stored: string | undefined): Promise<boolean> {
  const { text, isSecret } = setting;
  if (stored === undefined || text === setting.default) {
    return stored === undefined && text === setting.default;
  }
  if (!isSecret) return stored === text;
  const [salt = '', expected = ''] = stored.split('$');
  const found = await digest(text, Buffer.from(salt, 'base64url'), DIGEST_BYTES);
  return timingSafeEqual(found, Buffer.from(expected, 'base64url'));
}

async function secretOf(text: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await digest(text, salt, DIGEST_BYTES);
  return `${salt.toString('base64url')}$${hash.toString('base64url')}`;
}
