import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

/** Where macOS and Windows install browsers, outside of the PATH. */
const PLACES = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** Turns off everything for which Chromium would call the internet. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Starts the Chromium of this machine.
 *
 * @throws Error with instructions to install one if there is none.
 */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium(), args: FLAGS });
}

function findChromium(): string {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const candidates = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  const found = [...candidates, ...PLACES].find(isProgram);
  if (found) return found;
  throw new Error(
    'These tests need Chromium, and there is none in the path. Get it with ' +
      '`apt-get install chromium` (Debian, Ubuntu), `dnf install chromium` (Fedora) or ' +
      '`brew install --cask chromium` (macOS), and run them again.',
  );
}

function isProgram(file: string): boolean {
  if (!existsSync(file)) return false;
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
