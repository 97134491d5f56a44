/** Pages whose answers arrive late, one after the other. What is painted stays where it is. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { shareDashboard } from './support/dashboard.ts';
import { busyOperator, pathsFor } from './support/page-paths.ts';
import { FLOW_LOOKS, LARGER_PHONE } from './support/reader.ts';
import { MOST_SHIFT, RECORD_SHIFTS } from './support/shifts.ts';

const dashboard = shareDashboard({
  isHostile: true,
  isConcurrent: true,
  settings: { CARDPRICE_SYNC: 'tcgcsv,justtcg', CARDPRICE_SYNC_FROM: 'tcgcsv=/nowhere/tcgcsv' },
});

/** The time between two answers, in which the page is painted. */
const LATER_MS = 60;

/** Delays the answers to the calls of pages. The function that it returns waits for all of them. */
async function delayAnswers(page: Page): Promise<() => Promise<void>> {
  let pending: Promise<unknown>[] = [];
  await page.route('**/dashboard/**', async (route) => {
    const answered = setTimeout(LATER_MS * (pending.length + 1)).then(() => route.continue());
    pending.push(answered);
    await answered;
  });
  return async () => {
    await page.waitForLoadState('networkidle');
    await Promise.all(pending);
    pending = [];
  };
}

describe('The parts of every page stay where they are while it loads', {
  concurrency: true,
}, () => {
  for (const look of [...FLOW_LOOKS, LARGER_PHONE]) {
    it(look.name, async () => {
      const reader = await busyOperator(dashboard(), look);
      const { page, email } = reader;
      const settled = await delayAnswers(page);
      await page.addInitScript(RECORD_SHIFTS);
      const moved: string[] = [];
      for (const path of pathsFor(email)) {
        await page.goto(path);
        await settled();
        const shift = await page.evaluate(() => window.layoutShift);
        if (shift > MOST_SHIFT) moved.push(`${path} moves by ${shift.toFixed(3)}`);
      }
      assert.deepEqual(moved, []);
      await reader.leave();
    });
  }
});
