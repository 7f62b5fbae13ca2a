import {
  ensureServerIdentity,
  memoryIdentityFiles,
  KubernetesServer,
  type ObjectStore,
  openMemoryStore,
} from '@slipway/apiserver';
import { type Disposable, type KeySource, type Random, Scope, silentLogger, type VirtualClock } from '@slipway/base';
import * as clusterApi from '@slipway/cluster-api';
import * as dev from '@slipway/dev';
import { cloneJson, type CustomResourceDefinition, type Frozen, type KubeObject } from '@slipway/kube';
import * as kubeadm from '@slipway/kubeadm';
import { findDefinition, InProcessClient, installKinds, type KindSet } from '@slipway/plane';
import { type Client, customResourceDefinitions, type Resource } from '@slipway/runtime';
import { resourceOfDefinition } from './read-state.js';
import { type ManagementState, type PlacedObject, storageResourceOf } from './state.js';

export interface ForkWorld {
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly keys: KeySource;
}

/** A management cluster of its own, in memory, that begins where another one is now. */
export interface Fork extends Disposable {
  readonly server: KubernetesServer;
  readonly store: ObjectStore;
  readonly client: Client;
  /** Kinds that nobody here has controllers for: those of other providers. */
  readonly foreign: readonly Resource[];
}

type Definition = Frozen<CustomResourceDefinition>;

const ownKinds = [...clusterApi.clusterApiKinds, ...kubeadm.kubeadmKinds, ...dev.devKinds];
const ownNames: ReadonlySet<string> = new Set(ownKinds.map(({ plural, group }) => `${plural}.${group}`));

export async function openFork(
  state: ManagementState,
  gates: clusterApi.FeatureGates,
  world: ForkWorld,
): Promise<Fork> {
  const { clock, random, keys } = world;
  const scope = new Scope();
  try {
    const store = await openMemoryStore({ clock });
    scope.defer(() => store.close());
    const foreign = state.definitions.filter(({ metadata }) => !ownNames.has(metadata.name ?? ''));
    for (const definition of foreign) await seed(store, { resource: definitionsResource, object: plain(definition) });
    // Before the server starts, so that its loops find the state of a cluster and not one that appears bit by bit.
    for (const placed of state.objects) await seed(store, placed);
    const identity = await ensureServerIdentity(
      { clock, random, keys, files: memoryIdentityFiles() },
      { keyAlgorithm: 'ECDSA' },
    );
    const server = await KubernetesServer.start({ store, clock, random, logger: silentLogger, identity });
    scope.defer(() => server.stop());
    const client = new InProcessClient({ registry: server.registry });
    const kindSet = kindsOf(store, client, gates);
    scope.add(await installKinds(server, client, kindSet, { clock, random }));
    return { server, store, client, foreign: foreign.map(resourceOfDefinition), dispose: () => scope.dispose() };
  } catch (error) {
    await scope.dispose();
    throw error;
  }
}

const definitionsResource: Resource = customResourceDefinitions;

function kindsOf(store: ObjectStore, client: Client, gates: clusterApi.FeatureGates): KindSet {
  const conversions = [...clusterApi.clusterApiConversions, ...kubeadm.kubeadmConversions, ...dev.devConversions];
  const admissions = [...clusterApi.clusterApiAdmission, ...kubeadm.kubeadmAdmission, ...dev.devAdmission];
  const contractVersions = clusterApi.contractVersionsFrom((name) => findDefinition(store, name));
  return {
    name: 'slipway',
    kinds: ownKinds,
    converters: clusterApi.createConverters(conversions, contractVersions),
    rules: clusterApi.bindAdmission(admissions, gates, client),
  };
}

/** Straight into the store: uids, times, status and managed fields stay what they are. */
async function seed(store: ObjectStore, { resource, object }: PlacedObject): Promise<void> {
  const { namespace = '', name = '' } = object.metadata;
  const key = { resource: storageResourceOf(resource), namespace, name };
  await store.commit({ key, expected: 0, object: cloneJson(object) as KubeObject });
}

/** Without the webhook of its provider, and stored at the version in which its objects were read. */
function plain(definition: Definition): Frozen<KubeObject> {
  const { version } = resourceOfDefinition(definition);
  const { conversion: _conversion, ...spec } = definition.spec;
  const versions = spec.versions.map((each) => ({ ...each, storage: each.name === version }));
  return { ...definition, spec: { ...spec, versions, conversion: { strategy: 'None' } } };
}
