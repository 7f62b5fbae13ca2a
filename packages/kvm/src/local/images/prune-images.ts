import { readdirSync, statSync } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { MachineRecord } from '../machine-record.js';
import { readJson } from '../layout.js';
import type { NamedImage } from './image-store.js';

export interface PrunedImages {
  readonly removed: readonly string[];
  readonly bytes: number;
}

/**
 * Removes images that no machine uses and that have no name. A machine records its images before it uses them: an image is
 * first moved aside, and moved back if a machine has recorded it in the meantime.
 */
export async function pruneImages(stateDirectory: string): Promise<PrunedImages> {
  const directory = join(stateDirectory, 'images');
  const names = await readdir(directory).catch(() => []);
  const before = await usedImages(stateDirectory);
  const aside = names
    .filter((name) => name.startsWith('sha256-') && !before.has(join(directory, name)))
    .map((name) => ({ path: join(directory, name), hidden: join(directory, `.pruned-${name}`) }));
  for (const { path, hidden } of aside) await rename(path, hidden);
  const after = await usedImages(stateDirectory);
  const removed: string[] = [];
  let bytes = 0;
  for (const { path, hidden } of aside) {
    if (after.has(path)) {
      await rename(hidden, path);
      continue;
    }
    bytes += (await stat(hidden)).size;
    await rm(hidden);
    removed.push(path);
  }
  return { removed, bytes };
}

async function usedImages(stateDirectory: string): Promise<Set<string>> {
  const used = new Set<string>();
  const machines = join(stateDirectory, 'machines');
  // Machines that are being created, in staging directories, also use images.
  for (const name of await readdir(machines).catch(() => [])) {
    const record = await readJson<MachineRecord>(join(machines, name, 'spec.json'));
    for (const path of record?.images ?? []) used.add(path);
  }
  const named = join(stateDirectory, 'images', 'named');
  for (const name of await readdir(named).catch(() => [])) {
    const image = await readJson<NamedImage>(join(named, name));
    for (const path of [image?.disk, image?.kernel, image?.initrd]) if (path !== undefined) used.add(path);
  }
  return used;
}

/** Returns the size of all stored images. Synchronous, because the metrics endpoint waits for it: a store has tens of files. */
export function imageCacheBytes(stateDirectory: string): number {
  const directory = join(stateDirectory, 'images');
  try {
    return readdirSync(directory)
      .filter((name) => name.startsWith('sha256-'))
      .reduce((sum, name) => sum + (statSync(join(directory, name), { throwIfNoEntry: false })?.size ?? 0), 0);
  } catch {
    // The store does not exist yet.
    return 0;
  }
}
