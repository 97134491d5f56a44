import { escapeControls } from '../lib/control-characters.ts';

/** How many lines are kept, the last ones, and how many characters of each. */
const MAX_LINES = 40;
const MAX_CHARACTERS = 300;

/** The last lines of what a process prints, bounded and without control characters. */
export class LineLog {
  readonly #isProgress: (line: string) => boolean;
  readonly #lines: string[] = [];
  readonly #unfinished = new Map<string, string>();

  /** A line that `isProgress` is replaced by the next one of that kind. */
  constructor(isProgress: (line: string) => boolean) {
    this.#isProgress = isProgress;
  }

  /** The lines so far, the oldest first. */
  get lines(): readonly string[] {
    return this.#lines;
  }

  /** Takes what came next of one of the streams; its last line may go on. */
  write(stream: string, text: string): void {
    const [last = '', ...before] = `${this.#unfinished.get(stream) ?? ''}${text}`
      .split('\n')
      .toReversed();
    this.#unfinished.set(stream, last.slice(0, MAX_CHARACTERS));
    for (const line of before.toReversed()) this.add(line);
  }

  /** Ends the lines that go on. */
  end(): void {
    for (const line of this.#unfinished.values()) this.add(line);
    this.#unfinished.clear();
  }

  /** Adds a line; nothing where it is empty. */
  add(line: string): void {
    const shown = escapeControls(line.trimEnd().slice(0, MAX_CHARACTERS));
    if (shown === '') return;
    const last = this.#lines.at(-1);
    if (last !== undefined && this.#isProgress(last)) this.#lines.pop();
    this.#lines.push(shown);
    if (this.#lines.length > MAX_LINES) this.#lines.shift();
  }
}
