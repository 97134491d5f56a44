import pLimit from 'p-limit';
import { PICTURE_WIDTHS, type PictureSize } from '../domain/games/game.ts';
import { type Picture, pictureOf } from './picture-types.ts';

/** Pictures of at least this many bytes are shrunk. Most hosts' own sizes are smaller. */
const HEAVY_BYTES: Readonly<Record<PictureSize, number>> = {
  thumb: 16 * 1024,
  small: 64 * 1024,
  large: 256 * 1024,
};

/** The most pixels of a picture to shrink: a few bytes can claim to be thousands of megapixels. */
const MAX_PIXELS = 12_000_000;
const TIMEOUT_SECONDS = 5;
const QUALITY = 80;

/** One at a time, so pictures never occupy all the threads that database reads need. */
const limit = pLimit(1);

/**
 * Shrinks a heavy picture to the width of its size and converts it to WebP. Returns any other
 * picture unchanged, and does so for all without the optional package `sharp`.
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

/** Loads the package at its first use, because it takes tens of megabytes. */
function loadSharp(): ReturnType<typeof importSharp> {
  loaded ??= importSharp();
  return loaded;
}

async function importSharp() {
  try {
    const { default: sharp } = await import('sharp');
    // Only decoders of the accepted types, which the first bytes have already confirmed.
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
