import { readFileSync } from 'node:fs';
import nodeModule from 'node:module';
import { packageFile } from './lib/package-file.ts';

/** The program itself, once `bin/cardprice.js` knows that Node is new enough for it. */

const manifest = packageFile('package.json');
const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string };

// Every later start is spared a third of a second of reading the program. Imported only now,
// because modules that are loaded earlier are not cached.
nodeModule.enableCompileCache();
const { runCli } = await import('./commands/cli.ts');
process.exitCode = await runCli(process.argv.slice(2), version);
