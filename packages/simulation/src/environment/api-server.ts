import {
  ensureServerIdentity,
  FakeDisk,
  KubernetesServer,
  type ObjectStore,
  openMemoryStore,
  type ServerIdentity,
} from '@slipway/apiserver';
import { featureGateDefaults } from '@slipway/cluster-api';
import { type Logger, type Random, seededRandom, silentLogger, VirtualClock } from '@slipway/base';
import { isReason } from '@slipway/kube';
import { type KeySource } from '@slipway/pki';
import { findDefinition, InProcessClient, installKinds } from '@slipway/plane';
import { namespaces } from '@slipway/runtime';
import { loadProvider, type Provider, type ProviderName } from '../providers/provider.js';
import { startControllers } from './controllers.js';
import { Infrastructure } from '../providers/infrastructure.js';
import { simulatedKinds } from './kinds.js';
import { simulatedKeys } from './simulated-keys.js';
import { namespace } from '../objects/names.js';
import { SimulatedProcess } from '../processes/simulated-process.js';

export interface ApiServerDependencies {
  readonly time: VirtualClock;
  readonly disk: FakeDisk;
  readonly random: Random;
  readonly logger: Logger;
  readonly provider: Provider;
  /** Whether clusters may have a managed topology. */
  readonly classes?: boolean;
}

/** One life of the API server process, from opening the disk until the process dies. */
export interface RunningApiServer {
  readonly process: SimulatedProcess;
  readonly store: ObjectStore;
  readonly server: KubernetesServer;
  readonly client: InProcessClient;
}

export async function startApiServer(
  dependencies: ApiServerDependencies,
  process: SimulatedProcess,
): Promise<RunningApiServer> {
  const { disk, random, logger, provider, classes = false } = dependencies;
  const { clock } = process;
  const store = await openMemoryStore({ disk, clock, log: logger });
  const server = await KubernetesServer.start({ store, clock, random, logger, identity: await identity() });
  const client = new InProcessClient({ registry: server.registry });
  const features = { ...featureGateDefaults, ClusterTopology: classes };
  const kinds = simulatedKinds(provider, client, (name) => findDefinition(store, name), features);
  await installKinds(server, client, kinds, { clock, random });
  return { process, store, server, client };
}

let sharedIdentity: Promise<ServerIdentity> | undefined;

/** Returns one server identity for all runs: no result depends on it. */
function identity(): Promise<ServerIdentity> {
  const files = new Map<string, string>();
  const dependencies = {
    clock: new VirtualClock(),
    random: seededRandom(1),
    keys: simulatedKeys() as KeySource,
    files: {
      read: (name: string) => Promise.resolve(files.get(name)),
      write: (name: string, text: string) => Promise.resolve(void files.set(name, text)),
    },
  };
  sharedIdentity ??= ensureServerIdentity(dependencies, { keyAlgorithm: 'ECDSA' });
  return sharedIdentity;
}

const images = new Map<string, Promise<Buffer>>();

/**
 * Returns the content of a disk after the first start: all CRDs, established by their controllers, and the namespace. Each
 * management plane has its own disk and identity.
 */
export async function preparedDisk(providerName: ProviderName = 'dev', plane = 0): Promise<Buffer> {
  const name = `${providerName} ${plane}`;
  const image = images.get(name) ?? prepareDisk(await loadProvider(providerName), plane);
  images.set(name, image);
  return image;
}

async function prepareDisk(provider: Provider, plane: number): Promise<Buffer> {
  const time = new VirtualClock();
  const random = seededRandom(1 + plane);
  const disk = new FakeDisk(time, random);
  const process = new SimulatedProcess('preparation', time);
  const keys = simulatedKeys();
  const starting = startApiServer({ time, disk, random, logger: silentLogger, provider }, process);
  const { client } = await drive(time, starting);
  await drive(time, ensureNamespace(client));
  const infrastructure = new Infrastructure({ clock: time, random, keys });
  await drive(
    time,
    startControllers({ process, client, provider, infrastructure, random, keys, logger: silentLogger }),
  );
  await time.advance(60_000);
  process.kill();
  return disk.open().read();
}

async function ensureNamespace(client: InProcessClient): Promise<void> {
  try {
    await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  } catch (error) {
    if (!isReason(error, 'AlreadyExists')) throw error;
  }
}

/** Advances the clock until the promise settles. */
async function drive<T>(time: VirtualClock, work: Promise<T>): Promise<T> {
  let done = false;
  const finish = (): void => {
    done = true;
  };
  work.then(finish, finish);
  while (!done) await time.advance(100);
  return work;
}
