/**
 * Runs commands of the program one after the other in this process, each as if in its own process:
 * with its environment and folder, until nothing keeps it alive. Writes a mark after the output of
 * each. An error that would end a process ends this one.
 */
import { pathToFileURL } from 'node:url';
import type { HostedCommand } from './command-host.ts';

/** Listeners that a command may add, and that would end with its own process. */
const EVENTS = ['exit', 'SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const [, , main = '', mark = ''] = process.argv;
let count = 0;
let running: { readonly listeners: ReadonlySet<unknown> } | undefined;

process.on('message', ({ args, env, cwd }: HostedCommand) => {
  count += 1;
  running = { listeners: new Set(EVENTS.flatMap((event) => process.listeners(event as 'exit'))) };
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.argv = [process.execPath, main, ...args];
  process.exitCode = undefined;
  process.channel?.unref();
  // The query makes it a different module, which runs again. Its imports are loaded only once.
  import(`${pathToFileURL(main)}?run=${count}`);
});

process.on('beforeExit', (code) => {
  if (!running) return;
  for (const event of EVENTS) {
    for (const listener of process.listeners(event as 'exit')) {
      if (running.listeners.has(listener)) continue;
      process.off(event, listener);
      if (event === 'exit') listener(code);
    }
  }
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners('error');
  running = undefined;
  process.channel?.ref();
  process.stdout.write(mark);
  process.stderr.write(`${mark}${code}\n`);
});
