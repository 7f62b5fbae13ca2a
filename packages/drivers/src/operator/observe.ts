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
import { targetOf } from '../connection/connection-reconcile.js';
import { matrixOrigin, type SuppliedMatrix } from '../supply/index.js';
import { connectionsOf, isManaged, scopeOf } from './connection-scope.js';
import type { OperatorWorld } from './operator-world.js';

interface ObservedConnections {
  readonly connections: readonly Frozen<VsphereCloudConfig>[];
  /** Why the driver cannot be set up now; what runs is left alone. */
  readonly problem?: DriverError;
}

/** Everything that a look at the drivers depends on, as it is now. */
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
  world: OperatorWorld,
): Promise<Observed> {
  const { sources, signal } = context;
  const allNodes = [...sources.sourceFor(nodes).list()];
  const csiNodeSource = sources.sourceFor(csiNodes);
  const all = [...sources.sourceFor(vsphereCloudConfigs).list()];
  const used = connectionsOf(config, 'cpi', all).connections;
  const looked = used.length > 0 ? used : connectionsOf(config, 'csi', all).connections;
  return {
    config,
    kubernetes: await world.kubernetesVersion(signal),
    supplied: await observeMatrix(context, world),
    connections: { cpi: observeConnections(config, 'cpi', all), csi: observeConnections(config, 'csi', all) },
    nodes: allNodes,
    csiNodeOf: (name) => csiNodeSource.get({ namespace: '', name }),
    machines: await observeMachines(config, looked, allNodes, context, world),
    places: placesText(looked),
  };
}

async function observeMatrix(context: ReconcileContext, world: OperatorWorld): Promise<SuppliedMatrix | DriverError> {
  const { sources, signal } = context;
  const { namespace } = world.options;
  try {
    const origin = matrixOrigin({
      flag: world.options.matrix,
      config: sources.sourceFor(compatibilityConfigs).get({ namespace, name: compatibilityConfigName }),
      configMap: sources.sourceFor(configMaps).get({ namespace, name: matrixConfigMap }),
    });
    const supplied = await world.matrices.get(origin, context, signal);
    world.metrics.matrixLoaded(supplied.loadedMs);
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
        `the ${name} names ${unknown.join(', ')}, and there is no such VsphereCloudConfig`,
      ),
    };
  if (connections.length === 0)
    return {
      connections,
      problem: new DriverError(
        'WaitingForConnection',
        `there is no VsphereCloudConfig for the ${name} in ${config.metadata.namespace ?? ''}`,
      ),
    };
  const failing = connections.filter((connection) => !isCurrent(connection));
  if (failing.length === 0) return { connections };
  const words = failing.map((connection) => {
    const ready = getCondition(connection, 'Ready');
    return `${connection.metadata.name ?? ''}: ${ready?.reason ?? 'not checked yet'}`;
  });
  return { connections, problem: new DriverError('WaitingForConnection', `the ${name} waits for ${words.join(', ')}`) };
}

/** A word about a spec that has changed since says nothing of the new one. */
function isCurrent(connection: Frozen<VsphereCloudConfig>): boolean {
  const isSeen = connection.status?.observedGeneration === connection.metadata.generation;
  return isSeen && isConditionTrue(connection, 'Ready');
}

const machinesMs = 300_000;

/** vCenter is asked again when nodes or connections change, and now and then: a machine may have been changed below. */
async function observeMachines(
  config: Frozen<VdoConfig>,
  connections: readonly Frozen<VsphereCloudConfig>[],
  allNodes: readonly Frozen<Node>[],
  context: ReconcileContext,
  world: OperatorWorld,
): Promise<readonly MachineFacts[] | undefined> {
  if (connections.length === 0 || !connections.every(isCurrent)) return world.memory.machines?.found;
  const key = JSON.stringify([
    connections.map(({ metadata, status }) => [
      metadata.uid,
      metadata.generation,
      status?.observedSecretResourceVersion,
    ]),
    allNodes.map(({ metadata, spec }) => [metadata.uid, spec?.providerID]),
  ]);
  const held = world.memory.machines;
  const nowMs = context.clock.now();
  if (held?.key === key && nowMs - held.readMs < machinesMs) return held.found;
  const found: MachineFacts[] = [];
  try {
    for (const connection of connections) {
      const { target } = await targetOf(context.read, connection, world.options.namespace, context.signal);
      const usedBy = scopeOf(config, connection.metadata.name ?? '');
      found.push(...(await world.vcenters.machines({ ...target, usedBy }, context.signal)));
    }
  } catch (error) {
    if (context.signal.aborted) throw error;
    // The connection's own check tells what is wrong; nodes are judged by what is known.
    context.logger.warn({ err: error }, 'Reading the machines of vCenter failed');
    return held?.found;
  }
  world.memory.machines = { readMs: nowMs, key, found };
  return found;
}

function placesText(connections: readonly Frozen<VsphereCloudConfig>[]): string {
  if (connections.length === 0) return 'no vCenter: there is no connection';
  return connections
    .map(({ spec }) => `${spec?.vcIp ?? ''} (${(spec?.datacenters ?? []).join(', ') || 'no datacenter'})`)
    .join(', ');
}
