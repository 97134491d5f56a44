/** Preloaded into a measured process: at its end, writes its peak memory to fd 3. */
import { writeSync } from 'node:fs';

process.on('exit', () => {
  writeSync(3, String(process.resourceUsage().maxRSS * 1024));
});
