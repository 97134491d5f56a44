import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withCertificates } from './certificates.ts';
import { endAll, otherUser, type User } from './processes.ts';
import type { Service } from './services.ts';

const GUARDIAN = fileURLToPath(new URL('guardian.ts', import.meta.url));

/** Starts services in a folder, and ends them all when this process ends, for whatever reason. */
export class Runner {
  readonly #folder: string;
  readonly #guardian: ChildProcess;
  readonly #children = new Map<string, ChildProcess>();

  /** With `isTemporary`, the folder is removed at the end. */
  constructor(folder: string, isTemporary: boolean) {
    this.#folder = folder;
    // Only root can create folders for other users, who then need access to them.
    if (process.getuid?.() === 0) chmodSync(folder, 0o711);
    const args = [GUARDIAN, folder, ...(isTemporary ? ['--remove'] : [])];
    const stdio = ['pipe', 'ignore', 'ignore'] as const;
    // In a separate session, so Ctrl+C on the terminal does not end it.
    this.#guardian = spawn(process.execPath, args, { cwd: '/', detached: true, stdio: [...stdio] });
  }

  /** Starts a service, unless it is running. Appends its output to a file `NAME.log`. */
  start(service: Service): void {
    const { name, folder, command, env } = service;
    if (this.pidOf(name) !== undefined) return;
    const user = service.isUnprivileged ? otherUser() : undefined;
    this.#prepare(service, user);
    const log = openSync(join(this.#folder, `${name}.log`), 'a', 0o600);
    const [program, ...args] = command;
    const { PATH = '', HOME = '/' } = process.env;
    const child = spawn(program, args, {
      cwd: folder,
      detached: true,
      stdio: ['ignore', log, log],
      ...user,
      env: { PATH, HOME, LANG: 'C.UTF-8', ...env },
    });
    closeSync(log);
    child.once('error', () => this.#children.delete(name));
    this.#children.set(name, child);
  }

  #prepare({ folder, files = [], shared, tls }: Service, user: User | undefined): void {
    for (const own of shared ? [folder, shared] : [folder]) {
      mkdirSync(own, { recursive: true, mode: 0o711 });
      if (user) chownSync(own, user.uid, user.gid);
    }
    for (const { name, text } of files) {
      // Readable by the user who runs the service, because it contains no secret.
      writeFileSync(join(folder, name), withCertificates(text, tls), { mode: 0o644 });
    }
  }

  /** The process id of a service, while it is running. */
  pidOf(name: string): number | undefined {
    const child = this.#children.get(name);
    return child && child.exitCode === null && child.signalCode === null ? child.pid : undefined;
  }

  /** Sends a signal to a service, and resolves when it has ended. */
  async end(name: string, signal: NodeJS.Signals): Promise<void> {
    const child = this.#children.get(name);
    if (!child || this.pidOf(name) === undefined) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  /** Ends everything, and resolves when nothing is left. */
  async close(): Promise<void> {
    const { exitCode, signalCode } = this.#guardian;
    if (exitCode === null && signalCode === null) {
      const ended = once(this.#guardian, 'exit');
      this.#guardian.stdin?.end();
      await ended;
    }
    // Does nothing, unless somebody has ended the guardian.
    await endAll(join(this.#folder, 'run'));
  }
}
