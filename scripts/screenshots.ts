/**
 * Takes the screenshots in docs/screenshots with the starter catalogue: `npm run screenshots`.
 * It needs Chromium, as `npm run test:browser` does.
 */
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { CARD, Dashboard } from '../test/browser/support/dashboard.ts';
import type { Look } from '../test/browser/support/reader.ts';

const FOLDER = fileURLToPath(new URL('../docs/screenshots/', import.meta.url));

const DESK: Look = { name: 'desk', width: 1280, height: 860, colorScheme: 'light' };
const NIGHT: Look = { ...DESK, name: 'desk-dark', colorScheme: 'dark' };
const PHONE: Look = { name: 'phone', width: 360, height: 740, colorScheme: 'light' };

/** The pages with their addresses and window sizes. */
const SCREENSHOTS: readonly (readonly [name: string, address: string, look: Look])[] = [
  ['home', '/', DESK],
  ['home', '/', PHONE],
  ['search', '/search?q=charizard+ex+psa+10', DESK],
  ['card', `/cards/${CARD.id}`, DESK],
  ['card', `/cards/${CARD.id}`, NIGHT],
  ['card', `/cards/${CARD.id}`, PHONE],
  ['set', '/sets/lorcana/lorcana-the-first-chapter', DESK],
  ['sets', '/sets/lorcana', PHONE],
  ['movers', '/movers', NIGHT],
  ['keys', '/keys', DESK],
  ['usage', '/usage', NIGHT],
  ['account', '/account', PHONE],
  ['plans', '/plans', DESK],
  ['operator', '/operator', DESK],
  ['health', '/operator/health', DESK],
  ['sources', '/operator/sources', DESK],
  ['quarantine', '/operator/quarantine', PHONE],
  ['audit', '/operator/audit', DESK],
];

const dashboard = await Dashboard.open({});
try {
  await mkdir(FOLDER, { recursive: true });
  const email = await createUsedAccount();
  for (const [name, address, look] of SCREENSHOTS) await takeScreenshot(name, address, look, email);
} finally {
  await dashboard.close();
}

/** Creates an account with API keys and some usage. */
async function createUsedAccount(): Promise<string> {
  const { email } = await dashboard.member('business');
  const { key } = await dashboard.keys.create(email, { name: 'shop server' });
  await dashboard.keys.create(email, {
    name: 'price tags',
    expires: '2030-12-31',
    scopes: ['read'],
    dailyRequests: 500,
    addresses: ['203.0.113.0/24'],
    inQuery: false,
  });
  const paths = [
    '/v1/search?q=elsa',
    `/v1/cards/${CARD.id}`,
    '/v1/sets?game=lorcana',
    '/v1/nothing',
  ];
  for (let i = 0; i < 40; i++) {
    const path = paths[((i * i) % 7) % paths.length] ?? '/v1/games';
    await (await fetch(dashboard.url + path, { headers: { 'x-api-key': key } })).arrayBuffer();
  }
  await dashboard.accounts.setOperator(email, true);
  return email;
}

async function takeScreenshot(
  name: string,
  address: string,
  look: Look,
  email: string,
): Promise<void> {
  const reader = await dashboard.visitor(look);
  await reader.context.addCookies([await dashboard.cookieOf(email)]);
  const { page } = reader;
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: `${FOLDER}${name}-${look.name}.png` });
  await reader.leave();
}
