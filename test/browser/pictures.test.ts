/** Pictures of cards, and the drawings of cards without one. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { PICTURE_WIDTHS, type PictureSize } from '../../src/domain/games/game.ts';
import { shareService } from '../support/app.ts';
import { PictureServer } from '../support/picture-server.ts';
import { CARD, shareDashboard } from './support/dashboard.ts';
import { ANY_LOOK, Reader, SHARP_LOOKS } from './support/reader.ts';

const dashboard = shareDashboard({ settings: { CARDPRICE_PICTURES: 'on' } });

/** The pages as `npm run build:web` makes them. */
const BUILT_PAGES = new URL('../../web/dist/', import.meta.url);
/** A card of the fixtures. */
const PICTURED = 'pokemon-bs-alakazam-001';
const PICTURES = '**/dashboard/pictures/**';

for (const look of SHARP_LOOKS) {
  const { pixelRatio = 1 } = look;

  describe(look.name, () => {
    it('the picture of a card has enough pixels, and moves nothing when it is loaded', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      const release = await playPictures(page);
      await page.goto(`/cards/${CARD.id}`);
      const box = page.locator('.card-picture.large');
      await box.getByRole('img', { name: CARD.name }).waitFor();
      await box.locator('.drawn-card').waitFor();
      await page.locator('.plot svg').waitFor();
      await assertStill(page, async () => {
        release();
        await box.locator('.drawn-card').waitFor({ state: 'detached' });
      });
      await assertSharp(box, pixelRatio);
      assert.equal(
        await box.locator('img').getAttribute('alt'),
        `${CARD.name}, The First Chapter 207/204`,
      );
      await reader.checkPage();
    });

    it('rows have small pictures, which screen readers skip', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      const asked = await playRows(reader);
      await page.goto('/search?game=lorcana');
      await reader.type(page.getByRole('combobox', { name: 'Card name' }), 'elsa');
      await page.waitForURL(/q=elsa/);
      await page.locator('.found[aria-busy=false]').waitFor();
      const rows = page.locator('.card-list .card-picture.thumb');
      const box = rows.first();
      await box.locator('img').waitFor();
      await assertSharp(box, pixelRatio);
      assert.equal(await box.getByRole('img').count(), 0);
      assert.equal(
        await rows.locator('img').count(),
        await rows.count(),
        'all are loaded once they are seen',
      );
      assert.ok(asked.length > 0 && asked.every((size) => size === 'thumb'), asked.join());
      await reader.checkPage();
    });

    it('a card whose picture fails to load is drawn', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      const release = await playPictures(page, { status: 404 });
      await page.goto(`/cards/${CARD.id}`);
      const box = page.locator('.card-picture.large');
      await page.locator('.plot svg').waitFor();
      await assertStill(page, async () => {
        release();
        await box.locator('img').waitFor({ state: 'detached' });
      });
      await box.getByRole('img', { name: `${CARD.name}, The First Chapter 207/204` }).waitFor();
      await assertInside(box);
      await reader.checkPage();
    });

    it('a card without a picture is drawn, and no picture is requested', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      const picturesOf = (id: string) => asked.filter((url) => url.includes(`/pictures/${id}`));
      await page.goto('/search?q=obelisk+the+tormentor');
      await page.locator('.card-picture.thumb .spine').first().waitFor();
      await reader.checkPage();
      assert.deepEqual(picturesOf(''), []);
      await page.locator('.card-list').getByRole('link').first().click();
      await page.waitForURL('**/cards/**');
      const box = page.locator('.card-picture.large');
      await box.locator('.drawn-card.full').waitFor();
      await assertInside(box);
      await reader.checkPage();
      // The cards next to it in its set may have pictures.
      assert.deepEqual(picturesOf(page.url().split('/cards/')[1] ?? assert.fail()), []);
    });
  });
}

