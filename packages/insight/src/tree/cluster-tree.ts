import { labels } from '@slipway/cluster-api';
import {
  type ObjectRef,
  type ObjectSet,
  type Observed,
  referenceAt,
  refOf,
  referencesOf,
  type Role,
} from '../objects/index.js';
import { conditionOf, oldConditionsOf, parseConditionFilter } from './conditions.js';
import { type DescribeOptions, describeObject } from './describe-object.js';
import { groupPlaces, type Place } from './group-machines.js';
import { machineDetails } from './machine-details.js';
import { sortNodes, type TreeNode } from './tree-node.js';

export interface TreeOptions {
  /** `all`, or kinds and names: see `parseConditionFilter`. */
  readonly showConditions?: string;
  readonly showMachineSets?: boolean;
  readonly showClusterResourceSets?: boolean;
  readonly showTemplates?: boolean;
  /** Also what says the same as its machine. */
  readonly echo?: boolean;
  readonly grouping?: boolean;
  readonly oldConditions?: boolean;
}

interface Scene extends DescribeOptions {
  readonly set: ObjectSet;
  readonly cluster: Observed;
  readonly options: TreeOptions;
  readonly machines: readonly Observed[];
}

/** A cluster as clusterctl draws it: what it stands on, its control plane, its workers. */
export function clusterTree(set: ObjectSet, cluster: Observed, options: TreeOptions = {}): TreeNode {
  const name = cluster.metadata.name ?? '';
  const machines = set.ofKind('Machine').filter(({ metadata }) => metadata.labels?.[labels.clusterName] === name);
  const filter = parseConditionFilter(options.showConditions ?? '');
  const scene: Scene = { set, cluster, options, machines, filter, old: options.oldConditions ?? false };
  const shown = new Set<Observed>();
  const children = [
    ...referenced(scene, cluster, 'spec.infrastructureRef', 'ClusterInfrastructure'),
    ...(options.showClusterResourceSets === true ? resourceSets(scene) : []),
    ...controlPlaneNodes(scene, shown),
    ...workersNode(scene, shown),
  ];
  return { ...describeObject(set, cluster, scene), children: sortNodes(children) };
}

function referenced(scene: Scene, from: Observed, path: string, role: Role): TreeNode[] {
  const object = follow(scene.set, from, path);
  return object === undefined ? [] : [describeObject(scene.set, object, scene, role)];
}

function follow(set: ObjectSet, from: Observed, path: string): Observed | undefined {
  const target = referenceAt(from, path);
  return target && set.get(target);
}

function controlPlaneNodes(scene: Scene, shown: Set<Observed>): TreeNode[] {
  const { set, cluster, machines } = scene;
  const object = follow(set, cluster, 'spec.controlPlaneRef');
  if (object === undefined) return [];
  const own = machines.filter(({ metadata }) => Object.hasOwn(metadata.labels ?? {}, labels.controlPlane));
  for (const machine of own) shown.add(machine);
  const children = [...templatesNode(scene, object), ...machineNodes(scene, own, true)];
  return [{ ...describeObject(set, object, scene, 'ControlPlane'), children: sortNodes(children) }];
}

function workersNode(scene: Scene, shown: Set<Observed>): TreeNode[] {
  const { set, cluster } = scene;
  const ofCluster = (kind: string): readonly Observed[] =>
    set.ofKind(kind).filter(({ metadata }) => metadata.labels?.[labels.clusterName] === cluster.metadata.name);
  const groups = [
    ...ofCluster('MachineDeployment').map((deployment) => deploymentNode(scene, deployment, shown)),
    ...ofCluster('MachinePool').map((pool) => poolNode(scene, pool, shown)),
  ];
  const others = scene.machines.filter((machine) => !shown.has(machine));
  const other = others.length === 0 ? [] : [heading('Other', scene, machineNodes(scene, others, false))];
  const children = [...groups, ...other];
  return children.length === 0 ? [] : [heading('Workers', scene, children)];
}

