import { copyFile, stat, truncate } from 'node:fs/promises';

const bytesMax = 16 * 1024 ** 2;

/** Keeps the end of what a guest says and the part before. QEMU appends to the file, so that it can be cut under its hands. */
export async function rotateConsole(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || found.size < bytesMax) return;
  await copyFile(path, `${path}.1`);
  await truncate(path);
}
