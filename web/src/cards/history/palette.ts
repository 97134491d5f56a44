/** Colors of CSS variables as a canvas takes them, for the color scheme of one moment. */
export class Palette {
  readonly #host: HTMLElement;
  readonly #colors = new Map<string, string>();

  constructor(host: HTMLElement) {
    this.#host = host;
  }

  /** Returns the color of a variable such as `--accent`. */
  color(variable: string): string {
    const known = this.#colors.get(variable);
    if (known !== undefined) return known;
    this.#host.style.color = `var(${variable})`;
    const { color } = getComputedStyle(this.#host);
    this.#host.style.color = '';
    this.#colors.set(variable, color);
    return color;
  }

  /** Forgets the colors: the color scheme has changed. */
  clear(): void {
    this.#colors.clear();
  }
}
