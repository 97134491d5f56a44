/** Colors of pages: text stays readable with any color that an operator chooses. */

/** A color as `#rrggbb`, in lower case. */
export type Color = `#${string}`;

/** The backgrounds of text in the accent color, as in `web/src/ui/style.css`. */
export const GROUNDS = {
  light: ['#f6f7f9', '#ffffff'],
  dark: ['#0e1014', '#171a21'],
} as const satisfies Record<string, readonly Color[]>;

export type Scheme = keyof typeof GROUNDS;

/** The least contrast of text with its background (WCAG 2.2, AA). */
export const LEAST_CONTRAST = 4.5;

const BLACK: Color = '#000000';
const WHITE: Color = '#ffffff';

/** The number of steps for mixing a color with black or white until it is readable. */
const STEPS = 64;

/** The color of links and buttons, and the color of text on it. */
export interface Accent {
  readonly accent: Color;
  readonly onAccent: Color;
}

/** Parses `#rrggbb`; undefined for anything else. */
export function parseColor(text: string): Color | undefined {
  return /^#[\da-f]{6}$/i.test(text) ? (text.toLowerCase() as Color) : undefined;
}

/**
 * Returns the accent of a color scheme: the color itself if it is readable on the backgrounds of
 * the scheme, otherwise the nearest darker or lighter color that is. Both contrasts are at least
 * {@link LEAST_CONTRAST}.
 */
export function accentOf(color: Color, scheme: Scheme): Accent {
  const toward = scheme === 'light' ? BLACK : WHITE;
  const shades = Array.from({ length: STEPS + 1 }, (_, step) => mix(color, toward, step / STEPS));
  const isReadable = (shade: Color) => {
    return GROUNDS[scheme].every((ground) => contrast(shade, ground) >= LEAST_CONTRAST);
  };
  const accent = shades.find(isReadable) ?? toward;
  const onAccent = contrast(WHITE, accent) >= contrast(BLACK, accent) ? WHITE : BLACK;
  return { accent, onAccent };
}

/** The contrast of two colors, from 1 to 21 (WCAG 2.2). */
export function contrast(one: Color, other: Color): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(color: Color): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function mix(from: Color, to: Color, share: number): Color {
  const ends = channels(to);
  const mixed = channels(from).map((value, index) => {
    return Math.round(value + ((ends[index] ?? 0) - value) * share);
  });
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

function channels(color: Color): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
}
