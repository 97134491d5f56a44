/**
 * `npm run dev`: the service on http://127.0.0.1:8080 with `cardprice.db`, which restarts when a
 * file in `src/` changes, and the pages on http://127.0.0.1:5173, which show changes at once.
 * Ctrl-C or a signal stops both.
 */
import { spawn } from 'node:child_process';

const PROGRAMS = [
  ['node', '--watch', '--watch-preserve-output', 'src/main.ts', 'start'],
  ['vite', 'web'],
] as const;

const children = PROGRAMS.map(([program, ...args]) => spawn(program, args, { stdio: 'inherit' }));
for (const child of children) {
  // When one ends, the other ends too.
  child.once('exit', (code) => {
    process.exitCode ??= code ?? 0;
    stop();
  });
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);

function stop(): void {
  for (const child of children) child.kill();
}
