import { Accounts } from '../../src/accounts/accounts.ts';
import type { NewAlert } from '../../src/accounts/alerts/alerts.ts';
import { Alerts } from '../../src/accounts/alerts/alerts.ts';
import type { AlertEvent } from '../../src/accounts/alerts/event-sql.ts';
import { Catalog } from '../../src/catalog/catalog.ts';
import type { AlertKind, AlertLine, AlertRule } from '../../src/domain/alerts.ts';
import { judgeAlerts } from '../../src/http/alerts.ts';
import { changesReader } from '../../src/store/catalogue/changes.ts';
import type { Store } from '../../src/store/connect.ts';
import { usd } from './replay.ts';

/** A rule with amounts in dollars. */
export function ruleOf(
  kind: AlertKind,
  numbers: { amount?: number; percent?: number; days?: number } = {},
): AlertRule {
  const { amount, percent = null, days = null } = numbers;
  return { kind, amount: amount === undefined ? null : usd(amount), percent, days };
}

/** Creates and judges the alerts of one account, like a serving process. */
export class AlertDesk {
  readonly store: Store;
  readonly catalog: Catalog;
  readonly alerts: Alerts;
  readonly accountId: number;
  now = Date.UTC(2026, 0, 1, 21);

  static async open(store: Store): Promise<AlertDesk> {
    const { id } = await new Accounts(store, () => 0).create('ann@shop.example', 'trader');
    const catalog = new Catalog(store, { aliases: [] });
    return new AlertDesk(store, catalog, id);
  }

  private constructor(store: Store, catalog: Catalog, accountId: number) {
    this.store = store;
    this.catalog = catalog;
    this.accountId = accountId;
    this.alerts = new Alerts(store, () => this.now);
  }

  /** Adds an alert on lines or a set, starting with the served publication. */
  async add(rule: AlertRule, watch: Partial<NewAlert>): Promise<number> {
    await this.catalog.refresh();
    const owner = { accountId: this.accountId, plan: { alerts: 1000, label: 'Trader' } };
    const alert = { rule, set: null, lines: [], name: '', mail: 'off', ...watch } as const;
    return (await this.alerts.create(owner, alert, this.catalog.publication)).id;
  }

  /** Serves the newest publication, and judges up to it. */
  async judge(): Promise<void> {
    await this.catalog.refresh();
    await judgeAlerts(this.judging());
  }

  /** The judge, with the served catalogue. */
  judging() {
    const { store, catalog } = this;
    return { store, catalog, changes: changesReader(store), clock: () => this.now };
  }

  /** Returns the fired events, oldest first, with the price in dollars: of all alerts or of one. */
  async fired(alert?: number): Promise<string[]> {
    const events = await this.events(alert);
    return events.map(({ card, printing, copy, before, after }) => {
      const name = [card.split('-').at(-1), printing, ...(copy ? [copy] : [])].join(' ');
      return `${name}: ${before === null ? 'none' : before / 100} to ${after / 100}`;
    });
  }

  async events(alert?: number): Promise<AlertEvent[]> {
    const of = alert === undefined ? {} : { alert: String(alert) };
    const events = await this.alerts.events(this.accountId, { ...of, limit: 10_000 });
    return events.toSorted((a, b) => {
      return a.publication.revision - b.publication.revision || (a.card < b.card ? -1 : 1);
    });
  }
}

/** A line that starts with the current served price. */
export function line(card: string, printing: string, copy: AlertLine['copy'] = '') {
  return { card, printing, copy, state: null };
}
