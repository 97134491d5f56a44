import type { FastifyInstance } from 'fastify';
import { accentOf, type Color, GROUNDS } from '../domain/colors.ts';
import { BRAND_STYLE, LOGO } from '../http/reference/layout.ts';
import { etagOf, StaticText } from '../http/response-cache.ts';
import { typeOfPicture } from './picture-types.ts';

/** The branding that an operator gives the service. */
export interface Brand {
  readonly name: string;
  /** The description of the service on the home page. */
  readonly tagline: string;
  /** The accent color of the pages; null for the default. */
  readonly color: Color | null;
  /** The picture next to the name; null for none. */
  readonly logo: Logo | null;
}

export interface Logo {
  /** Its media type. */
  readonly type: string;
  readonly bytes: Buffer;
}

/** The maximum bytes of a logo, because every page includes it. */
export const MAX_LOGO_BYTES = 128 * 1024;

/** The path of the manifest, from which phones take the name and icons for home screens. */
const MANIFEST = '/site.webmanifest';

/** The icons of the build, for a service without a logo. */
const ICONS = [192, 512].map((size) => {
  return { src: `/icon-${size}.png`, sizes: `${size}x${size}`, type: 'image/png' };
});

const HIDDEN = { schema: { hide: true } };

/** Recognises the type of a logo by its bytes; null if pages cannot show that type. */
export function logoOf(bytes: Buffer): Logo | null {
  const type = typeOfPicture(bytes) ?? (isSvg(bytes) ? 'image/svg+xml' : undefined);
  return type === undefined ? null : { type, bytes };
}

/**
 * Browsers run no scripts of an SVG in a picture, and the content security policy forbids scripts.
 */
function isSvg(bytes: Buffer): boolean {
  return /^\uFEFF?\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)?<svg[\s>]/s.test(bytes.toString('utf8'));
}

/** Serves the colors and the logo, if set, and the manifest for home screens. */
export function serveBrand(app: FastifyInstance, brand: Brand): void {
  const { color, logo } = brand;
  const manifest = new StaticText('application/manifest+json', JSON.stringify(manifestOf(brand)));
  app.get(MANIFEST, HIDDEN, (request, reply) => manifest.send(request, reply));
  if (color) {
    const style = new StaticText('text/css; charset=utf-8', styleOf(color));
    app.get(BRAND_STYLE, HIDDEN, (request, reply) => style.send(request, reply));
  }
  if (!logo) return;
  const { type, bytes } = logo;
  const etag = etagOf(bytes.toString('base64'));
  app.get(LOGO, HIDDEN, (request, reply) => {
    reply.headers({ 'cache-control': 'public, max-age=86400', etag });
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    return reply.type(type).send(bytes);
  });
}

/** The style that colors the pages, in the light and dark schemes. */
function styleOf(color: Color): string {
  const light = accentOf(color, 'light');
  const dark = accentOf(color, 'dark');
  const accent = `light-dark(${light.accent}, ${dark.accent})`;
  return `:root:root {
  --accent: ${accent};
  --on-accent: light-dark(${light.onAccent}, ${dark.onAccent});
  --band: light-dark(${light.accent}26, ${dark.accent}33);
  --series-0: ${accent};
}
`;
}

/** The manifest for home screens (W3C Web Application Manifest). */
function manifestOf({ name, tagline, logo }: Brand) {
  const [ground] = GROUNDS.light;
  return {
    id: '/',
    name,
    short_name: name,
    description: tagline,
    start_url: '/',
    scope: '/',
    display: 'standalone',
    lang: 'en',
    background_color: ground,
    theme_color: ground,
    icons: logo ? [{ src: LOGO, sizes: 'any', type: logo.type }] : ICONS,
  };
}
