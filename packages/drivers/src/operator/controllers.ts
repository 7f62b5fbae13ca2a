import type { Frozen, KubeObject } from '@slipway/kube';
import { toCustomResourceDefinition } from '@slipway/kube/kit';
import {
  configMaps,
  type Controller,
  type ControllerContext,
  type ControllerSet,
  createController,
  csiDrivers,
  csiNodes,
  daemonSets,
  deployments,
  keyOf,
  nodes,
  type ObjectKey,
  type Resource,
  type Sources,
  type Watch,
  watch,
} from '@slipway/runtime';
import {
  compatibilityConfigs,
  driverKinds,
  labels,
  operatorName,
  vdoConfigs,
  vsphereCloudConfigs,
} from '../api/index.js';
import { reconcileConnection } from './reconcile-connection.js';
import { reconcileCompatibility } from './compatibility.js';
import type { OperatorDependencies } from './dependencies.js';
import { reconcileVdoConfig } from './reconcile.js';

/** Creates the controllers of the operator. */
export function driverControllers(sources: Sources, dependencies: OperatorDependencies): readonly Controller[] {
  return [
    vdoConfigController(sources, dependencies),
    connectionController(sources, dependencies),
    compatibilityController(sources, dependencies),
  ];
}

/** Creates the controllers as a set, to run them in one process with others. */
export function createDriverControllers(
  dependenciesOf: (context: ControllerContext) => OperatorDependencies,
): ControllerSet {
  let dependencies: OperatorDependencies | undefined;
  const shared = (context: ControllerContext): OperatorDependencies => (dependencies ??= dependenciesOf(context));
  return {
    name: 'drivers',
    controllers: [
      { name: 'vdoconfig', concurrencyDefault: 1, create: (each) => vdoConfigController(each.sources, shared(each)) },
      { name: 'vspherecloudconfig', create: (each) => connectionController(each.sources, shared(each)) },
      { name: 'compatibilityconfig', create: (each) => compatibilityController(each.sources, shared(each)) },
    ],
    customResourceDefinitions: () => driverKinds.map((kind) => toCustomResourceDefinition(kind)),
  };
}

function allVdoConfigs(sources: Sources): () => ObjectKey[] {
  return () => [...sources.sourceFor(vdoConfigs).list()].map(keyOf);
}

/**
 * Creates the controller of VDOConfigs. Any change of a watched object enqueues all VDOConfigs; the queue merges changes that
 * arrive together.
 */
function vdoConfigController(sources: Sources, dependencies: OperatorDependencies): Controller {
  const map = allVdoConfigs(sources);
  const ours = (object: Frozen<KubeObject>): boolean =>
    object.metadata.labels?.[labels.driver] !== undefined || object.metadata.name === operatorName;
  const any = (resource: Resource): Watch => ({ resource, map });
  const marked = (resource: Resource): Watch => ({ resource, map, filter: ({ object }) => ours(object) });
  return createController({
    name: 'vdoconfig',
    for: vdoConfigs,
    concurrency: 1,
    timeoutMs: 300_000,
    watches: [
      any(vdoConfigs),
      any(vsphereCloudConfigs),
      any(compatibilityConfigs),
      watch(configMaps, {
        map,
        filter: ({ object }) =>
          object.metadata.namespace === dependencies.options.namespace && !isOwnRecord(object.metadata.name),
      }),
      watch(nodes, { map, filter: ({ object, previous }) => previous === undefined || nodeMatters(object, previous) }),
      any(csiNodes),
      any(csiDrivers),
      marked(daemonSets),
      marked(deployments),
    ],
    reconcile: (key, context) => reconcileVdoConfig(key, context, dependencies),
  });
}

/** Returns whether the operator itself writes the ConfigMap. Its changes must not trigger a reconcile. */
function isOwnRecord(name = ''): boolean {
  return name.startsWith('vdo-inventory-') || name === 'compat-matrix-cache';
}

type NodeObject = Frozen<import('@slipway/runtime').Node>;

/** Returns whether a change of a Node matters. Kubelet heartbeats do not. */
function nodeMatters(object: NodeObject, previous: NodeObject): boolean {
  const facts = ({ spec, status, metadata }: NodeObject): string =>
    JSON.stringify([
      spec?.providerID,
      spec?.taints,
      spec?.unschedulable,
      status?.addresses,
      metadata.labels,
      status?.conditions?.find(({ type }) => type === 'Ready')?.status,
    ]);
  return facts(object) !== facts(previous);
}

function connectionController(sources: Sources, dependencies: OperatorDependencies): Controller {
  const everyConnection = (): ObjectKey[] => [...sources.sourceFor(vsphereCloudConfigs).list()].map(keyOf);
  return createController({
    name: 'vspherecloudconfig',
    for: vsphereCloudConfigs,
    concurrency: 4,
    timeoutMs: 120_000,
    // The VDOConfig determines which drivers use a connection, and so the privileges that the connection requires.
    watches: [
      watch(vdoConfigs, {
        map: everyConnection,
        filter: ({ object, previous }) => object.metadata.generation !== previous?.metadata.generation,
      }),
    ],
    reconcile: (key, context) => reconcileConnection(key, context, dependencies),
  });
}

function compatibilityController(sources: Sources, dependencies: OperatorDependencies): Controller {
  const every = (): ObjectKey[] => [...sources.sourceFor(compatibilityConfigs).list()].map(keyOf);
  return createController({
    name: 'compatibilityconfig',
    for: compatibilityConfigs,
    concurrency: 1,
    watches: [
      watch(configMaps, {
        map: every,
        filter: ({ object }) =>
          object.metadata.namespace === dependencies.options.namespace && !isOwnRecord(object.metadata.name),
      }),
    ],
    reconcile: (key, context) => reconcileCompatibility(key, context, dependencies),
  });
}
