import { writeFile } from 'node:fs/promises';
import { onFile } from '../errors/index.js';

/** A result to a file, readable by its owner: templates may hold secrets. Without a file, or with `-`, it is printed. */
export async function writeResult(text: string, file: string | undefined): Promise<void> {
  const path = (file ?? '').trim();
  if (path === '' || path === '-') process.stdout.write(text);
  else await onFile('write', path, () => writeFile(path, text, { mode: 0o600 }));
}
