import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type JsonObject, parseYamlValue } from '@slipway/kube';
import { ClusterctlError } from '../clusterctl-error.js';
import { fetchText, type FetchDependencies } from '../fetch/index.js';

/** Returns the possible directories of clusterctl's files. The first existing one is used. */
export function configFolders(env: NodeJS.ProcessEnv): readonly string[] {
  const home = env['HOME'] ?? '';
  const xdg = env['XDG_CONFIG_HOME'] ?? '';
  return [join(xdg === '' ? join(home, '.config') : xdg, 'cluster-api'), join(home, '.cluster-api')];
}

/** Reads the given file or URL, or the default file if none is given. Empty if the default file does not exist. */
export async function readConfigFile(
  named: string | undefined,
  env: NodeJS.ProcessEnv,
  dependencies: FetchDependencies,
): Promise<JsonObject> {
  if (named !== undefined) return parseSettings(named, await readNamed(named, dependencies));
  for (const folder of configFolders(env)) {
    for (const extension of ['yaml', 'yml', 'json']) {
      const path = join(folder, `clusterctl.${extension}`);
      const text = await readIfThere(path);
      if (text !== undefined) return parseSettings(path, text);
    }
  }
  return {};
}

async function readNamed(named: string, dependencies: FetchDependencies): Promise<string> {
  const isAddress = /^https?:/.test(named);
  const text = isAddress ? await fetchText(named, dependencies) : await readIfThere(named);
  if (text !== undefined) return text;
  throw new ClusterctlError(`clusterctl config file ${named} not found`, { remedy: 'check the value of --config' });
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new ClusterctlError(`cannot read the clusterctl config file ${path}: ${code ?? String(error)}`, {
      cause: error,
    });
  }
}

function parseSettings(path: string, text: string): JsonObject {
  const fail = (problem: string, cause?: unknown): ClusterctlError =>
    new ClusterctlError(`invalid clusterctl config file ${path}: ${problem}`, { cause });
  let value: unknown;
  try {
    value = parseYamlValue(text);
  } catch (error) {
    throw fail((error as Error).message, error);
  }
  if (value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw fail('the file must be a mapping of names to values');
  return value as JsonObject;
}
