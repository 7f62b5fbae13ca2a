import type { Disposable } from '@slipway/base';
import { clusterOf, clusters, workloadClusters } from '@slipway/cluster-api';
import type { Frozen, KubeObject } from '@slipway/kube';
import {
  type Controller,
  type ControllerContext,
  type ControllerSet,
  createController,
  type Gate,
  InformerFactory,
  keyOf,
  type ObjectKey,
  openGate,
  secrets,
  type Sources,
  type Trigger,
  watch,
} from '@slipway/runtime';
import { vsphereClusters, vsphereMachines, whenInstalled } from '@slipway/vsphere';
import { clusterAnnotations } from '../api/index.js';
import { HostedOperators } from './hosted-operators.js';
import { reconcileClusterDrivers } from './reconcile.js';

/** Installs the requested drivers in clusters on vSphere. */
export function createClusterDrivers(): ControllerSet {
  return {
    name: 'vsphere-drivers',
    controllers: [
      {
        name: 'cluster-drivers',
        concurrencyDefault: 10,
        create: (context) => whenInstalled(clusterDriversController(context)),
      },
    ],
  };
}

function clusterDriversController(context: ControllerContext): Controller {
  const { sources, concurrency, watchFilter, clock, random, logger, metrics } = context;
  const workloads = workloadClusters(context);
  const operators = new HostedOperators({ clock, random, logger, registry: metrics });
  let gate: Gate = openGate;
  const fenceFor = (cluster: Frozen<KubeObject>) => gate.fenceFor(gate.shardKeyOf?.(cluster) ?? '');
  const asks = (key: ObjectKey): boolean => {
    const found = sources.sourceFor(clusters).get(key);
    return found?.metadata.annotations?.[clusterAnnotations.drivers] !== undefined;
  };
  const controller = createController({
    name: 'cluster-drivers',
    for: clusters,
    concurrency,
    // The timeout is longer than that of a call to vCenter.
    timeoutMs: 120_000,
    filter: watchFilter,
    watches: [
      watch(vsphereClusters, { map: (one) => ownerOf(sources, one).filter(asks) }),
      watch(vsphereMachines, {
        map: (one) => ownerOf(sources, one).filter(asks),
        filter: ({ object, previous }) => object.spec.datacenter !== previous?.spec.datacenter,
      }),
    ],
    triggers: [
      (enqueue) =>
        workloads.onChange((key) => {
          if (asks(key)) enqueue(key);
        }),
      followAccounts(context),
      // The operators stop with this controller: they must not continue to run after the process lost its lease.
      (): Disposable => ({ dispose: () => operators.dispose() }),
    ],
    reconcile: (key, reconcileContext) =>
      reconcileClusterDrivers(key, reconcileContext, { workloads, operators, fenceFor }),
  });
  return {
    ...controller,
    start(environment) {
      ({ gate } = environment);
      return controller.start(environment);
    },
  };
}

function ownerOf(sources: Sources, object: Frozen<KubeObject>): ObjectKey[] {
  const cluster = clusterOf(sources, { metadata: object.metadata });
  return cluster === undefined ? [] : [keyOf(cluster)];
}

/** Enqueues Clusters when a credential Secret changes. The watch is metadata-only, so that credentials are not cached. */
function followAccounts({ client, clock, random, logger, namespace, sources }: ControllerContext): Trigger {
  return (enqueue) => {
    const factory = new InformerFactory({ client, clock, random, logger });
    const notify = (secret: Frozen<KubeObject>): void => {
      for (const key of clustersNaming(sources, secret)) enqueue(key);
    };
    const scope = namespace === '' ? {} : { namespace };
    const options = { ...scope, fieldSelector: 'type=kubernetes.io/basic-auth' };
    factory.metadataInformer(secrets, options).addHandler({ added: notify, updated: notify, deleted: notify });
    return factory;
  };
}

const accountIndex = {
  name: 'account of drivers',
  valuesOf: ({ metadata }: Frozen<KubeObject>): string[] => {
    const { credentials, cpiCredentials, csiCredentials } = clusterAnnotations;
    return [credentials, cpiCredentials, csiCredentials].flatMap((name) => {
      const secret = metadata.annotations?.[name];
      return secret === undefined ? [] : [`${metadata.namespace ?? ''}/${secret}`];
    });
  },
};

function clustersNaming(sources: Sources, { metadata }: Frozen<KubeObject>): ObjectKey[] {
  const { namespace = '', name = '' } = metadata;
  return sources
    .sourceFor(clusters)
    .byIndex(accountIndex, `${namespace}/${name}`)
    .map((cluster) => keyOf(cluster as Frozen<KubeObject>));
}
