import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** At once, since whoever scrapes metrics waits: a store has tens of files. */
export function imageCacheBytes(stateDirectory: string): number {
  const directory = join(stateDirectory, 'images');
  try {
    return readdirSync(directory)
      .filter((name) => name.startsWith('sha256-'))
      .reduce((sum, name) => sum + (statSync(join(directory, name), { throwIfNoEntry: false })?.size ?? 0), 0);
  } catch {
    // Nothing was ever fetched.
    return 0;
  }
}
