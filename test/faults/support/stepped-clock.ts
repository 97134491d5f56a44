/**
 * Preloaded into a program under test (`node --import`): sets its clock by the file that
 * `STEPPED_CLOCK` names, which has the milliseconds to add to the time. Several processes go by it.
 */
import { readFileSync } from 'node:fs';

/** How often a process looks at the file, in milliseconds. */
const LOOK_MS = 20;

const file = process.env.STEPPED_CLOCK ?? '';
const now = Date.now.bind(Date);
let offset = read();

Date.now = () => now() + offset;
setInterval(() => {
  offset = read();
}, LOOK_MS).unref();

/** What the file says; as before while it is being written. */
function read(): number {
  const text = readFileSync(file, 'utf8');
  return text === '' ? offset : Number(text);
}
