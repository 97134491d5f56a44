import pLimit from 'p-limit';
import { PICTURE_WIDTHS, type PictureSize } from '../domain/games/game.ts';
import { type Picture, pictureOf } from './picture-types.ts';

/** The bytes from which on a picture is made smaller. Most hosts' own sizes have fewer. */
const HEAVY_BYTES: Readonly<Record<PictureSize, number>> = {
  thumb: 16 * 1024,
  small: 64 * 1024,
  large: 256 * 1024,
};

/**
 * The most pixels of a picture that is made smaller: a few bytes can claim to be thousands of
 * megapixels.
 */
const MAX_PIXELS = 12_000_000;
const TIMEOUT_SECONDS = 5;
const QUALITY = 80;

/** One at a time, so pictures never take all threads that reads of the database need. */
const limit = pLimit(1);

/**
 * Makes a heavy picture as wide as its size is and turns it into WebP; returns any other as it is,
 * and so it does without the optional package `sharp`.
 *
 * @throws Error for a picture that cannot be decoded.
 */
export async function shrink(picture: Picture, size: PictureSize): Promise<Picture> {
  if (picture.bytes.length <= HEAVY_BYTES[size]) return picture;
  const sharp = await loadSharp();
  if (!sharp) return picture;
  const bytes = await limit(() =>
    sharp(picture.bytes, { limitInputPixels: MAX_PIXELS })
      .resize({ width: PICTURE_WIDTHS[size], withoutEnlargement: true })
      .webp({ quality: QUALITY })
      .timeout({ seconds: TIMEOUT_SECONDS })
      .toBuffer(),
  );
  return bytes.length < picture.bytes.length ? pictureOf(bytes) : picture;
}

let loaded: ReturnType<typeof importSharp> | undefined;

/** Loads the package once, when it is first needed: it takes tens of megabytes. */
function loadSharp(): ReturnType<typeof importSharp> {
  loaded ??= importSharp();
  return loaded;
}

async function importSharp() {
  try {
    const { default: sharp } = await import('sharp');
    // Only decoders of the types that are passed on, whose bytes were recognised before.
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({ operation: DECODERS.map((name) => `VipsForeignLoad${name}`) });
    sharp.concurrency(1);
    sharp.cache(false);
    return sharp;
  } catch {
    return undefined;
  }
}

const DECODERS = ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif'];
