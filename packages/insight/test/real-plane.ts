import { ensureServerIdentity, memoryIdentityFiles, KubernetesServer, openMemoryStore } from '@slipway/apiserver';
import { Scope, silentLogger, systemClock, systemRandom } from '@slipway/base';
import * as clusterApi from '@slipway/cluster-api';
import * as dev from '@slipway/dev';
import type { Frozen, KubeObject } from '@slipway/kube';
import * as kubeadm from '@slipway/kubeadm';
import { KeyPool } from '@slipway/pki';
import { findDefinition, InProcessClient, installKinds, startEmbeddedControllers } from '@slipway/plane';
import { type Client, InformerFactory, type InformerView, namespaces, type Resource } from '@slipway/runtime';
import { type MachineEvent, machineEvent } from '../src/index.js';

/** A management plane as `slipway up` runs it: the real controllers, in real time, on simulated machines. */
export interface RealPlane {
  readonly client: Client;
  /** The changes of Machines, in the order in which the server made them. */
  readonly events: MachineEvent[];
  until<T extends KubeObject, R>(
    what: string,
    resource: Resource<T>,
    check: (view: InformerView<T>) => R | undefined | false | null,
  ): Promise<NonNullable<R>>;
  stop(): Promise<void>;
}

const timeoutMs = 60_000;

export async function startRealPlane(gates: Partial<clusterApi.FeatureGates> = {}): Promise<RealPlane> {
  const scope = new Scope();
  const plane = { clock: systemClock, random: systemRandom, keys: new KeyPool({ size: 0 }) };
  const store = await openMemoryStore();
  scope.defer(() => store.close());
  const identity = await ensureServerIdentity({ ...plane, files: memoryIdentityFiles() }, { keyAlgorithm: 'ECDSA' });
  const server = await KubernetesServer.start({ store, ...plane, logger: silentLogger, identity });
  scope.defer(() => server.stop());
  const client = new InProcessClient({ registry: server.registry });
  const conversions = [...clusterApi.clusterApiConversions, ...kubeadm.kubeadmConversions, ...dev.devConversions];
  const admissions = [...clusterApi.clusterApiAdmission, ...kubeadm.kubeadmAdmission, ...dev.devAdmission];
  const features = { ...clusterApi.featureGateDefaults, ...gates };
  const contractVersions = clusterApi.contractVersionsFrom((name) => findDefinition(store, name));
  const kinds = {
    name: 'slipway',
    kinds: [...clusterApi.clusterApiKinds, ...kubeadm.kubeadmKinds, ...dev.devKinds],
    converters: clusterApi.createConverters(conversions, contractVersions),
    rules: clusterApi.bindAdmission(admissions, features, client),
  };
  scope.add(await installKinds(server, client, kinds, plane));
  await client
    .create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } })
    .catch(() => undefined);
  const infrastructure = dev.createDev({ ...plane, network: 'none' });
  scope.add(infrastructure);
  const sets = [clusterApi.clusterApiControllers, kubeadm.kubeadmControllers, infrastructure.controllers];
  const featureGates = Object.entries(gates)
    .map(([name, open]) => `${name}=${open}`)
    .join(',');
  const { connect } = infrastructure;
  scope.add(
    await startEmbeddedControllers({
      server,
      sets,
      choices: { featureGates },
      logger: silentLogger,
      connect,
      ...plane,
    }),
  );
  const events: MachineEvent[] = [];
  const watch = store.watch(
    { resource: 'cluster.x-k8s.io/machines' },
    store.revision,
    ({ type, current, previous }) => {
      const event = machineEvent(
        previous?.object,
        type === 'DELETED' ? undefined : (current.object as Frozen<KubeObject>),
      );
      if (event !== undefined) events.push(event);
    },
  );
  scope.defer(() => watch.dispose());
  const informers = new InformerFactory({ client, clock: systemClock, random: systemRandom });
  scope.add(informers);
  return {
    client,
    events,
    async until(what, resource, check) {
      try {
        return await informers.informer(resource).waitFor(check, { signal: AbortSignal.timeout(timeoutMs) });
      } catch (error) {
        const { items } = await client.list(resource);
        throw new Error(`not within ${timeoutMs} ms: ${what}\n${JSON.stringify(items, undefined, 1)}`, {
          cause: error,
        });
      }
    },
    stop: () => scope.dispose(),
  };
}
