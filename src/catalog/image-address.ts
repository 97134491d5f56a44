/** The part that many image addresses share: everything except a number. */
interface Template {
  readonly before: string;
  readonly after: string;
}

/** An image address in memory. `number` belongs into a template, and is 0 without one. */
export interface ImageAddress {
  readonly template: Template | string | null;
  readonly number: number;
}

/** The last part of a path that begins with a number: `…/product/42346_200w.jpg`. */
const NUMBERED = /^(.+\/)([1-9]\d{0,8})(\D.{0,19})?$/;

/**
 * Stores image addresses compactly. For most sources they differ only in a number, and 100,000 such
 * texts take 9 MB.
 */
export class ImageAddresses {
  readonly #templates = new Map<string, Template>();
  #last: Template = { before: '\0', after: '' };

  /** Returns the compact form of an address. */
  compact(address: string | null): ImageAddress {
    if (address === null) return { template: null, number: 0 };
    const { before, after } = this.#last;
    if (address.startsWith(before) && address.endsWith(after)) {
      const digits = address.slice(before.length, address.length - after.length);
      const number = Number(digits);
      if (number > 0 && number < 1e9 && String(number) === digits) {
        return { template: this.#last, number };
      }
    }
    const [, start, digits, end = ''] = NUMBERED.exec(address) ?? [];
    if (start === undefined || digits === undefined) return { template: address, number: 0 };
    this.#last = this.#templateOf(start, end);
    return { template: this.#last, number: Number(digits) };
  }

  #templateOf(before: string, after: string): Template {
    const key = `${before}\n${after}`;
    const known = this.#templates.get(key) ?? { before, after };
    this.#templates.set(key, known);
    return known;
  }
}

/** Returns the address of an image; null if there is none. */
export function expand({ template, number }: ImageAddress): string | null {
  if (template === null || typeof template === 'string') return template;
  return `${template.before}${number}${template.after}`;
}
