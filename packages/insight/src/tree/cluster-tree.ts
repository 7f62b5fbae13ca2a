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
import { groupNodes, type ObjectNode } from './group-machines.js';
import { machineDetails } from './machine-details.js';
import { sortNodes, type TreeNode } from './tree-node.js';

export interface TreeOptions {
  /** Filter of the conditions to show, see `parseConditionFilter`. */
  readonly showConditions?: string;
  readonly showMachineSets?: boolean;
  readonly showClusterResourceSets?: boolean;
  readonly showTemplates?: boolean;
  /** Whether to show bootstrap and infrastructure objects even if they are ready or in the same state as their Machine. */
  readonly echo?: boolean;
  readonly grouping?: boolean;
  readonly oldConditions?: boolean;
}

interface TreeContext extends DescribeOptions {
  readonly set: ObjectSet;
  readonly cluster: Observed;
  readonly options: TreeOptions;
  readonly machines: readonly Observed[];
}

/** Returns the tree that `clusterctl describe cluster` shows: infrastructure, control plane and workers of a cluster. */
export function clusterTree(set: ObjectSet, cluster: Observed, options: TreeOptions = {}): TreeNode {
  const name = cluster.metadata.name ?? '';
  const machines = set.ofKind('Machine').filter(({ metadata }) => metadata.labels?.[labels.clusterName] === name);
  const filter = parseConditionFilter(options.showConditions ?? '');
  const context: TreeContext = { set, cluster, options, machines, filter, old: options.oldConditions ?? false };
  const shown = new Set<Observed>();
  const children = [
    ...referenced(context, cluster, 'spec.infrastructureRef', 'ClusterInfrastructure'),
    ...(options.showClusterResourceSets === true ? resourceSets(context) : []),
    ...controlPlaneNodes(context, shown),
    ...workersNode(context, shown),
  ];
  return { ...describeObject(set, cluster, context), children: sortNodes(children) };
}

function referenced(context: TreeContext, from: Observed, path: string, role: Role): TreeNode[] {
  const object = follow(context.set, from, path);
  return object === undefined ? [] : [describeObject(context.set, object, context, role)];
}

function follow(set: ObjectSet, from: Observed, path: string): Observed | undefined {
  const target = referenceAt(from, path);
  return target && set.get(target);
}

function controlPlaneNodes(context: TreeContext, shown: Set<Observed>): TreeNode[] {
  const { set, cluster, machines } = context;
  const object = follow(set, cluster, 'spec.controlPlaneRef');
  if (object === undefined) return [];
  const own = machines.filter(({ metadata }) => Object.hasOwn(metadata.labels ?? {}, labels.controlPlane));
  for (const machine of own) shown.add(machine);
  const children = [...templatesNode(context, object), ...machineNodes(context, own, true)];
  return [{ ...describeObject(set, object, context, 'ControlPlane'), children: sortNodes(children) }];
}

function workersNode(context: TreeContext, shown: Set<Observed>): TreeNode[] {
  const { set, cluster } = context;
  const ofCluster = (kind: string): readonly Observed[] =>
    set.ofKind(kind).filter(({ metadata }) => metadata.labels?.[labels.clusterName] === cluster.metadata.name);
  const groups = [
    ...ofCluster('MachineDeployment').map((deployment) => deploymentNode(context, deployment, shown)),
    ...ofCluster('MachinePool').map((pool) => poolNode(context, pool, shown)),
  ];
  const others = context.machines.filter((machine) => !shown.has(machine));
  const other = others.length === 0 ? [] : [heading('Other', context, machineNodes(context, others, false))];
  const children = [...groups, ...other];
  return children.length === 0 ? [] : [heading('Workers', context, children)];
}

