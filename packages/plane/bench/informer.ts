import { InProcessClient } from '../src/index.js';
import { startEmbeddedServer } from '../test/embedded-server.js';
import { describe, fill, measureInformer } from '../../runtime/bench/measure-informer.js';
import { createHttpClient } from '@slipway/runtime';

/** An informer on the embedded server, in process and over HTTPS: `npx tsx packages/plane/bench/informer.ts`. */
const count = Number(process.env['BENCH_OBJECTS'] ?? 10_000);
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const embedded = await startEmbeddedServer();
try {
  const client = new InProcessClient({ registry: embedded.server.registry });
  await fill(client, count);
  for (let round = 0; round < 3; round += 1) print(describe('in process', await measureInformer(client, false)));
  const remote = createHttpClient(await embedded.connection());
  for (let round = 0; round < 3; round += 1) print(describe('over HTTPS', await measureInformer(remote, round === 2)));
  remote.close();
} finally {
  await embedded.stop();
}
