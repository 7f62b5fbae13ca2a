import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ClusterctlError } from '../clusterctl-error.js';
import type { ReleaseSource } from './release-source.js';

/** Reads releases from a directory: `<folder>/<version>/<file>`. */
export class LocalSource implements ReleaseSource {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async versions(): Promise<readonly string[]> {
    try {
      const entries = await readdir(this.#folder, { withFileTypes: true });
      return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    } catch (error) {
      throw new ClusterctlError(`failed to list release directories in ${this.#folder}: ${codeOf(error)}`, {
        cause: error,
      });
    }
  }

  async read(version: string, file: string): Promise<string | undefined> {
    const path = this.describe(version, file);
    try {
      return await readFile(path, 'utf8');
    } catch (error) {
      if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return undefined;
      throw new ClusterctlError(`failed to read file "${path}" from local release ${version}: ${codeOf(error)}`, {
        cause: error,
      });
    }
  }

  describe(version: string, file: string): string {
    return join(this.#folder, version, file);
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}
