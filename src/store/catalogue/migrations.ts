import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { GameSlug } from '../../domain/games.ts';
import { clashingId, compareExternalIds, setId } from '../../domain/ids.ts';
import type { Engine } from '../engine/engine.ts';
import { namePublications } from './publication-tables.ts';

/**
 * The migration that removes the accounts from SQLite's main file. Those of `account-migrations.ts`
 * have copied them by then.
 */
export const ACCOUNTS_APART = '0014-accounts-apart';

/**
 * Whether a migration takes something away that versions before it use: its name says so, for them
 * to read in the database. All others only add, and versions before them work beside those after.
 */
export function isContract(name: string): boolean {
  return /^\d{4}-contract-/.test(name);
}

/**
 * Returns all migrations, oldest first. Only append to them: a released migration has already run
 * in existing databases.
 */
export function migrations(engine: Engine): Record<string, Migration> {
  const { blob, bigint } = engine.types;
  return {
    '0001-catalogue': {
      async up(db: Kysely<unknown>) {
        await db.schema
          .createTable('sets')
          .addColumn('id', 'integer', (column) => column.primaryKey())
          .addColumn('game', 'text', (column) => column.notNull())
          .addColumn('code', 'text', (column) => column.notNull())
          .addColumn('name', 'text', (column) => column.notNull())
          .addColumn('release_date', 'text')
          .addColumn('revision', 'integer', (column) => column.notNull())
          .execute();
        await db.schema
          .createTable('set_keys')
          .addColumn('source', 'text', (column) => column.notNull())
          .addColumn('key', 'text', (column) => column.notNull())
          .addColumn('set_id', 'integer', (column) => column.notNull().references('sets.id'))
          .addPrimaryKeyConstraint('set_keys_pk', ['source', 'key'])
          .execute();
        await db.schema
          .createTable('cards')
          .addColumn('id', 'integer', (column) => column.primaryKey())
          .addColumn('public_id', 'text', (column) => column.notNull().unique())
          .addColumn('set_id', 'integer', (column) => column.notNull().references('sets.id'))
          .addColumn('name', 'text', (column) => column.notNull())
          .addColumn('number', 'text')
          .addColumn('rarity', 'text')
          .addColumn('image', 'text')
          .addColumn('revision', 'integer', (column) => column.notNull())
          .execute();
        await db.schema
          .createTable('card_keys')
          .addColumn('source', 'text', (column) => column.notNull())
          .addColumn('key', 'text', (column) => column.notNull())
          .addColumn('card_id', 'integer', (column) => column.notNull().references('cards.id'))
          .addPrimaryKeyConstraint('card_keys_pk', ['source', 'key'])
          .execute();
        await db.schema.createIndex('card_keys_card').on('card_keys').column('card_id').execute();
        await db.schema
          .createTable('printings')
          .addColumn('id', 'integer', (column) => column.primaryKey())
          .addColumn('card_id', 'integer', (column) => column.notNull().references('cards.id'))
          .addColumn('name', 'text', (column) => column.notNull())
          .addColumn('market', 'integer')
          .addColumn('low', 'integer')
          .addColumn('mid', 'integer')
          .addColumn('high', 'integer')
          .addColumn('conditions', 'text')
          .addColumn('graded', 'text')
          .addColumn('sources', 'text', (column) => column.notNull())
          .addColumn('observed_at', bigint)
          .addColumn('revision', 'integer', (column) => column.notNull())
          .addUniqueConstraint('printings_card_name', ['card_id', 'name'])
          .execute();
        await db.schema
          .createTable('catalog_state')
          .addColumn('id', 'integer', (column) => column.primaryKey())
          .addColumn('revision', 'integer', (column) => column.notNull())
          .addColumn('writing', 'integer', (column) => column.notNull())
          .execute();
        await sql`insert into catalog_state (id, revision, writing) values (1, 0, 0)`.execute(db);
      },
    },
    '0002-imports': {
      async up(db: Kysely<unknown>) {
        await db.schema
          .createTable('imports')
          .addColumn('id', 'integer', (column) => column.primaryKey())
          .addColumn('source', 'text', (column) => column.notNull())
          .addColumn('started_at', bigint, (column) => column.notNull())
          .addColumn('finished_at', bigint)
          .addColumn('observed_at', bigint)
          .addColumn('summary', 'text')
          .execute();
        await db.schema
          .createTable('source_files')
          .addColumn('source', 'text', (column) => column.notNull())
          .addColumn('path', 'text', (column) => column.notNull())
          .addColumn('digest', 'text', (column) => column.notNull())
          .addColumn('etag', 'text')
          .addColumn('observed_at', bigint, (column) => column.notNull())
          .addPrimaryKeyConstraint('source_files_pk', ['source', 'path'])
          .execute();
        await db.schema
          .createTable('import_lock')
          .addColumn('id', 'integer', (column) => column.primaryKey())
          .addColumn('holder', 'text')
          .addColumn('expires_at', bigint, (column) => column.notNull())
          .execute();
        await sql`insert into import_lock (id, holder, expires_at) values (1, null, 0)`.execute(db);
      },
    },
    '0003-history': {
      async up(db: Kysely<unknown>) {
        await db.schema
          .createTable('history')
          .addColumn('id', bigint, (column) => column.primaryKey())
          .addColumn('block', blob, (column) => column.notNull())
          .execute();
        const recent = db.schema
          .createTable('history_recent')
          .addColumn('printing_id', 'integer', (column) => column.primaryKey())
          .addColumn('first_day', 'integer', (column) => column.notNull())
          .addColumn('last_day', 'integer', (column) => column.notNull())
          .addColumn('block', blob, (column) => column.notNull());
        await engine.rewritable(recent).execute();
        const corrections = db.schema
          .createTable('history_corrections')
          .addColumn('printing_id', 'integer', (column) => column.notNull())
          .addColumn('day', 'integer', (column) => column.notNull())
          .addColumn('replaced_at', bigint, (column) => column.notNull())
          .addColumn('market', 'integer')
          .addColumn('low', 'integer')
          .addColumn('mid', 'integer')
          .addColumn('high', 'integer')
          .addPrimaryKeyConstraint('history_corrections_pk', ['printing_id', 'day', 'replaced_at']);
        await engine.clustered(corrections).execute();
      },
    },
    '0004-accounts': {
      async up(db: Kysely<unknown>) {
        await db.schema
          .createTable('accounts')
          .addColumn('id', 'integer', engine.autoIncrement)
          .addColumn('email', 'text', (column) => column.notNull().unique())
          .addColumn('plan', 'text', (column) => column.notNull())
          .addColumn('created_at', bigint, (column) => column.notNull())
          .addColumn('disabled_at', bigint)
          .execute();
        await db.schema
          .createTable('api_keys')
          .addColumn('id', 'integer', engine.autoIncrement)
          .addColumn('account_id', 'integer', (column) =>
            column.notNull().references('accounts.id'),
          )
          .addColumn('hash', 'text', (column) => column.notNull().unique())
          .addColumn('hint', 'text', (column) => column.notNull())
          .addColumn('name', 'text', (column) => column.notNull())
          .addColumn('created_at', bigint, (column) => column.notNull())
          .addColumn('expires_at', bigint)
          .addColumn('revoked_at', bigint)
          .execute();
        await db.schema
          .createIndex('api_keys_account')
          .on('api_keys')
          .column('account_id')
          .execute();
        const usage = db.schema
          .createTable('usage')
          .addColumn('account_id', 'integer', (column) =>
            column.notNull().references('accounts.id'),
          )
          .addColumn('day', 'integer', (column) => column.notNull())
          .addColumn('used', 'integer', (column) => column.notNull())
          .addPrimaryKeyConstraint('usage_pk', ['account_id', 'day']);
        await engine.clustered(usage).execute();
      },
    },
    '0005-quotes': {
      async up(db: Kysely<unknown>) {
        const quotes = db.schema
          .createTable('quotes')
          .addColumn('printing_id', 'integer', (column) => column.notNull())
          .addColumn('source', 'text', (column) => column.notNull())
          .addColumn('origin', 'text', (column) => column.notNull())
          .addColumn('currency', 'text', (column) => column.notNull())
          .addColumn('market', 'integer')
          .addColumn('low', 'integer')
          .addColumn('mid', 'integer')
          .addColumn('high', 'integer')
          .addColumn('conditions', 'text')
          .addColumn('graded', 'text')
          .addColumn('observed_at', bigint, (column) => column.notNull())
          .addColumn('fetched_at', bigint)
          .addColumn('source_key', 'text')
          .addPrimaryKeyConstraint('quotes_pk', ['printing_id', 'source', 'origin']);
        await engine.rewritable(engine.clustered(quotes)).execute();
        await quoteServedPrices(db);
        await db.schema.alterTable('printings').addColumn('figures_at', bigint).execute();
        await sql`update printings set figures_at = observed_at`.execute(db);
        await db.schema
          .createTable('quarantine')
          .addColumn('id', 'integer', engine.autoIncrement)
          .addColumn('source', 'text', (column) => column.notNull())
          .addColumn('origin', 'text')
          .addColumn('game', 'text')
          .addColumn('set_id', 'integer')
          .addColumn('card_id', 'integer')
          .addColumn('printing_id', 'integer')
          .addColumn('printing', 'text')
          .addColumn('reason', 'text', (column) => column.notNull())
          .addColumn('detail', 'text', (column) => column.notNull())
          .addColumn('quote', 'text')
          .addColumn('source_key', 'text')
          .addColumn('observed_at', bigint)
          .addColumn('held_at', bigint, (column) => column.notNull())
          .addColumn('decided_at', bigint)
          .addColumn('decision', 'text')
          .execute();
        await db.schema
          .createIndex('quarantine_card')
          .on('quarantine')
          .columns(['card_id', 'source'])
          .execute();
        await db.schema
          .createIndex('quarantine_source')
          .on('quarantine')
          .columns(['source', 'reason'])
          .execute();
        await db.schema.createIndex('cards_set').on('cards').column('set_id').execute();
        await db.schema.alterTable('catalog_state').addColumn('rates', 'text').execute();
      },
    },
    '0006-sync': {
      async up(db: Kysely<unknown>) {
        await db.schema
          .createTable('source_checks')
          .addColumn('source', 'text', (column) => column.primaryKey())
          .addColumn('asked_at', bigint, (column) => column.notNull())
          .addColumn('succeeded_at', bigint)
          .addColumn('answered_at', bigint)
          .addColumn('failed_at', bigint)
          .addColumn('error', 'text')
          .addColumn('retry_at', bigint)
          .addColumn('requests', 'integer', (column) => column.notNull())
          .addColumn('requests_day', 'integer', (column) => column.notNull())
          .addColumn('version', 'text')
          .execute();
        await db.schema
          .createTable('source_figures')
          .addColumn('source', 'text', (column) => column.notNull())
          .addColumn('game', 'text', (column) => column.notNull())
          .addColumn('priced', 'integer', (column) => column.notNull())
          .addColumn('cards', 'integer', (column) => column.notNull())
          .addColumn('observed_at', bigint, (column) => column.notNull())
          .addPrimaryKeyConstraint('source_figures_pk', ['source', 'game'])
          .execute();
        await sql`insert into import_lock (id, holder, expires_at) values (2, null, 0)`.execute(db);
      },
    },
    '0007-usage-apart': {
      up: (db: Kysely<unknown>) => engine.moveUsageToItsFile(db),
    },
    '0008-dashboard': {
      async up(db: Kysely<unknown>) {
        await db.schema.alterTable('accounts').addColumn('password_hash', 'text').execute();
        await db.schema
          .alterTable('accounts')
          .addColumn('operator', 'integer', (column) => column.notNull().defaultTo(0))
          .execute();
        await db.schema
          .createTable('password_resets')
          .addColumn('token_hash', 'text', (column) => column.primaryKey())
          .addColumn('account_id', 'integer', (column) =>
            column.notNull().references('accounts.id'),
          )
          .addColumn('expires_at', bigint, (column) => column.notNull())
          .execute();
        await db.schema
          .createIndex('password_resets_account')
          .on('password_resets')
          .column('account_id')
          .execute();
        await engine.createUsageTables(db);
      },
    },
    '0009-vocabulary': {
      async up(db: Kysely<unknown>) {
        await renameExternalIds(db, engine);
        await renameQuotes(db, engine);
        await renameQuarantine(db);
      },
    },
    '0010-set-ids': {
      async up(db: Kysely<unknown>) {
        await db.schema.alterTable('sets').addColumn('public_set_id', 'text').execute();
        await giveSetIds(db);
        await db.schema
          .createIndex('sets_public_set_id')
          .on('sets')
          .column('public_set_id')
          .unique()
          .execute();
      },
    },
    '0011-history-sources': {
      async up(db: Kysely<unknown>) {
        await db.schema
          .createTable('history_sources')
          .addColumn('id', 'integer', engine.autoIncrement)
          .addColumn('source', 'text', (column) => column.notNull())
          .addColumn('marketplace', 'text', (column) => column.notNull())
          .addColumn('repeated', 'integer', (column) => column.notNull())
          .addUniqueConstraint('history_sources_unique', ['source', 'marketplace', 'repeated'])
          .execute();
        await db.schema
          .alterTable('history_corrections')
          .addColumn('source_id', 'integer')
          .execute();
      },
    },
    '0012-served-ages': {
      async up(db: Kysely<unknown>) {
        await dateServedAmounts(db, bigint);
        await db.schema
          .createTable('marketplace_changes')
          .addColumn('id', 'integer', engine.autoIncrement)
          .addColumn('printing_id', 'integer', (column) => column.notNull())
          .addColumn('from_marketplace', 'text', (column) => column.notNull())
          .addColumn('to_marketplace', 'text', (column) => column.notNull())
          .addColumn('day', 'integer', (column) => column.notNull())
          .addColumn('changed_at', bigint, (column) => column.notNull())
          .execute();
        await db.schema
          .createIndex('marketplace_changes_changed')
          .on('marketplace_changes')
          .column('changed_at')
          .execute();
      },
    },
    '0013-failed-parts': {
      async up(db: Kysely<unknown>) {
        await db.schema
          .createTable('failed_parts')
          .addColumn('source', 'text', (column) => column.notNull())
          .addColumn('part', 'text', (column) => column.notNull())
          .addColumn('game', 'text')
          .addColumn('first_failed_at', bigint, (column) => column.notNull())
          .addColumn('last_failed_at', bigint, (column) => column.notNull())
          .addColumn('bad_rows', 'integer')
          .addColumn('examples', 'text', (column) => column.notNull())
          .addPrimaryKeyConstraint('failed_parts_pk', ['source', 'part'])
          .execute();
      },
    },
    [ACCOUNTS_APART]: {
      up: (db: Kysely<unknown>) => engine.dropMovedAccounts(db),
    },
    '0015-base-prices': {
      async up(db: Kysely<unknown>) {
        const printings = db.schema.alterTable('printings');
        for (const base of ['base_1d', 'base_7d', 'base_30d'] as const) {
          await printings.addColumn(base, 'integer').execute();
        }
        await printings.addColumn('change_doubts', 'text').execute();
      },
    },
    '0016-approvals': {
      async up(db: Kysely<unknown>) {
        await db.schema
          .createTable('approvals')
          .addColumn('id', 'integer', engine.autoIncrement)
          .addColumn('decided_at', bigint, (column) => column.notNull())
          .addColumn('set_id', 'integer')
          .addColumn('rule', 'text', (column) => column.notNull())
          .addColumn('undo', 'text', (column) => column.notNull())
          .execute();
        await db.schema
          .createIndex('approvals_decided')
          .on('approvals')
          .column('decided_at')
          .execute();
      },
    },
    '0017-publications': {
      up: (db: Kysely<unknown>) => namePublications(db, engine),
    },
    '0018-lock-since': {
      async up(db: Kysely<unknown>) {
        await db.schema.alterTable('import_lock').addColumn('taken_at', bigint).execute();
      },
    },
  };
}