function deploymentNode(context: TreeContext, deployment: Observed, shown: Set<Observed>): TreeNode {
  const { set, options } = context;
  const sets = set.controlledBy(deployment, 'MachineSet');
  const machinesOf = (one: Observed): readonly Observed[] => {
    const own = set.controlledBy(one, 'Machine');
    for (const machine of own) shown.add(machine);
    return own;
  };
  const below =
    options.showMachineSets === true
      ? sets.map((one) => ({
          ...describeObject(set, one, context),
          children: sortNodes(machineNodes(context, machinesOf(one), true)),
        }))
      : machineNodes(context, sets.flatMap(machinesOf), true);
  const children = [...templatesNode(context, deployment), ...below];
  return { ...describeObject(set, deployment, context), children: sortNodes(children) };
}

function poolNode(context: TreeContext, pool: Observed, shown: Set<Observed>): TreeNode {
  const { set } = context;
  const machines = set.controlledBy(pool, 'Machine');
  for (const machine of machines) shown.add(machine);
  const children = [
    ...unlessSameState(context, pool, 'spec.template.spec.bootstrap.configRef', 'BootstrapConfig'),
    ...unlessSameState(context, pool, 'spec.template.spec.infrastructureRef', 'MachinePoolInfrastructure'),
    ...machineNodes(context, machines, true),
  ];
  return { ...describeObject(set, pool, context), children: sortNodes(children) };
}

function machineNodes(context: TreeContext, machines: readonly Observed[], mayGroup: boolean): readonly TreeNode[] {
  const nodes: ObjectNode[] = machines.map((object) => {
    const children = [
      ...unlessSameState(context, object, 'spec.infrastructureRef', 'MachineInfrastructure'),
      ...unlessSameState(context, object, 'spec.bootstrap.configRef', 'BootstrapConfig'),
    ];
    const details = machineDetails(follow(context.set, object, 'spec.infrastructureRef'));
    const own = { ...describeObject(context.set, object, context), ...(details.length > 0 && { details }) };
    return { object, node: { ...own, children: sortNodes(children) } };
  });
  return mayGroup && context.options.grouping !== false
    ? groupNodes(nodes, context.old)
    : nodes.map(({ node }) => node);
}

/** Returns the node of a referenced object, or none if the object is ready or in the same state as its Machine. */
function unlessSameState(context: TreeContext, machine: Observed, path: string, role: Role): TreeNode[] {
  const object = follow(context.set, machine, path);
  if (object === undefined) return [];
  const [own, above] = [readyState(context, object), readyState(context, machine)];
  const isRedundant = own?.startsWith('True ') === true || own === above;
  return isRedundant && context.options.echo !== true ? [] : [describeObject(context.set, object, context, role)];
}

function readyState({ old }: TreeContext, object: Observed): string | undefined {
  if (old) {
    const ready = oldConditionsOf(object).find(({ type }) => type === 'Ready');
    return ready && `${ready.status} ${ready.severity ?? ''} ${ready.reason}`;
  }
  const ready = conditionOf(object, 'Ready');
  return ready && `${ready.status} ${ready.reason}`;
}

function templatesNode(context: TreeContext, object: Observed): TreeNode[] {
  if (context.options.showTemplates !== true) return [];
  const templates = referencesOf(object)
    .filter(({ field }) => field.to.endsWith('Template'))
    .map(({ target, field }) => named(target, field.to));
  return [heading('Templates', context, templates)];
}

function resourceSets(context: TreeContext): TreeNode[] {
  const binding = context.set
    .ofKind('ClusterResourceSetBinding')
    .find(({ metadata }) => metadata.name === context.cluster.metadata.name);
  if (binding === undefined) return [];
  const children = referencesOf(binding).filter(({ field }) => field.to === 'ClusterResourceSet');
  return [
    heading(
      'ClusterResourceSets',
      context,
      children.map(({ target }) => named(target)),
    ),
  ];
}

/** Returns a node for an object that is not in the set: only its reference is known. */
function named({ kind, namespace, name }: ObjectRef, role?: Role): TreeNode {
  return { kind, namespace, name, ...(role && { role }), counters: {}, children: [] };
}

function heading(kind: string, { cluster }: TreeContext, children: readonly TreeNode[]): TreeNode {
  const { namespace } = refOf(cluster);
  return { kind, namespace, name: kind, heading: true, counters: {}, children: sortNodes(children) };
}
