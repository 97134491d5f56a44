import { SingleBar } from 'cli-progress';
import { escapeControls } from '../lib/control-characters.ts';
import { printErrorLine } from './output.ts';

/** Shows the progress of a long command. */
interface Progress {
  /** `name` is the item that was done last. */
  update(done: number, total: number, name?: string): void;
  end(): void;
}

/** The callback of `work` that shows its progress; none if the output is for programs. */
export interface Watch {
  readonly onProgress?: Progress['update'];
}

/** Runs `work` and shows its progress, unless `isSilent` is set. `unit` is as below. */
export async function withProgress<Result>(
  unit: string,
  isSilent: boolean,
  work: (watch: Watch) => Promise<Result>,
): Promise<Result> {
  if (isSilent) return work({});
  const progress = showProgress(unit);
  try {
    return await work({ onProgress: progress.update });
  } finally {
    progress.end();
  }
}

/**
 * Shows a bar with the remaining time on a terminal, and an occasional line elsewhere, for logs.
 * Both go to the standard error output. `unit` names the items, for example `sets`.
 */
export function showProgress(unit: string): Progress {
  return process.stderr.isTTY ? barProgress(unit) : plainProgress(unit);
}

function barProgress(unit: string): Progress {
  const bar = new SingleBar({
    format: `{bar} {percentage}% | {value}/{total} ${unit}{left} | {name}`,
    hideCursor: true,
    clearOnComplete: true,
  });
  const estimate = new Estimate();
  return {
    update(done, total, name = '') {
      if (!bar.isActive) bar.start(total, 0, { name: '', left: '' });
      const left = estimate.left(done, total);
      bar.update(done, { name: escapeControls(name).slice(0, 40), left });
    },
    end: () => bar.stop(),
  };
}

const PLAIN_LINE_MS = 2000;

/** Whether a line of a log only shows progress, so the next one replaces it. */
export function isProgressLine(line: string): boolean {
  return /^\d+ of \d+ \w+(?:, about .+ left)?$/.test(line);
}

function plainProgress(unit: string): Progress {
  const estimate = new Estimate();
  let last = performance.now();
  return {
    update(done, total) {
      const left = estimate.left(done, total);
      const now = performance.now();
      if (now - last < PLAIN_LINE_MS) return;
      last = now;
      printErrorLine(`${done} of ${total} ${unit}${left}`);
    },
    end() {},
  };
}

/** The minimum for an estimate: this many milliseconds, and this share of the work. */
const LEAST_MS = 3000;
const LEAST_SHARE = 0.01;

/** Estimates the remaining time of a command from the speed since its first item. */
class Estimate {
  #first: { readonly at: number; readonly done: number } | undefined;

  /** Returns `, about 5 min left`, or an empty text while it is too early for an estimate. */
  left(done: number, total: number): string {
    const now = performance.now();
    // The time before the first item goes into reading and preparing, which happens once.
    this.#first ??= { at: now, done };
    const ms = now - this.#first.at;
    const since = done - this.#first.done;
    if (ms < LEAST_MS || since < total * LEAST_SHARE) return '';
    return `, about ${formatSeconds(((ms / since) * (total - done)) / 1000)} left`;
  }
}

function formatSeconds(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
