import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judgeAlerts } from '../../../src/http/alerts.ts';
import { AlertDesk, line, ruleOf } from '../../support/alerts.ts';
import { forEachEngine, type TestStore } from '../../support/engines.ts';
import { Market } from '../../support/market.ts';

const ONE = 'mtg-lea-card-1-1';
const ABOVE = ruleOf('above', { amount: 50 });

forEachEngine((_label, open) => {
  /** A market whose prices are all accepted, on its first day, and a desk that serves it. */
  async function opened(store: TestStore) {
    const market = new Market(store, { limits: null });
    await market.lists('2026-01-01', { '1 Normal': 40, '1 Foil': 60, '2 Normal': 5 });
    const desk = await AlertDesk.open(store);
    await desk.judge();
    return { market, desk };
  }

  describe('A published price', () => {
    it('makes an alert on its printing fire, once', async () => {
      const { market, desk } = await opened(await open());
      await desk.add(ABOVE, { lines: [line(ONE, 'Normal')] });
      await market.lists('2026-01-02', { '1 Normal': 55, '1 Foil': 80, '2 Normal': 60 });
      await desk.judge();
      await desk.judge();
      assert.deepEqual(await desk.fired(), ['1 Normal: 40 to 55']);
      const [event = assert.fail()] = await desk.events();
      const { publication } = desk.catalog;
      assert.deepEqual(event.publication, { revision: publication.revision, id: publication.id });
      assert.equal(event.publishedAt, publication.publishedAt);
    });

    it('makes alerts on a whole set fire for each printing, new ones too', async () => {
      const { market, desk } = await opened(await open());
      await desk.judge();
      const set = desk.catalog.card(ONE)?.set.id ?? null;
      const above = await desk.add(ABOVE, { set });
      const first = await desk.add(ruleOf('first'), { set });
      await market.lists('2026-01-02', {
        '1 Normal': 55,
        '1 Foil': 80,
        '2 Normal': 5,
        '3 Foil': 70,
      });
      await desk.judge();
      assert.deepEqual(await desk.fired(above), ['1 Normal: 40 to 55', '3 Foil: none to 70']);
      assert.deepEqual(await desk.fired(first), ['3 Foil: none to 70']);
    });

    it('is judged by condition and grade where an alert is on these', async () => {
      const { market, desk } = await opened(await open());
      await market.feeds('2026-01-01', { '1 Foil': { market: 60, near_mint: 45, psa_10: 300 } });
      await desk.judge();
      const foil = (copy: 'near_mint' | 'psa_10') => line(ONE, 'Foil', copy);
      await desk.add(ABOVE, { lines: [foil('near_mint')] });
      await desk.add(ruleOf('below', { amount: 250 }), { lines: [foil('psa_10')] });
      await market.feeds('2026-01-02', { '1 Foil': { market: 60, near_mint: 51, psa_10: 240 } });
      await desk.judge();
      assert.deepEqual((await desk.fired()).toSorted(), [
        '1 Foil near_mint: 45 to 51',
        '1 Foil psa_10: 300 to 240',
      ]);
    });

    it('is judged in the order of publications, also if several are served at once', async () => {
      const { market, desk } = await opened(await open());
      await desk.add(ABOVE, { lines: [line(ONE, 'Normal')] });
      for (const [day, price] of [55, 40, 56, 45, 57].entries()) {
        await market.lists(`2026-01-0${day + 2}`, { '1 Normal': price, '1 Foil': 60 });
      }
      await desk.judge();
      assert.deepEqual(await desk.fired(), [
        '1 Normal: 40 to 55',
        '1 Normal: 40 to 56',
        '1 Normal: 45 to 57',
      ]);
    });

    it('is judged by one process, however many serve it', async () => {
      const store = await open();
      const { market, desk } = await opened(store);
      await desk.add(ABOVE, { lines: [line(ONE, 'Normal')] });
      await market.lists('2026-01-02', { '1 Normal': 55 });
      await desk.catalog.refresh();
      const other = await store.reopen();
      const processes = [desk.judging(), { ...desk.judging(), store: other }, desk.judging()];
      await Promise.all(processes.map((one) => judgeAlerts(one)));
      assert.equal((await desk.events()).length, 1);
    });

    it('from before an alert was made, or while it was paused, makes nothing fire', async () => {
      const { market, desk } = await opened(await open());
      await market.lists('2026-01-02', { '1 Normal': 55 });
      const id = await desk.add(ABOVE, { lines: [line(ONE, 'Normal')] });
      await desk.judge();
      await desk.alerts.pause(String(id), desk.accountId);
      await market.lists('2026-01-03', { '1 Normal': 40 });
      await market.lists('2026-01-04', { '1 Normal': 56 });
      await desk.judge();
      const lines = [line(ONE, 'Normal')];
      await desk.alerts.resume(String(id), desk.accountId, lines, desk.catalog.publication);
      await market.lists('2026-01-05', { '1 Normal': 57 });
      await desk.judge();
      assert.deepEqual(await desk.fired(), []);
    });

    it('does not count while the alert has no price of it', async () => {
      const { market, desk } = await opened(await open());
      await desk.add(ABOVE, { lines: [line(ONE, 'Foil')] });
      await market.lists('2026-01-02', { '1 Normal': 40, '1 Foil': { low: 1 } });
      await market.lists('2026-01-03', { '1 Normal': 40, '1 Foil': 61 });
      await desk.judge();
      assert.deepEqual(await desk.fired(), []);
    });
  });

  describe('A price in quarantine', () => {
    it('makes nothing fire, nor does another price before it is decided', async () => {
      const store = await open();
      const market = new Market(store);
      await market.lists('2026-01-01', { '1 Normal': 40, '2 Normal': 5 });
      const desk = await AlertDesk.open(store);
      await desk.judge();
      await desk.add(ABOVE, { lines: [line(ONE, 'Normal')] });
      await market.lists('2026-01-02', { '1 Normal': 4000, '2 Normal': 5 });
      await desk.judge();
      assert.equal((await market.waiting()).length, 1);
      assert.deepEqual(await desk.fired(), []);
    });
  });

  describe('A failover', () => {
    it('to other publications begins again, and later ones are judged', async () => {
      const { market, desk } = await opened(await open());
      await desk.add(ABOVE, { lines: [line(ONE, 'Normal')] });
      const { db } = desk.store.accounts;
      await db
        .updateTable('alert_progress')
        .set({ revision: 900, publication_id: 'lost' })
        .execute();
      await db.updateTable('alerts').set({ since: 900 }).execute();
      await desk.judge();
      await market.lists('2026-01-02', { '1 Normal': 55 });
      await desk.judge();
      assert.deepEqual(await desk.fired(), ['1 Normal: 40 to 55']);
    });
  });
});
