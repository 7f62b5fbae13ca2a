import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openStore, StorageUnavailable } from '../src/storage/index.js';

/**
 * Child process of the kill test: several writers that share a few keys. Each prints acknowledged writes to standard output, one
 * line `name revision value` per write (an empty value for a deletion). With the argument `full`, the disk soon seems full, and a
 * write that fails prints the line `full`. Runs until it is killed.
 */
const directory = process.argv[2] as string;
const writers = 24;
const store = await openStore({ directory, history: { maxEvents: 300 } });
process.stdout.write(`opened ${store.revision}\n`);
// SIGXFSZ terminates the process by default; with a handler, the write fails as on a full disk.
process.on('SIGXFSZ', () => undefined);
if (process.argv[3] === 'full') {
  const limit = statSync(join(directory, 'data.mdb')).size + 65_536;
  execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${limit}:unlimited`]);
}

async function writeForever(writer: number): Promise<never> {
  for (let round = 0; ; round += 1) {
    const name = `w${writer}-${round % 7}`;
    const key = { resource: 'configmaps', namespace: `n${writer % 3}`, name };
    const current = store.get(key);
    const remove = current !== undefined && round % 5 === 4;
    const value = remove ? '' : `${store.revision}.${writer}.${round}`;
    const metadata = { name, namespace: key.namespace };
    const data = { value, filler: 'x'.repeat((writer * 397) % 4_000) };
    const object = remove ? undefined : { kind: 'ConfigMap', apiVersion: 'v1', metadata, data };
    try {
      const { revision } = await store.commit({ key, expected: current?.revision ?? 0, object });
      process.stdout.write(`${key.namespace}/${name} ${revision} ${value}\n`);
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) throw error;
      process.stdout.write('full\n');
    }
  }
}

// Exit with the parent, so that an orphaned child does not fill the disk.
createInterface({ input: process.stdin }).on('close', () => process.exit(1));
await Promise.all(Array.from({ length: writers }, (_, writer) => writeForever(writer)));
