import type { KubeObject } from '@slipway/kube';
import {
  type ClusterModel,
  drawPool,
  drawStrategy,
  drawWorkers,
  type PoolModel,
  versions,
  type WorkersModel,
} from './cluster-model.js';
import type { Draws } from './draws.js';
import { namespace, plainManifest } from './plain-manifest.js';
import { topologyManifest } from './topology-manifest.js';

/** A change of the desired state, as a user makes it with a manifest. */
export interface DrawnChange {
  readonly name: string;
  readonly objects: readonly KubeObject[];
  readonly isDelete: boolean;
  /** The desired state after the change. Undefined if the Cluster is deleted. */
  readonly model: ClusterModel | undefined;
}

/** A function that changes the model, or returns undefined if the change does not apply to it. */
type ModelChange = (model: ClusterModel, draws: Draws) => ClusterModel | undefined;

export function manifestOf(model: ClusterModel): KubeObject[] {
  return model.isTopology ? topologyManifest(model) : plainManifest(model);
}

function withOne<T>(values: readonly T[], draws: Draws, change: (value: T) => T): readonly T[] | undefined {
  if (values.length === 0) return undefined;
  const index = draws.between(0, values.length - 1);
  return values.map((value, position) => (position === index ? change(value) : value));
}

function changeWorkers(change: (group: WorkersModel, draws: Draws) => WorkersModel): ModelChange {
  return (model, draws) => {
    const workers = withOne(model.workers, draws, (group) => change(group, draws));
    return workers && { ...model, workers };
  };
}

function changePools(change: (pool: PoolModel, draws: Draws) => PoolModel): ModelChange {
  return (model, draws) => {
    const pools = withOne(model.pools, draws, (pool) => change(pool, draws));
    return pools && { ...model, pools };
  };
}

const onlyPlain =
  (change: ModelChange): ModelChange =>
  (model, draws) =>
    model.isTopology ? undefined : change(model, draws);
const onlyTopology =
  (change: ModelChange): ModelChange =>
  (model, draws) =>
    model.isTopology ? change(model, draws) : undefined;

function otherThan(current: number, draws: Draws, max: number): number {
  return (current + draws.between(1, max)) % (max + 1);
}

/** Upgrades by one or two of the known versions, which is at most one minor version. */
function nextVersion(version: string, draws: Draws): string | undefined {
  const index = versions.indexOf(version as (typeof versions)[number]);
  return versions[Math.min(index + draws.between(1, 2), versions.length - 1)];
}

const upgradeAll: ModelChange = (model, draws) => {
  const version = nextVersion(model.version, draws);
  if (version === undefined || version === model.version) return undefined;
  const isWhole = model.isTopology || draws.chance(0.6);
  const workers = model.workers.map((group) => (isWhole ? { ...group, version } : group));
  const pools = model.pools.map((pool) => (isWhole ? { ...pool, version } : pool));
  return { ...model, version, workers, pools };
};

const modelChanges: Readonly<Record<string, ModelChange>> = {
  'scale control plane': (model) => ({
    ...model,
    controlPlanes: model.controlPlanes === 1 ? 3 : 1,
    controlPlaneSurge: 1,
  }),
  'scale workers': changeWorkers((group, draws) => ({ ...group, replicas: otherThan(group.replicas, draws, 4) })),
  'upgrade version': upgradeAll,
  'upgrade workers': onlyPlain((model, draws) =>
    changeWorkers((group) => ({ ...group, version: model.version }))(model, draws),
  ),
  'rotate control plane template': (model) => ({ ...model, controlPlaneTemplate: model.controlPlaneTemplate + 1 }),
  'rotate worker template': onlyPlain(
    changeWorkers((group, draws) => ({
      ...group,
      template: group.template + 1,
      nodeStartup: draws.pick(['1s', '30s']),
    })),
  ),
  'rotate bootstrap template': onlyPlain(
    changeWorkers((group) => ({ ...group, bootstrapTemplate: group.bootstrapTemplate + 1 })),
  ),
  'rotate class template': onlyTopology((model) => ({ ...model, classTemplate: model.classTemplate + 1 })),
  'set class variable': onlyTopology((model, draws) => ({
    ...model,
    timeServer: model.timeServer === '' ? `time${draws.between(1, 3)}.example.com` : '',
  })),
  rebase: onlyTopology((model) => ({ ...model, className: model.className === 'first' ? 'second' : 'first' })),
  'change worker labels': changeWorkers((group) => ({ ...group, label: `${group.label}a` })),
  'change worker drain timeout': changeWorkers((group) => ({ ...group, drainSeconds: group.drainSeconds + 30 })),
  'change worker strategy': changeWorkers((group, draws) => ({ ...group, strategy: drawStrategy(draws) })),
  'add workers': (model, draws) => {
    const name = `more${model.workers.length}`;
    if (model.workers.some((group) => group.name === name)) return undefined;
    return { ...model, workers: [...model.workers, drawWorkers(draws, name, model.version)] };
  },
  'remove workers from the topology': onlyTopology((model, draws) => {
    if (model.workers.length === 0) return undefined;
    const index = draws.between(0, model.workers.length - 1);
    return { ...model, workers: model.workers.filter((_, position) => position !== index) };
  }),
  'add pool': (model, draws) =>
    model.pools.length > 0 ? undefined : { ...model, pools: [drawPool(draws, 'pool1', model.version)] },
  'scale pool': changePools((pool, draws) => ({ ...pool, replicas: otherThan(pool.replicas, draws, 3) })),
  'upgrade pool': onlyPlain((model, draws) =>
    changePools((pool) => ({ ...pool, version: model.version }))(model, draws),
  ),
  'remove pool from the topology': onlyTopology((model) =>
    model.pools.length === 0 ? undefined : { ...model, pools: [] },
  ),
  'add health checks': (model) => (model.isChecked ? undefined : { ...model, isChecked: true }),
};

