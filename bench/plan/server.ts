// Runs an API server with a fleet of running Clusters and without controllers. Writes its kubeconfig to the given path.
import { writeFileSync } from 'node:fs';
import {
  adminKubeconfig,
  ensureServerIdentity,
  KubernetesServer,
  memoryIdentityFiles,
  openMemoryStore,
} from '@slipway/apiserver';
import { silentLogger, systemClock, systemRandom } from '@slipway/base';
import {
  bindAdmission,
  clusterApiAdmission,
  clusterApiConversions,
  clusterApiKinds,
  contractVersionsFrom,
  createConverters,
  featureGateDefaults,
} from '@slipway/cluster-api';
import { devAdmission, devConversions, devKinds } from '@slipway/dev';
import type { KubeObject } from '@slipway/kube';
import { kubeadmAdmission, kubeadmConversions, kubeadmKinds } from '@slipway/kubeadm';
import { KeyPool } from '@slipway/pki';
import { findDefinition, InProcessClient, installKinds } from '@slipway/plane';
import { fleetState } from './fleet-state.js';

const [count = '1000', kubeconfig = ''] = process.argv.slice(2);
const dependencies = { clock: systemClock, random: systemRandom, keys: new KeyPool({ size: 0 }) };
const { state } = await fleetState(Number(count), 2);
const store = await openMemoryStore();
// Store the objects before the server starts: its garbage collector would delete an object that is stored before its owner.
for (const { resource, object } of state.objects) {
  const { namespace = '', name = '' } = object.metadata;
  const prefix = resource.group === '' ? resource.plural : `${resource.group}/${resource.plural}`;
  const key = { resource: prefix, namespace, name };
  if (store.get(key) === undefined)
    await store.commit({ key, expected: 0, object: structuredClone(object) as KubeObject });
}
const identity = await ensureServerIdentity(
  { ...dependencies, files: memoryIdentityFiles() },
  { keyAlgorithm: 'ECDSA' },
);
const server = await KubernetesServer.start({ store, ...dependencies, logger: silentLogger, identity });
const client = new InProcessClient({ registry: server.registry });
const conversions = [...clusterApiConversions, ...kubeadmConversions, ...devConversions];
await installKinds(
  server,
  client,
  {
    name: 'slipway',
    kinds: [...clusterApiKinds, ...kubeadmKinds, ...devKinds],
    converters: createConverters(
      conversions,
      contractVersionsFrom((name) => findDefinition(store, name)),
    ),
    rules: bindAdmission([...clusterApiAdmission, ...kubeadmAdmission, ...devAdmission], featureGateDefaults, client),
  },
  dependencies,
);
const { port } = await server.listen({ port: 0 });
writeFileSync(kubeconfig, adminKubeconfig(identity, 'slipway', `https://127.0.0.1:${port}`), { mode: 0o600 });
process.stdout.write(`ready: ${state.objects.length} objects\n`);
