import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { satisfies, validRange } from 'semver';
import { slipwayVersion } from '../version.js';
import { pluginError } from './plugin-error.js';

/** A package that `--plugin` names, before its code is loaded. */
export interface PluginPackage {
  readonly name: string;
  readonly version: string;
  readonly folder: string;
  /** The module to import. */
  readonly entryPoint: string;
}

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly main?: string;
  readonly exports?: unknown;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** Finds the package that a path or a package name refers to, and checks that it fits this version of Slipway. */
export function findPluginPackage(given: string, workingDirectory: string): PluginPackage {
  const folder = folderOf(given, workingDirectory);
  const manifest = readManifest(given, folder);
  checkVersions(given, manifest);
  const entry = entryPointOf(manifest.exports) ?? manifest.main ?? './index.js';
  const entryPoint = resolve(folder, entry);
  if (!existsSync(entryPoint))
    throw pluginError(
      given,
      `its entry point ${entryPoint} does not exist`,
      `build the plugin (\`npm run build\` in ${folder}), or correct "exports" in its package.json`,
    );
  return { name: manifest.name ?? given, version: manifest.version ?? '0.0.0', folder, entryPoint };
}

/** Returns whether the value of --plugin is a path and not the name of an npm package. */
function isPath(given: string): boolean {
  return /^(?:\.{1,2}(?:\/|$)|\/|~)/.test(given);
}

function folderOf(given: string, workingDirectory: string): string {
  if (isPath(given)) {
    const folder = resolve(workingDirectory, given);
    if (!existsSync(folder) || !statSync(folder).isDirectory())
      throw pluginError(given, `${folder} is not a directory`, 'specify the directory that contains its package.json');
    return folder;
  }
  // The directory of the user first, then the packages that are installed beside Slipway, such as with npm install --global.
  const starts = [workingDirectory, dirname(fileURLToPath(import.meta.url))];
  for (const start of starts)
    for (let folder = start; ; folder = dirname(folder)) {
      const candidate = join(folder, 'node_modules', given);
      if (existsSync(join(candidate, 'package.json'))) return candidate;
      if (folder === dirname(folder)) break;
    }
  throw pluginError(
    given,
    `no package of this name is installed for ${workingDirectory}`,
    `install it with \`npm install ${given}\`, or specify a directory, such as ./${given}`,
  );
}

function readManifest(given: string, folder: string): Manifest {
  const file = join(folder, 'package.json');
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Manifest;
  } catch (error) {
    throw pluginError(
      given,
      `cannot read ${file}: ${(error as Error).message}`,
      'specify the directory of an npm package',
    );
  }
}

const kit = '@slipway/provider-kit';

function checkVersions(given: string, { peerDependencies: peers = {} }: Manifest): void {
  if (peers[kit] === undefined)
    throw pluginError(
      given,
      `its package.json has no peer dependency on ${kit}, so its version cannot be checked`,
      `add "peerDependencies": { "${kit}": "${slipwayVersion}" }`,
    );
  for (const [name, range] of Object.entries(peers)) {
    if (!name.startsWith('@slipway/')) continue;
    if (validRange(range) === null || !satisfies(slipwayVersion, range, { includePrerelease: true }))
      throw pluginError(
        given,
        `it requires ${name} ${range}, but this is Slipway ${slipwayVersion}`,
        `install a version of the plugin for Slipway ${slipwayVersion}, or the version of Slipway that it requires`,
      );
  }
}

/** Returns the file that `exports` of package.json names for an import of the package. */
function entryPointOf(exported: unknown): string | undefined {
  if (typeof exported === 'string') return exported;
  if (typeof exported !== 'object' || exported === null) return undefined;
  for (const [key, value] of Object.entries(exported))
    if (['.', 'node', 'import', 'default'].includes(key)) {
      const found = entryPointOf(value);
      if (found !== undefined) return found;
    }
  return undefined;
}