/**
 * Makes one quote of every served price, so that merging starts from it. A source other than
 * TCGplayer gave single amounts of it; the next import separates them.
 */
async function quoteServedPrices(db: Kysely<unknown>): Promise<void> {
  await sql`insert into quotes (printing_id, source, origin, currency, market, low, mid, high,
      conditions, graded, observed_at, fetched_at, source_key)
    select p.id,
      case when sources = '[]' or sources like '%"tcgplayer"%' then 'tcgcsv' else 'quotes' end,
      case when sources = '[]' or sources like '%"tcgplayer"%' then 'tcgplayer'
        else replace(replace(replace(sources, '["', ''), '"]', ''), '","', '+') end,
      'USD', market, low, mid, high, conditions, graded, observed_at, null,
      case when sources = '[]' or sources like '%"tcgplayer"%' then k.key end
    from printings p
    left join (select card_id, min(key) as key from card_keys where source = 'tcgcsv'
      group by card_id) k on k.card_id = p.card_id
    where observed_at is not null`.execute(db);
}

/**
 * Gives served conditions and grades their own age, that of the oldest observation that has any,
 * until the next import merges them again. The age of the newest amount is not kept.
 */
async function dateServedAmounts(
  db: Kysely<unknown>,
  bigint: Engine['types']['bigint'],
): Promise<void> {
  const printings = db.schema.alterTable('printings');
  for (const amounts of ['conditions', 'graded'] as const) {
    const [column, at] = [sql.ref(amounts), `${amounts}_at`];
    await printings.addColumn(at, bigint).execute();
    await sql`update printings set ${sql.ref(at)} = (select min(o.observed_at) from observations o
      where o.printing_id = printings.id and ${sql.ref(`o.${amounts}`)} is not null)
      where ${column} is not null`.execute(db);
  }
  await printings.addColumn('marketplace', 'text').execute();
  await sql`update printings set marketplace = substr(sources, 3, length(sources) - 4)
    where figures_at is not null and sources <> '[]' and sources not like '%,%'`.execute(db);
  await printings.dropColumn('observed_at').execute();
}

