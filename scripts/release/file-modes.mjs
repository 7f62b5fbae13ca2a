import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Sets the permissions of a directory and its files, which archives record, so that they do not depend on the umask. */
export function setFileModes(folder) {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) setFileModes(path);
    else if (entry.isFile()) chmodSync(path, (statSync(path).mode & 0o100) === 0 ? 0o644 : 0o755);
  }
}
