import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

/** Builds the pages into `web/dist`, from which the service serves them. */
export default defineConfig({
  build: {
    target: 'es2023',
    // Nothing may stand in the page or in a style as `data:`: the policy allows our own files only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  plugins: [compressed()],
  server: { proxy: { '/dashboard': 'http://127.0.0.1:8080' } },
});

/** Puts a `.br` and a `.gz` beside each file, so that serving them compresses nothing. */
function compressed(): Plugin {
  let folder = '';
  return {
    name: 'compressed',
    apply: 'build',
    configResolved({ root, build }) {
      folder = resolve(root, build.outDir);
    },
    async writeBundle() {
      const files = await readdir(folder, { recursive: true });
      const texts = files.filter((file) => /\.(html|js|css|svg)$/.test(file));
      await Promise.all(texts.map((file) => compress(join(folder, file))));
    },
  };
}

async function compress(file: string): Promise<void> {
  const bytes = await readFile(file);
  await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes));
  await writeFile(`${file}.gz`, await promisify(gzip)(bytes));
}
