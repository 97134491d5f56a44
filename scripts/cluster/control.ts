import { lstatSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import type { Command } from './commands.ts';

/** Sends a command from one terminal to the cluster that another one started. */

interface Answer {
  readonly text: string;
  readonly isError: boolean;
}

/** From now on, answers commands in a folder, including commands that do not name the folder. */
export function answerCommands(
  folder: string,
  execute: (command: Command) => Promise<string>,
  stateFile = defaultStateFile(),
): Server {
  const server = createServer({ allowHalfOpen: true }, async (connection) => {
    connection.on('error', () => {});
    connection.end(JSON.stringify(await answer(json(connection) as Promise<Command>, execute)));
  });
  server.listen(socketIn(folder));
  // Renamed into place, so a link that somebody put there is replaced, not followed.
  writeFileSync(`${stateFile}.${process.pid}`, JSON.stringify({ folder }), {
    mode: 0o600,
    flag: 'wx',
  });
  renameSync(`${stateFile}.${process.pid}`, stateFile);
  return server;
}

/**
 * Sends a command to the cluster of a folder, by default the one that was started last.
 * @throws Error if it fails, or none is running.
 */
export async function sendCommand(
  command: Command,
  { folder, stateFile = defaultStateFile() }: { folder?: string; stateFile?: string } = {},
): Promise<string> {
  const connection = connect(socketIn(folder ?? runningFolder(stateFile)));
  connection.end(JSON.stringify(command));
  const { text, isError } = (await json(connection).catch((error) => {
    throw new Error(NONE, { cause: error });
  })) as Answer;
  if (isError) throw new Error(text);
  return text;
}

const NONE = 'No cluster is running. `npm run cluster` starts one.';

async function answer(
  command: Promise<Command>,
  execute: (command: Command) => Promise<string>,
): Promise<Answer> {
  try {
    return { text: await execute(await command), isError: false };
  } catch (error) {
    return { text: error instanceof Error ? error.message : String(error), isError: true };
  }
}

function socketIn(folder: string): string {
  return join(folder, 'control');
}

/** The user's file with the location of the cluster. */
function defaultStateFile(): string {
  return join(tmpdir(), `cardprice-cluster-${process.getuid?.()}.json`);
}

/** The folder in a state file. Others may write into the folder of temporary files. */
function runningFolder(stateFile: string): string {
  try {
    if (lstatSync(stateFile).uid !== process.getuid?.()) throw new Error('not ours');
    return (JSON.parse(readFileSync(stateFile, 'utf8')) as { folder: string }).folder;
  } catch (error) {
    throw new Error(NONE, { cause: error });
  }
}
