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
import { conditionOf, type Observed } from '@slipway/insight';
import { type Frozen, parseTime } from '@slipway/kube';
import type { ClusterState, Count, FleetRow } from '../model/fleet.js';

export interface FleetRowParts {
  readonly cluster: Frozen<Cluster>;
  readonly controlPlane: Observed | undefined;
  readonly clusterClass: Frozen<ClusterClass> | undefined;
}

/** What the list of all clusters shows of one. */
export function fleetRow({ cluster, controlPlane, clusterClass }: FleetRowParts): FleetRow {
  const object = cluster as Observed;
  const { namespace = '', name = '', creationTimestamp } = cluster.metadata;
  const available = conditionOf(object, 'Available');
  const state = stateOf(object, available?.status);
  const version = versionOf(object, controlPlane);
  return {
    namespace,
    name,
    version,
    upgrade: newestUpgrade(version, clusterClass),
    infrastructure: (textAt(object, 'spec', 'infrastructureRef', 'kind') ?? '').replace(/Cluster$/, ''),
    clusterClass: textAt(object, 'spec', 'topology', 'classRef', 'name') ?? '',
    controlPlane: countOf(object, 'controlPlane'),
    workers: countOf(object, 'workers'),
    state,
    paused: flagAt(object, 'spec', 'paused'),
    reason: state === 'available' ? '' : (available?.reason ?? ''),
    message: state === 'available' ? '' : whyNot(object, state, available?.message ?? ''),
    createdAt: createdAt(creationTimestamp),
  };
}

function versionOf(cluster: Observed, controlPlane: Observed | undefined): string {
  const wanted = textAt(cluster, 'spec', 'topology', 'version');
  return wanted ?? (controlPlane && textAt(controlPlane, 'spec', 'version')) ?? '';
}

function createdAt(timestamp: string | null | undefined): number {
  return timestamp === undefined || timestamp === null ? 0 : parseTime(timestamp);
}

function stateOf(object: Observed, available: string | undefined): ClusterState {
  if ((object.metadata.deletionTimestamp ?? '') !== '') return 'deleting';
  if (available === 'True') return 'available';
  return flagAt(object, 'status', 'initialization', 'controlPlaneInitialized') ? 'unavailable' : 'coming';
}

function whyNot(object: Observed, state: ClusterState, message: string): string {
  const told = state === 'deleting' ? (conditionOf(object, 'Deleting')?.message ?? '') : message;
  // Conditions write lists, one line for each point.
  return told
    .split('\n')
    .map((line) => line.replace(/^\s*\* /, ''))
    .join(' · ');
}

function countOf(object: ProviderObject, part: string): Count {
  return [
    numberAt(object, 'status', part, 'readyReplicas') ?? 0,
    numberAt(object, 'status', part, 'desiredReplicas') ?? 0,
  ];
}

/** Classes say which versions their clusters may have; others leave it to their owners. */
function newestUpgrade(version: string, clusterClass: Frozen<ClusterClass> | undefined): string {
  const offered = (clusterClass?.spec.kubernetesVersions ?? []).filter(isKubernetesVersion);
  if (!isKubernetesVersion(version)) return '';
  const own = parseKubernetesVersion(version);
  const newer = offered.filter((one) => {
    const [left, right] = [parseKubernetesVersion(one), own];
    return left !== undefined && right !== undefined && compareKubernetesVersions(left, right) > 0;
  });
  return newer.at(-1) ?? '';
}
