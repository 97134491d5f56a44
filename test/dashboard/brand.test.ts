import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readBrand } from '../../src/commands/serve-dashboard.ts';
import { readConfig } from '../../src/config/config.ts';
import { MAX_LOGO_BYTES } from '../../src/dashboard/brand.ts';
import { OperatorError } from '../../src/domain/errors.ts';
import { bodyOf, errorOf } from '../http/expect.ts';
import { shareService } from '../support/app.ts';
import { temporaryFolder } from '../support/cli.ts';

const SVG = '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"></svg>';

describe('The brand of an operator', () => {
  const shared = shareService('SQLite', {
    dashboard: {
      brand: {
        name: 'Castle Cards',
        tagline: 'Our prices.',
        color: '#ffcc00',
        logo: { type: 'image/svg+xml', bytes: Buffer.from(SVG) },
      },
    },
  });

  it('is passed to the pages', async () => {
    const { data } = bodyOf<{ data: { brand: unknown } }>(
      await shared.service.get('/dashboard/session'),
    );
    const brand = { name: 'Castle Cards', tagline: 'Our prices.', hasLogo: true };
    assert.deepEqual(data.brand, brand);
  });

  it('colors them with its own style, readable in light and dark', async () => {
    const style = await shared.service.get('/brand.css');
    assert.equal(style.headers['content-type'], 'text/css; charset=utf-8');
    assert.match(style.body, /--accent: light-dark\(#[\da-f]{6}, #ffcc00\);/);
    const again = await shared.service.get('/brand.css', {
      'if-none-match': String(style.headers.etag),
    });
    assert.equal(again.statusCode, 304);
  });

  it('is what a home screen shows', async () => {
    const answer = await shared.service.get('/site.webmanifest');
    assert.equal(answer.headers['content-type'], 'application/manifest+json; charset=utf-8');
    const { name, icons } = answer.json();
    assert.equal(name, 'Castle Cards');
    assert.deepEqual(icons, [{ src: '/logo', sizes: 'any', type: 'image/svg+xml' }]);
  });

  it('has a logo, which runs nothing when it is opened as a page', async () => {
    const logo = await shared.service.get('/logo');
    assert.equal(logo.headers['content-type'], 'image/svg+xml');
    assert.equal(logo.headers['x-content-type-options'], 'nosniff');
    assert.match(String(logo.headers['content-security-policy']), /^default-src 'none'/);
    assert.equal(logo.body, SVG);
  });
});

describe('Without a brand', () => {
  const shared = shareService('SQLite');

  it('there is no logo and no style', async () => {
    for (const path of ['/logo', '/brand.css'])
      errorOf(await shared.service.get(path), 'NOT_FOUND');
  });
});

describe('The settings of a brand', () => {
  const folder = temporaryFolder();
  const read = (settings: Record<string, string>) => readBrand(readConfig({}, settings));
  const withLogo = (bytes: string | Buffer) => {
    const path = join(folder, 'logo');
    writeFileSync(path, bytes);
    return read({ CARDPRICE_LOGO: path });
  };

  it('are those of Cardprice unless the operator sets others', async () => {
    const { name, color, logo } = await read({});
    assert.deepEqual({ name, color, logo }, { name: 'Cardprice', color: null, logo: null });
    assert.equal((await read({ CARDPRICE_COLOR: '#8A1538' })).color, '#8a1538');
  });

  it('take a logo of 128 KB, and none that is larger', async () => {
    const padded = SVG.padEnd(MAX_LOGO_BYTES);
    assert.equal((await withLogo(padded)).logo?.bytes.length, 131_072);
    await assert.rejects(withLogo(`${padded} `), /it has more than 131072 bytes/);
  });

  it('take a logo by what it is, not by its name', async () => {
    assert.equal((await withLogo(SVG)).logo?.type, 'image/svg+xml');
    const png = Buffer.from('89504e470d0a1a0a0000', 'hex');
    assert.equal((await withLogo(png)).logo?.type, 'image/png');
  });

  it('refuse a logo that pages cannot show, and say why', async () => {
    const refusals: [string | Buffer, RegExp][] = [
      ['<html><svg></svg></html>', /it is not an SVG, PNG/],
      ['', /it is not an SVG, PNG/],
      [Buffer.alloc(200_000), /more than 131072 bytes/],
    ];
    for (const [bytes, reason] of refusals) {
      await assert.rejects(withLogo(bytes), (error) => {
        return error instanceof OperatorError && reason.test(error.message);
      });
    }
    await assert.rejects(
      read({ CARDPRICE_LOGO: join(folder, 'none') }),
      /cannot be read \(ENOENT\)/,
    );
  });
});
