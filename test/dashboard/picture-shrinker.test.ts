import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import sharp, { type Sharp } from 'sharp';
import { shrink } from '../../src/dashboard/picture-shrinker.ts';
import { pictureOf } from '../../src/dashboard/picture-types.ts';
import { PICTURE_WIDTHS, type PictureSize } from '../../src/domain/games/game.ts';

const SIZES = Object.keys(PICTURE_WIDTHS) as PictureSize[];

/** A picture of a card as large as hosts have them: bands of color with a grain. */
function card(): Sharp {
  const [width, height] = [745, 1040];
  const pixels = Buffer.alloc(width * height * 3);
  let grain = 1;
  for (let i = 0; i < pixels.length; i++) {
    grain = (Math.imul(grain, 1_103_515_245) + 12_345) >>> 0;
    pixels[i] = 90 + 60 * Math.sin(i / 7000) + (grain >>> 28);
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

describe('A heavy picture', () => {
  it('is made as wide as its size is, of every type', async () => {
    for (const bytes of [
      await card().png().toBuffer(),
      await card().jpeg({ quality: 100 }).toBuffer(),
      await card().webp({ quality: 100 }).toBuffer(),
      await card().gif({ effort: 1 }).toBuffer(),
    ]) {
      for (const size of SIZES) {
        const made = await shrink(pictureOf(bytes), size);
        assert.equal(made.type, 'image/webp');
        assert.equal((await sharp(made.bytes).metadata()).width, PICTURE_WIDTHS[size]);
        assert.ok(made.bytes.length < bytes.length);
      }
    }
  });

  it('that is narrower already is not made wider', async () => {
    const bytes = await card().resize({ width: 100 }).png().toBuffer();
    assert.equal(
      (await sharp((await shrink(pictureOf(bytes), 'thumb')).bytes).metadata()).width,
      100,
    );
  });

  it('is refused when it cannot be decoded, or claims to be huge', async () => {
    const png = await card().png().toBuffer();
    await assert.rejects(shrink(pictureOf(png.subarray(0, 40_000)), 'thumb'));
    const white = { width: 5000, height: 5000, channels: 3, background: 'white' } as const;
    const bomb = await sharp({ create: white }).png().toBuffer();
    await assert.rejects(shrink(pictureOf(bomb), 'thumb'), /pixel limit/);
  });

  it('is decoded as what it begins with, and never as a document', async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg">${' '.repeat(20_000)}</svg>`;
    const picture = { type: 'image/png', bytes: Buffer.from(svg) } as const;
    await assert.rejects(shrink(picture, 'thumb'), /unsupported/);
  });
});

describe('A light picture', () => {
  it('stays as it is', async () => {
    const picture = pictureOf(await card().resize({ width: 60 }).jpeg().toBuffer());
    for (const size of SIZES) assert.equal(await shrink(picture, size), picture);
  });
});

describe('Without the package sharp', () => {
  it('a heavy picture stays as it is', async () => {
    const script = `
      const { shrink } = await import('./src/dashboard/picture-shrinker.ts');
      const picture = { type: 'image/png', bytes: Buffer.alloc(1_000_000) };
      console.log(await shrink(picture, 'thumb') === picture);`;
    const args = ['--import', './test/support/without-sharp.ts', '--input-type=module', '--eval'];
    const { stdout } = await promisify(execFile)(process.execPath, [...args, script]);
    assert.equal(stdout, 'true\n');
  });
});
