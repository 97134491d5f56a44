import { styleText } from 'node:util';
import pino, { type Logger } from 'pino';
import { escapeControls } from '../lib/control-characters.ts';

/** Lines wait at most this long before they are written. */
const FLUSH_MS = 200;
/** Characters that wait while the log cannot be written. Further lines are dropped. */
const MOST_WAITING = 1_000_000;

/** The destination of log lines: a terminal for people, or a file or pipe for programs. */
export interface LogOutput {
  readonly isTerminal: boolean;
  /** Whether the terminal shows colours and its user allows them (`NO_COLOR`). */
  readonly hasColours?: boolean;
  write(text: string): void;
}

const STANDARD_OUTPUT: LogOutput = {
  isTerminal: process.stdout.isTTY === true,
  hasColours: process.stdout.isTTY === true && process.stdout.hasColors(),
  write: (text) => process.stdout.write(text),
};

/**
 * Creates the log on standard output: a JSON object per line, or short text lines on a terminal.
 */
export function createLogger(level: string, output: LogOutput = STANDARD_OUTPUT): Logger {
  if (!output.isTerminal) return pino({ level, base: { pid: process.pid } }, bufferedOutput());
  const { hasColours = false } = output;
  const write = (line: string) => output.write(`${formatLogLine(line, hasColours)}\n`);
  return pino({ level, base: {} }, { write });
}

/**
 * Writes several lines at once: one write per line would cost a tenth of the requests per second. A
 * full disk does not stop the service. `flushSync` would retry until there is space.
 */
function bufferedOutput() {
  const output = pino.destination({
    dest: 1,
    minLength: 4096,
    maxLength: MOST_WAITING,
    periodicFlush: FLUSH_MS,
    sync: true,
  });
  output.once('error', ({ message }) => {
    process.stderr.write(`cardprice: The log cannot be written: ${escapeControls(message)}.\n`);
    output.on('error', () => {});
  });
  process.on('exit', () => output.flush());
  return output;
}

/** The colors of levels; normal lines have none. */
const COLOURS: Readonly<Record<string, 'gray' | 'yellow' | 'red' | 'magenta'>> = {
  trace: 'gray',
  debug: 'gray',
  warn: 'yellow',
  error: 'red',
  fatal: 'magenta',
};

/**
 * Formats a JSON log line as text: `20:05:12 WARN  message name=value …`, in local time. An error
 * is shown by its message. Values with spaces or control characters are quoted, to stay on one
 * line.
 */
export function formatLogLine(line: string, hasColours = false): string {
  const { level, time, msg, err, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const clock = new Date(Number(time)).toTimeString().slice(0, 8);
  const name = pino.levels.labels[Number(level)] ?? '';
  const colour = hasColours ? COLOURS[name] : undefined;
  const label = name.toUpperCase().padEnd(5);
  const { message: error } = (err ?? {}) as { readonly message?: string };
  const pairs = Object.entries({ ...fields, error }).flatMap(([field, value]) => {
    return value === undefined ? [] : `${field}=${textOf(value)}`;
  });
  const coloured = colour ? styleText(colour, label, { validateStream: false }) : label;
  return `${clock} ${coloured} ${escapeControls([msg, ...pairs].join(' '))}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' && /^[^\s\p{C}"]+$/u.test(value) ? value : JSON.stringify(value);
}
