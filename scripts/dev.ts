/**
 * `npm run dev`: the service on http://127.0.0.1:8080, which restarts when a file of `src/` changes,
 * and the pages on http://127.0.0.1:5173, which show a change at once. Ctrl-C stops both.
 */
import { spawn } from 'node:child_process';

const PROGRAMS = [
  ['node', '--watch', '--watch-preserve-output', 'src/main.ts', 'start'],
  ['vite', 'web'],
] as const;

const children = PROGRAMS.map(([program, ...args]) => spawn(program, args, { stdio: 'inherit' }));
for (const child of children) {
  // One without the other is of no use.
  child.once('exit', (code) => {
    process.exitCode ??= code ?? 1;
    for (const other of children) other.kill();
  });
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => {});
