// Our side of the benchmark: the API server alone, in a process of its own, as `slipway up --api-only` runs it.
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  adminKubeconfig,
  ensureServerIdentity,
  KubernetesServer,
  openIdentityDirectory,
  openStore,
  preferShortPauses,
} from '@slipway/apiserver';
import { createLogger, KeyPool, systemClock, systemRandom } from '@slipway/base';

preferShortPauses();
const [directory = '', kubeconfigFile = ''] = process.argv.slice(2);
const world = { clock: systemClock, random: systemRandom };
// Requests are logged as in production; the file stands for the terminal.
const logger = createLogger({ level: 'info', destination: join(directory, 'server.log') });
const identity = await ensureServerIdentity({
  ...world,
  keys: new KeyPool(),
  files: openIdentityDirectory(directory, systemRandom),
});
const store = await openStore({ directory, clock: systemClock, log: logger });
const server = await KubernetesServer.start({ ...world, store, logger, identity });
const { port } = await server.listen({ port: 0 });
const kubeconfig = adminKubeconfig(identity, 'slipway', `https://127.0.0.1:${port}`);
// Renamed into place: whoever waits for the file finds it whole.
writeFileSync(`${kubeconfigFile}.new`, kubeconfig, { mode: 0o600 });
renameSync(`${kubeconfigFile}.new`, kubeconfigFile);

process.once('SIGTERM', () => {
  void server
    .stop()
    .then(() => store.close())
    .then(() => process.exit(0));
});
