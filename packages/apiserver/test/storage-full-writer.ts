import { execFileSync } from 'node:child_process';
import { openStore, StorageUnavailable } from '../src/storage/index.js';

/**
 * Child process of the full-disk test: limits its file size, writes until the limit is reached, lifts the limit, and writes
 * again.
 */
const store = await openStore({ directory: process.argv[2] as string });
// SIGXFSZ terminates the process by default; with a handler, the write fails as on a full disk.
process.on('SIGXFSZ', () => undefined);

function limitFileSize(limit: string): void {
  execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${limit}:unlimited`]);
}

async function write(index: number): Promise<boolean> {
  const name = `n${index}`;
  const key = { resource: 'configmaps', namespace: 'default', name };
  const object = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name }, data: { filler: 'x'.repeat(8_000) } };
  try {
    await store.commit({ key, expected: 0, object });
    return true;
  } catch (error) {
    if (error instanceof StorageUnavailable) return false;
    throw error;
  }
}

limitFileSize('1000000');
let written = 0;
while (await write(written)) written += 1;
const refused = await Promise.all([write(written), write(written + 1)]);
const whileFull = store.count('configmaps');
limitFileSize('unlimited');
const accepted = await write(written);
process.stdout.write(JSON.stringify({ written, refused, whileFull, accepted, count: store.count('configmaps') }));
await store.close();