function deploymentNode(scene: Scene, deployment: Observed, shown: Set<Observed>): TreeNode {
  const { set, options } = scene;
  const sets = set.controlledBy(deployment, 'MachineSet');
  const machinesOf = (one: Observed): readonly Observed[] => {
    const own = set.controlledBy(one, 'Machine');
    for (const machine of own) shown.add(machine);
    return own;
  };
  const below =
    options.showMachineSets === true
      ? sets.map((one) => ({
          ...describeObject(set, one, scene),
          children: sortNodes(machineNodes(scene, machinesOf(one), true)),
        }))
      : machineNodes(scene, sets.flatMap(machinesOf), true);
  const children = [...templatesNode(scene, deployment), ...below];
  return { ...describeObject(set, deployment, scene), children: sortNodes(children) };
}

function poolNode(scene: Scene, pool: Observed, shown: Set<Observed>): TreeNode {
  const { set } = scene;
  const machines = set.controlledBy(pool, 'Machine');
  for (const machine of machines) shown.add(machine);
  const children = [
    ...withoutEcho(scene, pool, 'spec.template.spec.bootstrap.configRef', 'BootstrapConfig'),
    ...withoutEcho(scene, pool, 'spec.template.spec.infrastructureRef', 'MachinePoolInfrastructure'),
    ...machineNodes(scene, machines, true),
  ];
  return { ...describeObject(set, pool, scene), children: sortNodes(children) };
}

function machineNodes(scene: Scene, machines: readonly Observed[], mayGroup: boolean): readonly TreeNode[] {
  const places: Place[] = machines.map((object) => {
    const children = [
      ...withoutEcho(scene, object, 'spec.infrastructureRef', 'MachineInfrastructure'),
      ...withoutEcho(scene, object, 'spec.bootstrap.configRef', 'BootstrapConfig'),
    ];
    const details = machineDetails(follow(scene.set, object, 'spec.infrastructureRef'));
    const own = { ...describeObject(scene.set, object, scene), ...(details.length > 0 && { details }) };
    return { object, node: { ...own, children: sortNodes(children) } };
  });
  return mayGroup && scene.options.grouping !== false ? groupPlaces(places, scene.old) : places.map(({ node }) => node);
}

/** Hides objects that are ready or in the same state as their Machine. */
function withoutEcho(scene: Scene, machine: Observed, path: string, role: Role): TreeNode[] {
  const object = follow(scene.set, machine, path);
  if (object === undefined) return [];
  const [own, above] = [readyState(scene, object), readyState(scene, machine)];
  const isEcho = own?.startsWith('True ') === true || own === above;
  return isEcho && scene.options.echo !== true ? [] : [describeObject(scene.set, object, scene, role)];
}

function readyState({ old }: Scene, object: Observed): string | undefined {
  if (old) {
    const ready = oldConditionsOf(object).find(({ type }) => type === 'Ready');
    return ready && `${ready.status} ${ready.severity ?? ''} ${ready.reason}`;
  }
  const ready = conditionOf(object, 'Ready');
  return ready && `${ready.status} ${ready.reason}`;
}

function templatesNode(scene: Scene, object: Observed): TreeNode[] {
  if (scene.options.showTemplates !== true) return [];
  const templates = referencesOf(object)
    .filter(({ field }) => field.to.endsWith('Template'))
    .map(({ target, field }) => named(target, field.to));
  return [heading('Templates', scene, templates)];
}

function resourceSets(scene: Scene): TreeNode[] {
  const binding = scene.set
    .ofKind('ClusterResourceSetBinding')
    .find(({ metadata }) => metadata.name === scene.cluster.metadata.name);
  if (binding === undefined) return [];
  const children = referencesOf(binding).filter(({ field }) => field.to === 'ClusterResourceSet');
  return [
    heading(
      'ClusterResourceSets',
      scene,
      children.map(({ target }) => named(target)),
    ),
  ];
}

/** Only its name: what is behind it does not matter here. */
function named({ kind, namespace, name }: ObjectRef, role?: Role): TreeNode {
  return { kind, namespace, name, ...(role && { role }), counters: {}, children: [] };
}

function heading(kind: string, { cluster }: Scene, children: readonly TreeNode[]): TreeNode {
  const { namespace } = refOf(cluster);
  return { kind, namespace, name: kind, heading: true, counters: {}, children: sortNodes(children) };
}
