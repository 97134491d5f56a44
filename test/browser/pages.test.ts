/** Every page in the windows and color schemes that readers have. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PAGES } from '../../src/dashboard/pages.ts';
import { shareDashboard } from './support/dashboard.ts';
import { busyOperator, pathsFor } from './support/page-paths.ts';
import { ANY_LOOK, type Reader } from './support/reader.ts';

const dashboard = shareDashboard({
  isHostile: true,
  isConcurrent: true,
  settings: {
    CARDPRICE_PUBLIC: 'on',
    CARDPRICE_SYNC: 'tcgcsv,justtcg',
    CARDPRICE_SYNC_FROM: 'tcgcsv=/nowhere/tcgcsv',
  },
});

const WIDTHS = [360, 390, 768, 1280];

/** Two minutes are too few for all pages on a slow machine; each wait in it has its own limit. */
const TIMEOUT_MS = 300_000;

/** The pages that are different for readers who are not signed in. */
const VISITOR_PATHS = [PAGES.home, PAGES.signIn, PAGES.signUp, PAGES.plans];

/** Opens each page, and lists its faults at each width. */
async function faultsOf(reader: Reader, paths: readonly string[]): Promise<readonly string[]> {
  const { page } = reader;
  const faults: string[] = [];
  for (const path of paths) {
    await page.goto(path);
    await page.waitForLoadState('networkidle');
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      for (const fault of await reader.faults()) faults.push(`${path} at ${width} px: ${fault}`);
    }
  }
  return faults;
}

describe('Every page has no accessibility fault and does not scroll sideways', {
  concurrency: true,
}, () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    it(`at ${WIDTHS.join(', ')} px, ${colorScheme}`, { timeout: TIMEOUT_MS }, async () => {
      const look = { ...ANY_LOOK, colorScheme };
      const operator = await busyOperator(dashboard(), look);
      const visitor = await dashboard().visitor(look);
      const faults = [
        ...(await faultsOf(operator, pathsFor(operator.email))),
        ...(await faultsOf(visitor, VISITOR_PATHS)),
      ];
      assert.deepEqual(faults, []);
      await operator.leave();
      await visitor.leave();
    });
  }
});
