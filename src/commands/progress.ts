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
    format: `{bar} {percentage}% | {value}/{total} ${unit} | {eta_formatted} left | {name}`,
    hideCursor: true,
    clearOnComplete: true,
  });
  return {
    update(done, total, name = '') {
      if (!bar.isActive) bar.start(total, 0, { name: '' });
      bar.update(done, { name: escapeControls(name).slice(0, 40) });
    },
    end: () => bar.stop(),
  };
}

const PLAIN_LINE_MS = 2000;

/** Whether a line of a log only shows progress, so the next one replaces it. */
export function isProgressLine(line: string): boolean {
  return /^\d+ of \d+ .+, about .+ left$/.test(line);
}

function plainProgress(unit: string): Progress {
  const started = performance.now();
  let last = started;
  return {
    update(done, total) {
      const now = performance.now();
      if (now - last < PLAIN_LINE_MS) return;
      last = now;
      const left = ((now - started) / done) * (total - done);
      printErrorLine(`${done} of ${total} ${unit}, about ${formatSeconds(left / 1000)} left`);
    },
    end() {},
  };
}

function formatSeconds(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