async function renameExternalIds(db: Kysely<unknown>, engine: Engine): Promise<void> {
  for (const kind of ['set', 'card'] as const) {
    const [before, after] = [`${kind}_keys`, `${kind}_external_ids`];
    await db.schema.alterTable(before).renameColumn('source', 'id_space').execute();
    await db.schema.alterTable(before).renameColumn('key', 'external_id').execute();
    await db.schema.alterTable(before).renameTo(after).execute();
    await engine.renameConstraint(db, after, `${before}_pk`, `${after}_pk`);
    const reference = `${kind}_id_fkey`;
    await engine.renameConstraint(db, after, `${before}_${reference}`, `${after}_${reference}`);
  }
  await db.schema.dropIndex('card_keys_card').execute();
  await db.schema
    .createIndex('card_external_ids_card')
    .on('card_external_ids')
    .column('card_id')
    .execute();
}

async function renameQuotes(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const quotes = db.schema.alterTable('quotes');
  await quotes.renameColumn('origin', 'marketplace').execute();
  await quotes.renameColumn('source_key', 'external_id').execute();
  await quotes.renameTo('observations').execute();
  await engine.renameConstraint(db, 'observations', 'quotes_pk', 'observations_pk');
}

async function renameQuarantine(db: Kysely<unknown>): Promise<void> {
  const quarantine = db.schema.alterTable('quarantine');
  await quarantine.renameColumn('origin', 'marketplace').execute();
  await quarantine.renameColumn('source_key', 'external_id').execute();
  await quarantine.renameColumn('quote', 'observation').execute();
  await quarantine.renameColumn('reason', 'rule').execute();
  await quarantine.renameColumn('held_at', 'quarantined_at').execute();
  for (const [before, after] of RENAMED_RULES) {
    await sql`update quarantine set rule = ${after} where rule = ${before}`.execute(db);
  }
  await sql`update quarantine set decision = 'approved' where decision = 'accepted'`.execute(db);
  // The marketplace was written as the first member, `market`; the prices have such a member, too.
  await sql`update quarantine set observation = '{"marketplace":' || substr(observation, 11)
    where observation like '{"market":%' and rule <> 'mass-delisting'`.execute(db);
}

