/**
 * Writes sbom.cdx.json, a CycloneDX list of the packages that the program needs at run time and the
 * packages bundled with its pages, for browsers and for the server: `node scripts/sbom.ts`, once
 * the pages are built.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const ROOT = new URL('../', import.meta.url);
const MAX_BYTES = 64 * 1024 * 1024;

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly properties: readonly { readonly name: string; readonly value: string }[];
}

export interface Sbom {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

const DEVELOPMENT = 'cdx:npm:package:development';

/** Creates the list with `npm sbom`, and adds the bundled packages, for which npm has no option. */
export function makeSbom(): Sbom {
  const all = runNpm('sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application');
  const { name } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as Component;
  const bundled = bundledPackages();
  const components = all.components
    .filter((one) => !isForDevelopment(one) || bundled.includes(one['bom-ref']))
    .map((one) => ({
      ...one,
      properties: one.properties.filter((own) => own.name !== DEVELOPMENT),
    }));
  const { component } = all.metadata;
  const kept = new Set([component, ...components].map((one) => one['bom-ref']));
  const dependencies = all.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => kept.has(one)) }));
  // npm names the program after its folder.
  const metadata = { ...all.metadata, component: { ...component, name } };
  return { ...all, metadata, components, dependencies };
}

function isForDevelopment({ properties }: Component): boolean {
  return properties.some(({ name }) => name === DEVELOPMENT);
}

/** The notices that the builds of the pages write: for browsers, and for the server. */
export const BUNDLE_NOTICES = [
  'web/dist/third-party-notices.txt',
  'web/dist/server/third-party-notices.txt',
] as const;

/** The packages in the pages and in their renderer on the server, as `name@version`. */
export function bundledPackages(): string[] {
  const notices = BUNDLE_NOTICES.map((file) => readFileSync(new URL(file, ROOT), 'utf8')).join('');
  const named = [...notices.matchAll(/^## (\S+) - (\S+) \(/gm)];
  return [...new Set(named.map(([, name, version]) => `${name}@${version}`))];
}

function runNpm(...args: readonly string[]): Sbom {
  const options = { cwd: ROOT, encoding: 'utf8', maxBuffer: MAX_BYTES } as const;
  return JSON.parse(execFileSync('npm', args, options)) as Sbom;
}

if (import.meta.main) {
  const text = `${JSON.stringify(makeSbom(), null, 2)}\n`;
  writeFileSync(new URL('sbom.cdx.json', ROOT), text);
}
