import type { Kysely } from 'kysely';
import type { Millis } from '../../domain/day.ts';
import type { AccountDatabase, DeviceRow } from '../../store/accounts/schema.ts';

/** SQL of browsers that have signed in to an account before. */

type Db = Kysely<AccountDatabase>;

/** Whether a device has signed in to an account, and not only before `since`. */
export async function hasDevice(
  db: Db,
  { token_hash, account_id }: Pick<DeviceRow, 'token_hash' | 'account_id'>,
  since: Millis,
): Promise<boolean> {
  const row = await db
    .selectFrom('devices')
    .select('token_hash')
    .where('token_hash', '=', token_hash)
    .where('account_id', '=', account_id)
    .where('last_used_at', '>', since)
    .executeTakeFirst();
  return row !== undefined;
}

/** Adds a device, or records that it was used again; keeps the newest `most` of its account. */
export async function saveDevice(db: Db, device: DeviceRow, most: number): Promise<void> {
  await db
    .insertInto('devices')
    .values(device)
    .onConflict((conflict) =>
      conflict.column('token_hash').doUpdateSet({ last_used_at: device.last_used_at }),
    )
    .execute();
  await db
    .deleteFrom('devices')
    .where('token_hash', '=', (surplus) =>
      surplus
        .selectFrom('devices')
        .select('token_hash')
        .where('account_id', '=', device.account_id)
        .orderBy('last_used_at', 'desc')
        .orderBy('token_hash')
        .limit(1)
        .offset(most),
    )
    .execute();
}