describe('The picture of a card', () => {
  const shared = shareService('SQLite');

  it('is fetched from the host of its source, in the size that is shown', async () => {
    const host = await PictureServer.start(await pictureOf('large'));
    const { service, origin } = await serveFrom(host);
    const reader = await Reader.at(dashboard().browser, origin, { ...ANY_LOOK, pixelRatio: 2 });
    const { page } = reader;
    await page.goto(`/cards/${PICTURED}`);
    const image = page.locator('.card-picture.large img');
    await page.locator('.card-picture.large .drawn-card').waitFor({ state: 'detached' });
    const width = await image.evaluate((element: HTMLImageElement) => {
      return createImageBitmap(element).then((bitmap) => bitmap.width);
    });
    assert.equal(width, PICTURE_WIDTHS.large);
    await page.goto('/search?q=alakazam');
    await page
      .locator('.card-picture.thumb img')
      .first()
      .evaluate((element: HTMLImageElement) => element.decode());
    assert.deepEqual(host.paths, ['/alakazam-large', '/alakazam-thumb']);
    await reader.leave();
    await service.close();
  });

  /** Serves the pages with a card whose picture is at a host. */
  async function serveFrom(host: PictureServer) {
    const { store } = shared.service;
    const image = `${host.url}/alakazam-large`;
    await store.db.updateTable('cards').set({ image }).where('name', '=', 'Alakazam').execute();
    const dashboard = { pictures: host.reader(), pages: BUILT_PAGES, isPublic: true };
    const service = await shared.service.another(shared.location, { dashboard });
    return { service, origin: await service.app.listen({ host: '127.0.0.1', port: 0 }) };
  }
});

/**
 * Answers with pictures of the requested size, or with another status, once the function that it
 * returns is called.
 */
async function playPictures(page: Page, { status = 200 } = {}): Promise<() => void> {
  const { promise: released, resolve } = Promise.withResolvers<void>();
  await page.route(PICTURES, async (route) => {
    await released;
    const body = status === 200 ? await pictureOf(sizeOf(route.request().url())) : '';
    await route.fulfill({ status, contentType: 'image/png', body });
  });
  return resolve;
}

/** Gives all rows pictures. Returns the sizes that are requested. */
async function playRows({ page }: Reader): Promise<(string | null)[]> {
  const asked: (string | null)[] = [];
  await page.route(PICTURES, async (route) => {
    const url = route.request().url();
    asked.push(new URL(url).searchParams.get('size'));
    await route.fulfill({ contentType: 'image/png', body: await pictureOf(sizeOf(url)) });
  });
  await page.route('**/dashboard/v1/search?*', async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    const image = 'https://cards.example/1.png';
    const data = body.data.map((card: object) => ({ ...card, image }));
    await route.fulfill({ response, json: { ...body, data } });
  });
  return asked;
}

function sizeOf(url: string): PictureSize {
  const size = new URL(url).searchParams.get('size');
  return Object.keys(PICTURE_WIDTHS).find((each) => each === size) as PictureSize;
}

function pictureOf(size: PictureSize): Promise<Buffer> {
  const width = PICTURE_WIDTHS[size];
  const create = {
    width,
    height: Math.round(width * 1.4),
    channels: 3,
    background: '#357',
  } as const;
  return sharp({ create }).png().toBuffer();
}

/** Fails unless the picture in a box has a pixel for each pixel of the screen. */
async function assertSharp(box: Locator, pixelRatio: number): Promise<void> {
  const image = box.locator('img');
  const shown = await image.evaluate((element: HTMLImageElement) => ({
    url: element.currentSrc,
    width: element.getBoundingClientRect().width,
  }));
  const pixels = PICTURE_WIDTHS[sizeOf(shown.url)];
  assert.ok(pixels >= shown.width * pixelRatio, `${pixels} pixels for ${shown.width} px`);
}

/** Fails if a part of a drawn card overflows it, or the motif has no room. */
async function assertInside(box: Locator): Promise<void> {
  const outer = await box.boundingBox();
  assert.ok(outer && Math.abs(outer.height / outer.width - 1.4) < 0.01);
  for (const part of await box.locator('.drawn-card > *').all()) {
    const inner = await part.boundingBox();
    assert.ok(inner && inner.x >= outer.x && inner.y >= outer.y);
    assert.ok(inner.x + inner.width <= outer.x + outer.width);
    assert.ok(inner.y + inner.height <= outer.y + outer.height);
  }
  const art = await box.locator('.drawn-art').boundingBox();
  assert.ok(art && art.height > outer.height / 3);
}

/** Fails if anything on the page moves while something happens. */
async function assertStill(page: Page, happen: () => Promise<void>): Promise<void> {
  const from = await page.evaluate(() => performance.now());
  await happen();
  const moved = await page.evaluate(
    (start) =>
      new Promise<number>((resolve) => {
        const found: PerformanceEntry[] = [];
        const observer = new PerformanceObserver((list) => found.push(...list.getEntries()));
        observer.observe({ type: 'layout-shift', buffered: true });
        const count = () => found.filter(({ startTime }) => startTime >= start).length;
        setTimeout(() => resolve(count()), 100);
      }),
    from,
  );
  assert.equal(moved, 0);
}
