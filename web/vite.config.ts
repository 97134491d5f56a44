import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';
import { GAMES, type Game } from '../src/domain/games.ts';
import { SET_COLORS } from './src/cards/set-colors.ts';

/** The service that the development server calls for everything except the pages. */
const SERVICE = `http://127.0.0.1:${process.env.CARDPRICE_PORT ?? 8080}`;

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Where the service serves the notices of third parties; src/dashboard/serve-pages.ts. */
const NOTICES = 'third-party-notices.txt';

/** The paths that the service answers: the calls of the pages, the API and its reference. */
const SERVICE_PATHS = [
  ...['/dashboard', '/v1', '/docs', '/openapi.json'],
  ...['/logo', '/brand.css', '/site.webmanifest'],
];

/**
 * `vite build web` builds the pages into `web/dist`, from which the service serves them. With
 * `--ssr` it builds the bundle that renders them on the server into `web/dist/server`.
 *
 * `vite web` is the development server: it serves the sources of the pages at
 * http://localhost:5173 and reloads the browser whenever one changes (styles change in place). The
 * data come from a running service (`npm start`) on port 8080, or the one of `CARDPRICE_PORT`.
 */
export default defineConfig(({ isSsrBuild = false }) => ({
  build: {
    copyPublicDir: !isSsrBuild,
    target: 'es2023',
    // One style for all pages: a page that the server renders has its style from the start.
    cssCodeSplit: false,
    // The content security policy allows files only, no `data:` URLs in pages and styles.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // The import asks for the file itself in the same tick, and every page has the first script.
      resolveDependencies: (file, dependencies) => {
        return dependencies.filter((path) => path !== file && !path.startsWith('assets/index-'));
      },
    },
    // The licences of bundled packages require their notices.
    license: { fileName: NOTICES },
    rolldownOptions: {
      ...(!isSsrBuild && {
        input: { index: source('index.html'), reference: source('src/reference/main.ts') },
      }),
      output: {
        // The reference is rendered without the build, so the name of its script has no hash.
        entryFileNames: ({ name }) =>
          name === 'reference' || isSsrBuild ? '[name].js' : 'assets/[name]-[hash].js',
        // The service serves the notices of the pages. Those of the server are next to its bundle.
        postBanner: ({ moduleIds }) =>
          moduleIds.some((id) => id.includes('/node_modules/'))
            ? `/*! Licences: ${isSsrBuild ? './' : '/'}${NOTICES} */`
            : '',
        // Each file costs half a kilobyte of headers, so modules of several pages share a file.
        codeSplitting: {
          groups: [
            // What every page needs, and small parts that most of them need.
            {
              name: 'index',
              test: /\/src\/(main|cards\/(card|row)-actions|charts\/geometry|ui\/(controls|time|try-it)|api\/added-lines|domain\/marketplaces)\./,
              priority: 4,
            },
            // What accounts need and most pages of visitors do not.
            {
              name: 'credentials',
              test: /\/web\/src\/account\/(back|credentials|sign-in\.|proof-dialog)/,
              priority: 3,
              includeDependenciesRecursively: false,
            },
            {
              name: 'forms',
              test: /\/web\/src\/(api\/post-once|ui\/(form|dialog)\.)/,
              priority: 3,
              includeDependenciesRecursively: false,
            },
            {
              name: 'tables',
              test: /\/web\/src\/(account\/labels|ui\/table)\./,
              priority: 3,
              includeDependenciesRecursively: false,
            },
            // Lists of cards, and of sets.
            {
              name: 'lists',
              test: /\/web\/src\/(cards\/(batches|card-list|card-pages|filters|rarity-mark|toolbar|views)|movers\/(mover-list|movers-query)|products\/product-list|sets\/(queries|price-index))\.tsx?$/,
              priority: 2,
              includeDependenciesRecursively: false,
            },
            // What the pages of cards and of products share, and lists do not need.
            {
              name: 'past',
              test: /\/(web\/src\/cards\/(history\/(?!history-table|extremes)|card-prices|confidence))/,
              minShareCount: 2,
              priority: 2,
              // What these need is also needed by pages without a history.
              includeDependenciesRecursively: false,
            },
            // Charts, and the names of grades and conditions.
            {
              name: 'charts',
              test: /\/(web\/src\/(charts\/|cards\/price-(names|rows))|domain\/(day|grade-names|price)\.)/,
              minShareCount: 2,
              priority: 2,
              includeDependenciesRecursively: false,
            },
            {
              name: 'operator',
              test: /\/web\/src\/(operator\/operator-page|ui\/paged-list)/,
              minShareCount: 2,
              priority: 2,
              // What these need is also needed by visitors.
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
  // The build for the server (`vite build --ssr`) is complete: it runs where no package is installed.
  ssr: { noExternal: true },
  plugins: [gamesForPages(), cardColors(), compress()],
  server: {
    // The service compares the host with the origin of the page, so the host stays as it is.
    proxy: Object.fromEntries(SERVICE_PATHS.map((path) => [path, { target: SERVICE }])),
  },
}));

/** Keeps most parts of the files of games out of the bundle, because only the service needs them. */
function gamesForPages(): Plugin {
  return {
    name: 'games-for-pages',
    enforce: 'pre',
    load(id) {
      const [, slug] = /\/src\/domain\/games\/(\w+)\.ts$/.exec(id) ?? [];
      const game = GAMES.find((each) => each.slug === slug);
      if (!game) return undefined;
      const { aliases, motif, example } = game;
      const forPages = { slug, aliases, motif, example };
      return `export const ${game.slug.toUpperCase()} = ${JSON.stringify(forPages)};`;
    },
  };
}

/** Makes `virtual:card-colors.css`: a rule for each game and each color of sets, as properties. */
function cardColors(): Plugin {
  const name = 'virtual:card-colors.css';
  const rules = [...GAMES.map(gameRule), ...SET_COLORS.map(setRule)];
  return {
    name: 'card-colors',
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load: (id) => (id === `\0${name}` ? rules.join('') : undefined),
  };
}

function gameRule({ slug, colors: { sky, accent } }: Game): string {
  return `.game-${slug} {\n  --sky: ${sky};\n  --shape: ${accent};\n}\n`;
}

function setRule(color: string, index: number): string {
  return `.set-${index} {\n  --set: ${color};\n}\n`;
}

/** Writes a `.br` and a `.gz` next to each text file, so the service does not compress them. */
function compress(): Plugin {
  let folder = '';
  return {
    name: 'compress',
    apply: (_config, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    configResolved({ root, build }) {
      folder = resolve(root, build.outDir);
    },
    async writeBundle() {
      const files = await readdir(folder, { recursive: true });
      const texts = files.filter((file) => /\.(html|js|css|svg)$/.test(file));
      await Promise.all(texts.map((file) => compressFile(join(folder, file))));
    },
  };
}

async function compressFile(file: string): Promise<void> {
  const bytes = await readFile(file);
  await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes));
  await writeFile(`${file}.gz`, await promisify(gzip)(bytes));
}
