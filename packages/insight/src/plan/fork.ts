import {
  ensureServerIdentity,
  memoryIdentityFiles,
  KubernetesServer,
  type ObjectStore,
  openMemoryStore,
} from '@slipway/apiserver';
import { type Disposable, type Random, Scope, silentLogger, type VirtualClock } from '@slipway/base';
import * as clusterApi from '@slipway/cluster-api';
import * as dev from '@slipway/dev';
import {
  cloneJson,
  type CustomResourceDefinition,
  deepFreeze,
  type Frozen,
  type KubeObject,
  toCustomResourceDefinition,
} from '@slipway/kube';
import * as kubeadm from '@slipway/kubeadm';
import { type KeySource } from '@slipway/pki';
import { findDefinition, InProcessClient, installKinds, type KindSet } from '@slipway/plane';
import { type Client, customResourceDefinitions, type Resource } from '@slipway/runtime';
import { ownKinds, ownNames } from './own-kinds.js';
import { resourceOfDefinition } from './read-state.js';
import { type ManagementState, type PlacedObject, storageResourceOf } from './state.js';

export interface ForkDependencies {
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly keys: KeySource;
}

/** An in-memory management cluster that starts from the state of another management cluster. */
export interface Fork extends Disposable {
  readonly server: KubernetesServer;
  readonly store: ObjectStore;
  readonly client: Client;
  /** The kinds of other providers, for which there is no built-in controller. */
  readonly foreign: readonly Resource[];
}

type Definition = Frozen<CustomResourceDefinition>;

export async function openFork(
  state: ManagementState,
  gates: clusterApi.FeatureGates,
  dependencies: ForkDependencies,
): Promise<Fork> {
  const { clock, random, keys } = dependencies;
  const scope = new Scope();
  try {
    const store = await openMemoryStore({ clock });
    scope.defer(() => store.close());
    const foreign = state.definitions.filter(({ metadata }) => !ownNames.has(metadata.name ?? ''));
    for (const definition of ownDefinitions()) await seed(store, { resource: definitionsResource, object: definition });
    for (const definition of foreign) await seed(store, { resource: definitionsResource, object: plain(definition) });
    // Store the objects before the server starts, so that its controllers see the complete state from the beginning.
    for (const placed of state.objects) await seed(store, placed);
    const identity = await ensureServerIdentity(
      { clock, random, keys, files: memoryIdentityFiles() },
      { keyAlgorithm: 'ECDSA' },
    );
    // `prepared` skips the creation of RBAC roles and other bootstrap objects: clients of the fork are in process and not
    // authorized.
    const options = { store, clock, random, logger: silentLogger, identity, prepared: true };
    const server = await KubernetesServer.start(options);
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

let served: readonly Frozen<KubeObject>[] | undefined;

/**
 * Returns the CRDs of the built-in kinds as a server stores them, with the status of an established CRD. Having the server
 * validate them would take half a second.
 */
function ownDefinitions(): readonly Frozen<KubeObject>[] {
  served ??= ownKinds.map((kind) => {
    const definition = toCustomResourceDefinition(kind);
    const { names, versions } = definition.spec;
    const storedVersions = versions.filter(({ storage }) => storage).map(({ name }) => name);
    const met = { status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' };
    const conditions = [
      { ...met, type: 'NamesAccepted', reason: 'NoConflicts', message: 'no conflicts found' },
      { ...met, type: 'Established', reason: 'InitialNamesAccepted', message: 'the initial names have been accepted' },
    ];
    const metadata = { ...definition.metadata, uid: `crd-${kind.plural}.${kind.group}`, generation: 1 };
    return deepFreeze({ ...definition, metadata, status: { acceptedNames: names, storedVersions, conditions } });
  }) as unknown as readonly Frozen<KubeObject>[];
  return served;
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

/** Writes an object directly to the store, which preserves its uid, times, status and managed fields. */
async function seed(store: ObjectStore, { resource, object }: PlacedObject): Promise<void> {
  const { namespace = '', name = '' } = object.metadata;
  const key = { resource: storageResourceOf(resource), namespace, name };
  await store.commit({ key, expected: 0, object: cloneJson(object) as KubeObject });
}

/** Returns the CRD without its conversion webhook. Its storage version is the version in which its objects were read. */
function plain(definition: Definition): Frozen<KubeObject> {
  const { version } = resourceOfDefinition(definition);
  const { conversion: _conversion, ...spec } = definition.spec;
  const versions = spec.versions.map((each) => ({ ...each, storage: each.name === version }));
  return { ...definition, spec: { ...spec, versions, conversion: { strategy: 'None' } } };
}
