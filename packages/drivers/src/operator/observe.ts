import type { Frozen } from '@slipway/kube';
import {
  configMaps,
  type CsiNode,
  csiNodes,
  getCondition,
  isConditionTrue,
  type Node,
  nodes,
  type ReconcileContext,
} from '@slipway/runtime';
import {
  compatibilityConfigName,
  compatibilityConfigs,
  DriverError,
  type DriverName,
  matrixConfigMap,
  type VdoConfig,
  type VsphereCloudConfig,
  vsphereCloudConfigs,
} from '../api/index.js';
import type { MachineFacts } from '../connection/vcenters.js';
import { targetOf } from './reconcile-connection.js';
import { matrixOrigin, type SuppliedMatrix } from '../supply/index.js';
import { connectionsOf, isManaged, scopeOf } from './connection-scope.js';
import type { OperatorDependencies } from './dependencies.js';

interface ObservedConnections {
  readonly connections: readonly Frozen<VsphereCloudConfig>[];
  /** Why the driver cannot be configured now. A running driver is kept nevertheless. */
  readonly problem?: DriverError;
}

/** The observed state that a reconcile depends on. */
export interface Observed {
  readonly config: Frozen<VdoConfig>;
  readonly kubernetes: string;
  readonly supplied: SuppliedMatrix | DriverError;
  readonly connections: Readonly<Record<DriverName, ObservedConnections>>;
  readonly nodes: readonly Frozen<Node>[];
  readonly csiNodeOf: (name: string) => Frozen<CsiNode> | undefined;
  readonly machines: readonly MachineFacts[] | undefined;
  readonly places: string;
}

export async function observe(
  config: Frozen<VdoConfig>,
  context: ReconcileContext,
  dependencies: OperatorDependencies,
): Promise<Observed> {
  const { sources, signal } = context;
  const allNodes = [...sources.sourceFor(nodes).list()];
  const csiNodeSource = sources.sourceFor(csiNodes);
  const all = [...sources.sourceFor(vsphereCloudConfigs).list()];
  const used = connectionsOf(config, 'cpi', all).connections;
  const looked = used.length > 0 ? used : connectionsOf(config, 'csi', all).connections;
  return {
    config,
    kubernetes: await dependencies.kubernetesVersion(signal),
    supplied: await observeMatrix(context, dependencies),
    connections: { cpi: observeConnections(config, 'cpi', all), csi: observeConnections(config, 'csi', all) },
    nodes: allNodes,
    csiNodeOf: (name) => csiNodeSource.get({ namespace: '', name }),
    machines: await observeMachines(config, looked, allNodes, context, dependencies),
    places: placesText(looked),
  };
}

async function observeMatrix(
  context: ReconcileContext,
  dependencies: OperatorDependencies,
): Promise<SuppliedMatrix | DriverError> {
  const { sources, signal } = context;
  const { namespace } = dependencies.options;
  try {
    const origin = matrixOrigin({
      flag: dependencies.options.matrix,
      config: sources.sourceFor(compatibilityConfigs).get({ namespace, name: compatibilityConfigName }),
      configMap: sources.sourceFor(configMaps).get({ namespace, name: matrixConfigMap }),
    });
    const supplied = await dependencies.matrices.get(origin, context, signal);
    dependencies.metrics.matrixLoaded(supplied.loadedMs);
    return supplied;
  } catch (error) {
    if (error instanceof DriverError) return error;
    throw error;
  }
}

function observeConnections(
  config: Frozen<VdoConfig>,
  driver: DriverName,
  all: readonly Frozen<VsphereCloudConfig>[],
): ObservedConnections {
  if (!isManaged(config.spec, driver)) return { connections: [] };
  const { connections, unknown } = connectionsOf(config, driver, all);
  const name = driver.toUpperCase();
  if (unknown.length > 0)
    return {
      connections,
      problem: new DriverError(
        'ConnectionNotFound',
        `VsphereCloudConfig ${unknown.join(', ')} of the ${name} not found`,
      ),
    };
  if (connections.length === 0)
    return {
      connections,
      problem: new DriverError(
        'WaitingForConnection',
        `no VsphereCloudConfig for the ${name} in namespace ${config.metadata.namespace ?? ''}`,
      ),
    };
  const failing = connections.filter((connection) => !isCurrent(connection));
  if (failing.length === 0) return { connections };
  const words = failing.map((connection) => {
    const ready = getCondition(connection, 'Ready');
    return `${connection.metadata.name ?? ''}: ${ready?.reason ?? 'not checked yet'}`;
  });
  return {
    connections,
    problem: new DriverError('WaitingForConnection', `${name} is waiting for connections: ${words.join(', ')}`),
  };
}

/** Returns whether the conditions apply to the current spec: those of an earlier generation do not. */
function isCurrent(connection: Frozen<VsphereCloudConfig>): boolean {
  const isSeen = connection.status?.observedGeneration === connection.metadata.generation;
  return isSeen && isConditionTrue(connection, 'Ready');
}

const machinesMs = 300_000;

/**
 * Reads the VMs if nodes or connections changed, and periodically to detect changes of VMs. Otherwise returns the last result.
 */
async function observeMachines(
  config: Frozen<VdoConfig>,
  connections: readonly Frozen<VsphereCloudConfig>[],
  allNodes: readonly Frozen<Node>[],
  context: ReconcileContext,
  dependencies: OperatorDependencies,
): Promise<readonly MachineFacts[] | undefined> {
  if (connections.length === 0 || !connections.every(isCurrent)) return dependencies.memory.machines?.found;
  const key = JSON.stringify([
    connections.map(({ metadata, status }) => [
      metadata.uid,
      metadata.generation,
      status?.observedSecretResourceVersion,
    ]),
    allNodes.map(({ metadata, spec }) => [metadata.uid, spec?.providerID]),
  ]);
  const held = dependencies.memory.machines;
  const nowMs = context.clock.now();
  if (held?.key === key && nowMs - held.readMs < machinesMs) return held.found;
  const found: MachineFacts[] = [];
  try {
    for (const connection of connections) {
      const { target } = await targetOf(context.read, connection, dependencies.options.namespace, context.signal);
      const usedBy = scopeOf(config, connection.metadata.name ?? '');
      found.push(...(await dependencies.vcenters.machines({ ...target, usedBy }, context.signal)));
    }
  } catch (error) {
    if (context.signal.aborted) throw error;
    // The connection check reports the problem; nodes are evaluated with the last known VMs.
    context.logger.warn({ err: error }, 'Failed to read VMs from vCenter');
    return held?.found;
  }
  dependencies.memory.machines = { readMs: nowMs, key, found };
  return found;
}

function placesText(connections: readonly Frozen<VsphereCloudConfig>[]): string {
  if (connections.length === 0) return 'no vCenter, because no connection is configured';
  return connections
    .map(({ spec }) => `${spec?.vcIp ?? ''} (${(spec?.datacenters ?? []).join(', ') || 'no datacenter'})`)
    .join(', ');
}