const RENAMED_RULES = [
  ['jump', 'price-jump'],
  ['contradicts-others', 'source-outlier'],
  ['swapped-prices', 'swapped-printings'],
  ['told-twice', 'conflicting-prices'],
  ['lost-prices', 'mass-delisting'],
  ['shared-id', 'shared-external-id'],
] as const;

interface SetWithoutId {
  id: number;
  game: GameSlug;
  code: string;
  name: string;
  external_id: string | null;
}

/** Gives every set the setId that a fresh import would, by TCGplayer's ids where it has one. */
async function giveSetIds(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<SetWithoutId>`select id, game, code, name,
      coalesce(min(case when id_space = 'tcgcsv' then external_id end), min(external_id))
        as external_id
    from sets left join set_external_ids on set_id = id
    group by id, game, code, name`.execute(db);
  const taken = new Set<string>();
  const sets = rows.map((set) => ({ ...set, own: set.external_id ?? `row ${set.id}` }));
  for (const { id, game, code, name, own } of sets.sort((a, b) =>
    compareExternalIds(a.own, b.own),
  )) {
    const fitting = setId(game, code, name);
    const chosen = taken.has(fitting) ? clashingId(fitting, own) : fitting;
    taken.add(chosen);
    await sql`update sets set public_set_id = ${chosen} where id = ${id}`.execute(db);
  }
}
