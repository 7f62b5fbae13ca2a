import {
  type Cluster,
  type ClusterClass,
  compareKubernetesVersions,
  flagAt,
  isKubernetesVersion,
  numberAt,
  parseKubernetesVersion,
  type ProviderObject,
  textAt,
} from '@slipway/cluster-api';
import { conditionOf, type Explanation, type Observed } from '@slipway/insight';
import { type Frozen, parseTime } from '@slipway/kube';
import type { ClusterState, Count, FleetRow } from '../model/fleet.js';

export interface FleetRowParts {
  readonly cluster: Frozen<Cluster>;
  readonly controlPlane: Observed | undefined;
  readonly clusterClass: Frozen<ClusterClass> | undefined;
  /** The explanation of an unhealthy cluster. Absent until it is computed. */
  readonly explanation?: Explanation | undefined;
}

/** Returns the row of a cluster in the fleet list. */
export function fleetRow({ cluster, controlPlane, clusterClass, explanation }: FleetRowParts): FleetRow {
  const object = cluster as Observed;
  const { namespace = '', name = '', creationTimestamp } = cluster.metadata;
  const available = conditionOf(object, 'Available');
  const state = stateOf(object, available?.status, explanation);
  const version = versionOf(object, controlPlane);
  return {
    namespace,
    name,
    version,
    running: runningOf(version, controlPlane),
    upgrade: newestUpgrade(version, clusterClass),
    infrastructure: (textAt(object, 'spec', 'infrastructureRef', 'kind') ?? '').replace(/Cluster$/, ''),
    clusterClass: textAt(object, 'spec', 'topology', 'classRef', 'name') ?? '',
    controlPlane: countOf(object, 'controlPlane'),
    workers: countOf(object, 'workers'),
    state,
    paused: flagAt(object, 'spec', 'paused'),
    blocked: explanation?.verdict === 'blocked',
    ...reasonsOf(object, state, explanation),
    createdAt: createdAt(creationTimestamp),
  };
}

function versionOf(cluster: Observed, controlPlane: Observed | undefined): string {
  const wanted = textAt(cluster, 'spec', 'topology', 'version');
  return wanted ?? (controlPlane && textAt(controlPlane, 'spec', 'version')) ?? '';
}

/** Returns the running version during an upgrade, to show it beside the desired version; '' otherwise. */
function runningOf(wanted: string, controlPlane: Observed | undefined): string {
  const running = (controlPlane && textAt(controlPlane, 'status', 'version')) ?? '';
  return running === wanted ? '' : running;
}

function createdAt(timestamp: string | null | undefined): number {
  return timestamp === undefined || timestamp === null ? 0 : parseTime(timestamp);
}

/**
 * Returns the state of a cluster: `coming` if the controllers are working, `blocked` or `unavailable` if a user has to act. A
 * cluster that was available before is `unavailable` until it is explained.
 */
function stateOf(object: Observed, available: string | undefined, explanation: Explanation | undefined): ClusterState {
  if ((object.metadata.deletionTimestamp ?? '') !== '') return 'deleting';
  if (available === 'True') return explanation?.verdict === 'blocked' ? 'blocked' : 'available';
  if (explanation !== undefined) return explanation.verdict === 'blocked' ? 'unavailable' : 'coming';
  return flagAt(object, 'status', 'initialization', 'controlPlaneInitialized') ? 'unavailable' : 'coming';
}

function reasonsOf(
  object: Observed,
  state: ClusterState,
  explanation: Explanation | undefined,
): Pick<FleetRow, 'reason' | 'message'> {
  const { root } = explanation ?? {};
  if (root !== undefined)
    return { reason: root.reason, message: `${root.object.kind} ${root.object.name}: ${oneLine(root.message)}` };
  if (state === 'available') return { reason: '', message: '' };
  const condition = conditionOf(object, state === 'deleting' ? 'Deleting' : 'Available');
  return { reason: condition?.reason ?? '', message: oneLine(condition?.message ?? '') };
}

function oneLine(text: string): string {
  // Aggregated condition messages are lists with one item per line.
  return text
    .split('\n')
    .map((line) => line.replace(/^\s*\* /, ''))
    .join(' · ')
    .replaceAll(': · ', ': ');
}

function countOf(object: ProviderObject, part: string): Count {
  return [
    numberAt(object, 'status', part, 'readyReplicas') ?? 0,
    numberAt(object, 'status', part, 'desiredReplicas') ?? 0,
  ];
}

/**
 * Returns the newest version to which the cluster can be upgraded. Only a ClusterClass that lists its versions suggests upgrades.
 */
function newestUpgrade(version: string, clusterClass: Frozen<ClusterClass> | undefined): string {
  const offered = (clusterClass?.spec.kubernetesVersions ?? []).filter(isKubernetesVersion);
  if (!isKubernetesVersion(version)) return '';
  return offered.reduce((newest, one) => (isNewer(one, newest === '' ? version : newest) ? one : newest), '');
}

function isNewer(one: string, other: string): boolean {
  const [left, right] = [parseKubernetesVersion(one), parseKubernetesVersion(other)];
  return left !== undefined && right !== undefined && compareKubernetesVersions(left, right) > 0;
}
