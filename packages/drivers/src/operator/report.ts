import type { Frozen } from '@slipway/kube';
import { type ConditionTarget, edit, getCondition, type NewCondition, setCondition } from '@slipway/runtime';
import {
  type ConnectionSummary,
  DriverError,
  type DriverStatus,
  type NodeStatus,
  type VdoConfig,
  type VsphereCloudConfig,
} from '../api/index.js';
import { nodeStates } from '../health/index.js';
import { conditionsOf, summaryOf } from './conditions.js';
import type { DriverState } from './driver-state.js';
import type { Observed } from './observe.js';

export interface Findings {
  readonly observed: Observed;
  readonly cpi: DriverState;
  readonly csi: DriverState;
  readonly nodes: readonly NodeStatus[];
  readonly nowMs: number;
}

export function findingsOf(observed: Observed, cpi: DriverState, csi: DriverState, nowMs: number): Findings {
  return { observed, cpi, csi, nowMs, nodes: cpi.isManaged ? nodeStates(observed) : [] };
}

/** Returns the VDOConfig with the results in its status, or the same object if nothing changed. */
export function withFindings(config: Frozen<VdoConfig>, findings: Findings): Frozen<VdoConfig> {
  const { observed, cpi, csi, nodes, nowMs } = findings;
  const conditions = conditionsOf(findings);
  return edit(config, (draft) => {
    const status = (draft.status ??= {});
    status.observedGeneration = config.metadata.generation ?? 0;
    status.summary = summaryOf(findings, conditions);
    status.cloudProvider = reported(cpi, observed);
    status.storageProvider = reported(csi, observed);
    status.nodes = nodes.map((node) => ({ ...node }));
    status.nodeCounts = countsOf(nodes);
    status.connections = connectionsIn(observed);
    status.cpi = {
      phase: phaseOf(cpi, nodes),
      statusMsg: messageOf(cpi),
      'nodeStatus ': Object.fromEntries(nodes.map(({ name, state }) => [name, state === 'foreign' ? 'failed' : state])),
    };
    status.csi = { phase: phaseOf(csi, []), statusMsg: messageOf(csi) };
    for (const condition of conditions) setCondition(draft as ConditionTarget, condition, nowMs);
  });
}

function reported(state: DriverState, { supplied }: Observed): DriverStatus {
  const { status, health, resolution } = state;
  if (!state.isManaged) return { health: 'NotConfigured' };
  const { availableUpgrade: _old, ...rest } = status;
  const desiredVersion = resolution.entry?.version;
  return {
    ...rest,
    ...(desiredVersion !== undefined && { desiredVersion }),
    ...(resolution.available !== undefined && { availableUpgrade: resolution.available }),
    ...(!(supplied instanceof DriverError) && { matrixRevision: supplied.matrix.revision }),
    health: health.health,
    message: messageOf(state),
    workloads: health.workloads.map(({ kind, namespace, name, desired, ready, updated }) => ({
      kind,
      namespace,
      name,
      desired,
      ready,
      updated,
    })),
  };
}

function messageOf({ problem, resolution, health }: DriverState): string {
  return problem?.message ?? resolution.problem?.message ?? health.message;
}

function countsOf(nodes: readonly NodeStatus[]): Record<string, number> {
  const counts: Record<string, number> = { ready: 0, pending: 0, failed: 0, foreign: 0 };
  for (const { state } of nodes) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

function connectionsIn({ connections }: Observed): ConnectionSummary[] {
  const all = [...connections.cpi.connections, ...connections.csi.connections];
  return [...new Map(all.map((each) => [each.metadata.name ?? '', each])).values()].map(summaryOfConnection);
}

function summaryOfConnection(connection: Frozen<VsphereCloudConfig>): ConnectionSummary {
  const { metadata, spec, status } = connection;
  const ready = getCondition(connection, 'Ready');
  return {
    name: metadata.name ?? '',
    server: spec?.vcIp ?? '',
    ...(status?.user !== undefined && { user: status.user }),
    ...(status?.apiVersion !== undefined && { version: status.apiVersion }),
    state: ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Verified' : 'Failed',
    ...(ready !== undefined && { reason: ready.reason, message: ready.message }),
  };
}

/** Returns the phase, a status field for clients of earlier versions. */
function phaseOf(
  state: DriverState,
  nodes: readonly NodeStatus[],
): 'Deploying' | 'Deployed' | 'Configuring' | 'Configured' | 'Failed' {
  const { problem, health, driver } = state;
  if (problem !== undefined && problem.reason !== 'WaitingForConnection') return 'Failed';
  if (health.health === 'Unhealthy') return 'Failed';
  if (health.health !== 'Healthy' && health.health !== 'Degraded') return 'Deploying';
  if (driver === 'csi') return health.health === 'Healthy' ? 'Configured' : 'Deployed';
  return nodes.every(({ state: node }) => node === 'ready') ? 'Configured' : 'Configuring';
}

/** Returns the VDOConfig with the given conditions set. Only this operator writes conditions of the kind. */
export function withOneCondition(
  config: Frozen<VdoConfig>,
  conditions: readonly NewCondition[],
  nowMs: number,
): Frozen<VdoConfig> {
  return edit(config, (draft) => {
    for (const condition of conditions) setCondition(draft as ConditionTarget, condition, nowMs);
    const ready = conditions.find(({ type }) => type === 'Ready');
    if (ready !== undefined && draft.status !== undefined)
      draft.status.summary = `${ready.reason}: ${ready.message ?? ''}`;
  });
}
