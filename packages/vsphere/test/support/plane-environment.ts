import { type Clock, type Disposable, Scope, silentLogger, systemClock, systemRandom } from '@slipway/base';
import {
  bindAdmission,
  clusterApiAdmission,
  clusterApiConversions,
  clusterApiKinds,
  contractVersionsFrom,
  createConverters,
  type FeatureGates,
  featureGateDefaults,
} from '@slipway/cluster-api';
import { createDev, type Dev } from '@slipway/dev';
import type { Kind } from '@slipway/kube';
import { kubeadmAdmission, kubeadmConversions, kubeadmKinds } from '@slipway/kubeadm';
import { KeyPool } from '@slipway/pki';
import { findDefinition, InProcessClient, installKinds, startEmbeddedControllers } from '@slipway/plane';
import { ChangeFeed, type Client, type ControllerSet, namespaces } from '@slipway/runtime';
import { startEmbeddedServer } from '@slipway/testing/plane';
import { createVSphereAdmission, vsphereConversions } from '../../src/index.js';
import { namespace, ObjectEnvironment } from './object-environment.js';

export interface PlaneOptions {
  /** The vSphere kinds to install. Those of Cluster API and kubeadm are always installed. */
  readonly kinds: readonly Kind[];
  readonly featureGates?: readonly string[];
  readonly networkProvider?: string;
  readonly namespaces?: readonly string[];
  /** Clock of the controllers. */
  readonly clock?: Clock;
}

/** An embedded management plane with CRDs and without controllers. */
export interface Plane {
  /** Disposes of everything that was started on the plane. */
  readonly scope: Scope;
  readonly client: Client;
  readonly dev: Dev;
  /** The changes of all controllers on the plane. */
  readonly changes: ChangeFeed;
  start(sets: readonly ControllerSet[]): Promise<Disposable>;
}

export async function openPlane(options: PlaneOptions): Promise<Plane> {
  const { featureGates = [], networkProvider = '', clock = systemClock } = options;
  const scope = new Scope();
  const embedded = await startEmbeddedServer();
  const { server, store } = embedded;
  scope.defer(() => embedded.stop());
  const client = new InProcessClient({ registry: server.registry });
  const environment = { clock: systemClock, random: systemRandom };
  const opened = Object.fromEntries(featureGates.map((gate) => [gate, true]));
  const conversions = [...clusterApiConversions, ...kubeadmConversions, ...vsphereConversions];
  const admission = [...clusterApiAdmission, ...kubeadmAdmission, ...createVSphereAdmission({ networkProvider })];
  const kinds = {
    name: 'slipway',
    kinds: [...clusterApiKinds, ...kubeadmKinds, ...options.kinds],
    converters: createConverters(
      conversions,
      contractVersionsFrom((name) => findDefinition(store, name)),
    ),
    rules: bindAdmission(admission, { ...featureGateDefaults, ...opened } as FeatureGates, client),
  };
  scope.add(await installKinds(server, client, kinds, environment));
  for (const name of [namespace, ...(options.namespaces ?? [])])
    await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  const dev = scope.add(createDev({ ...environment, keys: new KeyPool(), network: 'none' }));
  /** Returns the requested feature gates that the controller sets know: each set defines its own. */
  const choicesFor = (sets: readonly ControllerSet[]): { featureGates: string } => {
    const known = new Set(sets.flatMap((set) => (set.featureGates ?? []).map(({ name }) => name)));
    const own = featureGates.filter((gate) => known.has(gate));
    return { featureGates: own.map((gate) => `${gate}=true`).join(',') };
  };
  const changes = new ChangeFeed();
  const start = (sets: readonly ControllerSet[]): Promise<Disposable> =>
    startEmbeddedControllers({
      server,
      ...environment,
      clock,
      sets,
      logger: silentLogger,
      connect: dev.connect,
      changes,
      choices: choicesFor(sets),
    });
  return { scope, client, dev, changes, start };
}

/** Creates objects on an embedded plane, and runs controllers on it. */
export class PlaneEnvironment extends ObjectEnvironment {
  constructor(protected readonly plane: Plane) {
    super(plane.client);
  }

  get dev(): Dev {
    return this.plane.dev;
  }

  /** Runs further controllers until the plane stops. */
  async start(sets: readonly ControllerSet[]): Promise<void> {
    this.plane.scope.add(await this.plane.start(sets));
  }

  async stop(): Promise<void> {
    await this.plane.scope.dispose();
  }
}
