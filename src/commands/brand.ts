import { readFile, stat } from 'node:fs/promises';
import type { Config } from '../config/config.ts';
import { type Brand, type Logo, logoOf, MAX_LOGO_BYTES } from '../dashboard/brand.ts';
import { OperatorError } from '../domain/errors.ts';

/**
 * How the settings present the service.
 *
 * @throws OperatorError naming the file of the logo when it cannot be shown.
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
  if (!logo) throw refused(path, 'it is no SVG, PNG, JPEG, WebP, AVIF or GIF picture');
  return logo;
}

function refused(path: string, reason: string, cause?: unknown): OperatorError {
  return new OperatorError(`The logo ${path} cannot be shown: ${reason}. CARDPRICE_LOGO sets it.`, {
    cause,
  });
}
