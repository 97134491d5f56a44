import { readFile, stat } from 'node:fs/promises';
import type { Config } from '../config/config.ts';
import { type Brand, type Logo, logoOf, MAX_LOGO_BYTES } from '../dashboard/brand.ts';
import { OperatorError } from '../domain/errors.ts';

/**
 * Reads the name, the tagline, the color and the logo of the service from the settings.
 *
 * @throws OperatorError that names the file of the logo if it cannot be used.
 */
export async function readBrand({ name, tagline, color, logo }: Config): Promise<Brand> {
  return {
    name,
    tagline,
    color: color === 'default' ? null : color,
    logo: logo === '' ? null : await readLogo(logo),
  };
}

async function readLogo(path: string): Promise<Logo> {
  const size = await stat(path).then(
    (file) => file.size,
    (error) => {
      throw refused(path, `it cannot be read (${error.code})`, error);
    },
  );
  if (size > MAX_LOGO_BYTES) throw refused(path, `it has more than ${MAX_LOGO_BYTES} bytes`);
  const logo = logoOf(await readFile(path));
  if (!logo) throw refused(path, 'it is not an SVG, PNG, JPEG, WebP, AVIF or GIF picture');
  return logo;
}

function refused(path: string, reason: string, cause?: unknown): OperatorError {
  return new OperatorError(`The logo ${path} cannot be shown: ${reason}. CARDPRICE_LOGO sets it.`, {
    cause,
  });
}
