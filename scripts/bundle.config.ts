import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const source = (path: string) => fileURLToPath(new URL(`../src/${path}`, import.meta.url));

/** Packages for traces, which are not installed with the program. */
const OPENTELEMETRY = ['api', 'exporter-trace-otlp-http', 'resources', 'sdk-trace-base'].map(
  (name) => `@opentelemetry/${name}`,
);

/**
 * Writes a UTF-16 code unit in a form that literals of strings and of regular expressions allow.
 */
function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * Bundles the program and its libraries into a few files of `dist/`, one for each command and one
 * for shared code: reading a thousand small files takes longer than running them
 * (docs/deploying.md).
 */
export default defineConfig({
  publicDir: false,
  plugins: [
    {
      // Bundled with other modules, tsyringe, which passkeys need, would run before its polyfill.
      name: 'polyfill-first',
      transform: (code, id) =>
        id.includes('/tsyringe/') && code.includes('requires a reflect polyfill')
          ? `import 'reflect-metadata';\n${code}`
          : undefined,
    },
    {
      // In memory, a text with one character beyond Latin-1 takes two bytes per character.
      name: 'latin-1',
      generateBundle(_options, bundle) {
        for (const part of Object.values(bundle)) {
          if (part.type === 'chunk') part.code = part.code.replaceAll(/[^\0-\xff]/g, escapeUnit);
        }
      },
    },
  ],
  build: {
    ssr: true,
    outDir: 'dist',
    target: 'node22',
    minify: false,
    rolldownOptions: {
      // Threads that unpack archives start from a separate file.
      input: { main: source('main.ts'), unpack: source('sources/tcgcsv-archive/unpack.ts') },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: '[name]-[hash].js',
        // Node keeps the source text in memory, including comments.
        comments: { legal: true, annotation: false, jsdoc: false },
      },
    },
  },
  // Packages that load a native library or a file from their folder stay where npm put them.
  ssr: {
    target: 'node',
    noExternal: true,
    external: ['better-sqlite3', '@node-rs/argon2', '7z-wasm', 'pino', 'sharp', ...OPENTELEMETRY],
  },
});
