import type { AlertLine, AlertMail, AlertRule } from '../../domain/alerts.ts';
import type { Millis } from '../../domain/day.ts';
import { AccountError } from '../../domain/errors.ts';
import type { Plan } from '../../domain/plans.ts';
import type { AccountTransaction, Store } from '../../store/connect.ts';
import { lockAccount } from '../account-sql.ts';
import * as sql from './alert-sql.ts';
import { type AlertEvent, type ListedEvents, listEvents } from './event-sql.ts';
import { beginProgress, holdProgress } from './judgement-sql.ts';

/** The most prices that an alert can watch without watching a whole set. */
export const MAX_LINES = 500;

/** The most characters of the name of an alert. */
export const MAX_ALERT_NAME = 100;

/** Ids fit a 32-bit integer of the database. */
const ID = /^\d{1,9}$/;

/** The publication from which alerts are judged. */
export interface ServedPublication {
  readonly revision: number;
  readonly id: string;
}

/** The subject of an alert: a whole set, or lines, which begin with these states. */
export interface Watch {
  readonly set: string | null;
  readonly lines: readonly sql.StartedLine[];
}

/** An alert to add. */
export interface NewAlert extends Watch {
  readonly rule: AlertRule;
  /** Empty without a name. */
  readonly name: string;
  readonly mail: AlertMail;
}

/** The account that owns alerts. */
interface Owner {
  readonly accountId: number;
  readonly plan: Pick<Plan, 'alerts' | 'label'>;
}

/** The alerts of accounts, as owners manage them. Refusals are AccountErrors. */
export class Alerts {
  readonly #store: Store;
  readonly #clock: () => Millis;

  constructor(store: Store, clock: () => Millis) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Adds an alert, which judges the publications after the served one. */
  create(
    { accountId, plan }: Owner,
    { rule, set, lines, name, mail }: NewAlert,
    served: ServedPublication,
  ): Promise<sql.ListedAlert> {
    return this.#changing(served, async (transaction, since) => {
      await lockAccount(transaction, accountId);
      const existing = await sql.countAlerts(transaction, accountId);
      if (existing >= plan.alerts) throw tooMany(plan);
      const alert = { ...rule, accountId, set, name, mail, since, createdAt: this.#clock() };
      const { id } = await sql.insertAlert(transaction, alert, lines);
      return required(await sql.findAlert(transaction, id, accountId), id);
    });
  }

  /** Returns the alerts of an account, newest first. Plans limit their number. */
  list(accountId: number): Promise<sql.ListedAlert[]> {
    return sql.listAlerts(this.#store.accounts.db, accountId);
  }

  async find(id: string, accountId: number): Promise<sql.ListedAlert> {
    const { db } = this.#store.accounts;
    const found = ID.test(id) ? await sql.findAlert(db, Number(id), accountId) : undefined;
    return required(found, id);
  }

  /** Returns the prices that an alert watches; for a set, only the judged ones. */
  async lines(id: string, accountId: number): Promise<AlertLine[]> {
    const alert = await this.find(id, accountId);
    return sql.linesOf(this.#store.accounts.db, alert.id);
  }

  /** Deletes an alert with its log. Returns it as it was. */
  async delete(id: string, accountId: number): Promise<sql.ListedAlert> {
    const alert = await this.find(id, accountId);
    await this.#changing(undefined, (transaction) => sql.deleteAlert(transaction, alert.id));
    return alert;
  }

  /** Stops judging an alert until it is resumed. */
  async pause(id: string, accountId: number): Promise<sql.ListedAlert> {
    const alert = await this.find(id, accountId);
    await this.#changing(undefined, (db) => sql.pauseAlert(db, alert.id, this.#clock()));
    return this.find(id, accountId);
  }

  /** Resumes a paused alert as if it were new. Changes during the pause do not fire. */
  async resume(
    id: string,
    accountId: number,
    lines: readonly sql.StartedLine[],
    served: ServedPublication,
  ): Promise<sql.ListedAlert> {
    const { pausedAt, id: alert } = await this.find(id, accountId);
    if (pausedAt !== null) {
      await this.#changing(served, (transaction, since) => {
        return sql.resumeAlert(transaction, { id: alert, accountId, since }, lines);
      });
    }
    return this.find(id, accountId);
  }

  async setMail(id: string, accountId: number, mail: AlertMail): Promise<sql.ListedAlert> {
    const { id: alert } = await this.find(id, accountId);
    await sql.setMail(this.#store.accounts.db, alert, mail);
    return this.find(id, accountId);
  }

  /** Returns what the alerts of an account have fired, newest first. */
  async events(
    accountId: number,
    { alert, ...page }: Omit<ListedEvents, 'alert'> & { readonly alert?: string | undefined },
  ): Promise<AlertEvent[]> {
    const of = alert === undefined ? {} : { alert: (await this.find(alert, accountId)).id };
    return listEvents(this.#store.accounts.db, accountId, { ...page, ...of });
  }

  /**
   * Changes alerts while nothing is judged. `work` gets the number of the last publication that an
   * alert does not judge: the served one, or a later one that another process is judging.
   */
  #changing<Result>(
    served: ServedPublication | undefined,
    work: (transaction: AccountTransaction, since: number) => Promise<Result>,
  ): Promise<Result> {
    return this.#store.accounts.db.transaction().execute(async (transaction) => {
      if (served) await beginProgress(transaction, { ...served, place: null });
      const judged = await holdProgress(transaction);
      return work(transaction, Math.max(judged, served?.revision ?? 0));
    });
  }
}

/** @throws AccountError if an account has no such alert. */
function required(alert: sql.ListedAlert | undefined, id: string | number): sql.ListedAlert {
  if (alert) return alert;
  throw new AccountError('ALERT_NOT_FOUND', `You have no alert with the id "${id}".`);
}

function tooMany({ alerts, label }: Owner['plan']): AccountError {
  return new AccountError(
    'PLAN_RESTRICTION',
    `The ${label} plan allows ${alerts} ${alerts === 1 ? 'alert' : 'alerts'}, and you have as many. Delete one first.`,
    { advice: '`cardprice alert remove ID` deletes one; an operator can raise the limit.' },
  );
}