type ObjectChange = (
  model: ClusterModel,
  machines: readonly string[],
  draws: Draws,
) => Omit<DrawnChange, 'name'> | undefined;

const machineManifest = (name: string, annotations?: Readonly<Record<string, string>>): KubeObject =>
  ({
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: { name, namespace, ...(annotations && { annotations }) },
  }) as KubeObject;

function pickMachine(machines: readonly string[], draws: Draws): string | undefined {
  const [first, ...rest] = machines;
  return first && draws.pick([first, ...rest]);
}

const objectChanges: Readonly<Record<string, ObjectChange>> = {
  'delete cluster': (model) => ({
    objects: manifestOf(model).filter(({ kind }) => kind === 'Cluster'),
    isDelete: true,
    model: undefined,
  }),
  'delete machine': (model, machines, draws) => {
    const name = pickMachine(machines, draws);
    return name === undefined ? undefined : { objects: [machineManifest(name)], isDelete: true, model };
  },
  'remediate machine': (model, machines, draws) => {
    const name = pickMachine(machines, draws);
    if (name === undefined || !model.isChecked) return undefined;
    const objects = [machineManifest(name, { 'cluster.x-k8s.io/remediate-machine': '' })];
    return { objects, isDelete: false, model };
  },
  'delete workers': (model, _machines, draws) => {
    const [first, ...rest] = model.workers;
    if (first === undefined || model.isTopology) return undefined;
    const removed = draws.pick([first, ...rest]);
    const name = `${model.name}-${removed.name}`;
    return {
      objects: plainManifest(model).filter(
        ({ kind, metadata }) => kind === 'MachineDeployment' && metadata.name === name,
      ),
      isDelete: true,
      model: { ...model, workers: model.workers.filter((group) => group !== removed) },
    };
  },
  'delete pool': (model) => {
    if (model.pools.length === 0 || model.isTopology) return undefined;
    const objects = plainManifest(model).filter(({ kind }) => kind === 'MachinePool');
    return { objects, isDelete: true, model: { ...model, pools: [] } };
  },
};

const changeNames: readonly string[] = [...Object.keys(modelChanges), ...Object.keys(objectChanges)];

/** Draws a change that applies to the model. Some are two changes of one manifest. */
export function drawChange(model: ClusterModel, machines: readonly string[], draws: Draws): DrawnChange {
  for (;;) {
    const name = draws.pick(changeNames as [string, ...string[]]);
    const found = objectChanges[name]?.(model, machines, draws);
    if (found !== undefined) return { name, ...found };
    const changed = modelChanges[name]?.(model, draws);
    if (changed === undefined || isSame(changed, model)) continue;
    return drawSecond(name, changed, draws);
  }
}

function drawSecond(name: string, model: ClusterModel, draws: Draws): DrawnChange {
  const other = draws.pick(Object.keys(modelChanges) as [string, ...string[]]);
  const both = draws.chance(0.3) && other !== name ? modelChanges[other]?.(model, draws) : undefined;
  const isBoth = both !== undefined && !isSame(both, model);
  const next = isBoth ? both : model;
  return { name: isBoth ? `${name}, ${other}` : name, objects: manifestOf(next), isDelete: false, model: next };
}

function isSame(left: ClusterModel, right: ClusterModel): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
