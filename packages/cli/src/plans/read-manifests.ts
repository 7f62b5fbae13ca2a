import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ManifestError, readManifest } from '@slipway/insight';
import type { KubeObject } from '@slipway/kube';
import { CliError, onFile } from '../errors/index.js';

/** Reads objects from files, from all YAML and JSON files of directories, and from standard input. */
export async function readManifests(names: readonly string[]): Promise<KubeObject[]> {
  const objects: KubeObject[] = [];
  for (const name of names) {
    for (const file of await filesOf(name)) {
      const content =
        file === '-' ? await text(process.stdin) : await onFile('read', file, () => readFile(file, 'utf8'));
      objects.push(...asCliError(() => readManifest(content, file === '-' ? 'standard input' : file)));
    }
  }
  if (objects.length === 0) throw new CliError(`no objects found in ${names.join(', ')}`);
  return objects;
}

async function filesOf(name: string): Promise<string[]> {
  if (name === '-') return [name];
  return onFile('read', name, async () => {
    if (!(await stat(name)).isDirectory()) return [name];
    const entries = await readdir(name, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && /\.(ya?ml|json)$/.test(entry.name));
    return files.map((entry) => join(entry.parentPath, entry.name)).sort();
  });
}

/** Runs `work` and converts the error for an invalid manifest to a user error. */
function asCliError<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw manifestProblem(error);
  }
}

export function manifestProblem(error: unknown): unknown {
  if (!(error instanceof ManifestError)) return error;
  return new CliError(error.message, { cause: error, ...(error.remedy !== undefined && { remedy: error.remedy }) });
}
