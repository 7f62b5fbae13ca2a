import type { Draws } from './draws.js';

export const versions = ['v1.34.2', 'v1.34.3', 'v1.35.0', 'v1.35.1', 'v1.36.0'] as const;
export type Strategy =
  | { readonly type: 'RollingUpdate'; readonly maxSurge: number | string; readonly maxUnavailable: number | string }
  | { readonly type: 'OnDelete' };

export interface WorkersModel {
  readonly name: string;
  readonly replicas: number;
  /** Kubernetes version. In a Cluster with a topology, the version of the topology. */
  readonly version: string;
  readonly strategy: Strategy;
  readonly order: 'Random' | 'Newest' | 'Oldest';
  readonly minReadySeconds: number;
  /** Number of the infrastructure template. Templates are immutable: a change creates the next one. */
  readonly template: number;
  readonly bootstrapTemplate: number;
  readonly nodeStartup: string;
  readonly drainSeconds: number;
  readonly label: string;
}

export interface PoolModel {
  readonly name: string;
  readonly replicas: number;
  readonly version: string;
}

/** The desired state of one Cluster, from which its manifest is generated. */
export interface ClusterModel {
  readonly name: string;
  readonly isTopology: boolean;
  readonly version: string;
  readonly controlPlanes: 1 | 3;
  readonly controlPlaneSurge: 0 | 1;
  readonly controlPlaneTemplate: number;
  readonly workers: readonly WorkersModel[];
  readonly pools: readonly PoolModel[];
  /** Whether MachineHealthChecks for the control plane and the workers exist. */
  readonly isChecked: boolean;
  /** Value of the variable of the ClusterClass. */
  readonly timeServer: string;
  /** Name of the ClusterClass. A change of it is a rebase. */
  readonly className: 'first' | 'second';
  /** Number of the worker template of the ClusterClasses. */
  readonly classTemplate: number;
}

const strategies: readonly [Strategy, ...Strategy[]] = [
  { type: 'RollingUpdate', maxSurge: 1, maxUnavailable: 0 },
  { type: 'RollingUpdate', maxSurge: 0, maxUnavailable: 1 },
  { type: 'RollingUpdate', maxSurge: 2, maxUnavailable: 1 },
  { type: 'RollingUpdate', maxSurge: '50%', maxUnavailable: '50%' },
  { type: 'OnDelete' },
];

export function drawStrategy(draws: Draws): Strategy {
  return draws.pick(strategies);
}

export function drawWorkers(draws: Draws, name: string, version: string): WorkersModel {
  return {
    name,
    version,
    replicas: draws.between(0, 3),
    strategy: drawStrategy(draws),
    order: draws.pick(['Random', 'Newest', 'Oldest']),
    minReadySeconds: draws.pick([0, 0, 30]),
    template: 1,
    bootstrapTemplate: 1,
    nodeStartup: draws.pick(['0s', '5s', '40s']),
    drainSeconds: draws.pick([0, 60]),
    label: 'a',
  };
}

export function drawPool(draws: Draws, name: string, version: string): PoolModel {
  return { name, version, replicas: draws.between(0, 2) };
}

export function drawCluster(draws: Draws, name: string): ClusterModel {
  const version = draws.pick(['v1.34.2', 'v1.35.0']);
  const controlPlanes = draws.pick<1 | 3>([1, 3]);
  const groups = Array.from({ length: draws.between(0, 3) }, (_, index) =>
    drawWorkers(draws, `workers${index}`, version),
  );
  return {
    name,
    isTopology: draws.chance(0.5),
    version,
    controlPlanes,
    controlPlaneSurge: controlPlanes === 3 && draws.chance(0.3) ? 0 : 1,
    controlPlaneTemplate: 1,
    workers: groups,
    pools: draws.chance(0.3) ? [drawPool(draws, 'pool0', version)] : [],
    isChecked: draws.chance(0.5),
    timeServer: '',
    className: 'first',
    classTemplate: 1,
  };
}
