import { controlPlane, numberAt, textAt } from '@slipway/cluster-api';
import { isControlPlaneObject, type ObjectSet, type Observed, refOf, type Role } from '../objects/index.js';
import { type ConditionFilter, conditionOf, conditionsOf, isRelevant, oldConditionsOf } from './conditions.js';
import type { Counters, ShownCondition, TreeNode } from './tree-node.js';

export interface DescribeOptions {
  readonly filter: ConditionFilter;
  /** Whether to use the deprecated v1beta1 conditions. */
  readonly old: boolean;
}

/** Returns the tree node of one object without its children. */
export function describeObject(set: ObjectSet, object: Observed, options: DescribeOptions, role?: Role): TreeNode {
  const { namespace, name } = refOf(object);
  const version = versionOf(object);
  const isDeleting = (object.metadata.deletionTimestamp ?? '') !== '';
  const condition = options.old ? oldReady(object) : mainCondition(object);
  const conditions = shownConditions(object, options);
  return {
    apiVersion: object.apiVersion,
    kind: object.kind,
    namespace,
    name,
    ...(role && { role }),
    ...(version !== undefined && { version }),
    ...(isDeleting && { deleting: true as const }),
    counters: countersOf(set, object),
    ...(condition && { condition }),
    ...(conditions && { conditions }),
    children: [],
  };
}

function shownConditions(object: Observed, { filter, old }: DescribeOptions): readonly ShownCondition[] | undefined {
  const show = filter(object);
  if (show === 'none') return undefined;
  if (old)
    return oldConditionsOf(object)
      .filter(({ type }) => type !== 'Ready')
      .toSorted((left, right) => (left.type < right.type ? -1 : 1));
  const all = conditionsOf(object);
  return show === 'all' ? all : all.filter(isRelevant);
}

/** Returns the desired Kubernetes version of a Cluster, Machine, group of Machines or control plane. Other kinds have none. */
function versionOf(object: Observed): string | undefined {
  switch (object.kind) {
    case 'Cluster':
      return textAt(object, 'spec', 'topology', 'version');
    case 'MachineDeployment':
    case 'MachineSet':
    case 'MachinePool':
      return textAt(object, 'spec', 'template', 'spec', 'version') ?? '';
    case 'Machine':
      return textAt(object, 'spec', 'version') ?? '';
    default:
      return isControlPlaneObject(object) ? textAt(object, 'spec', 'version') : undefined;
  }
}

function mainCondition(object: Observed): ShownCondition | undefined {
  switch (object.kind) {
    case 'Cluster':
    case 'MachineDeployment':
      return conditionOf(object, 'Available');
    case 'MachineSet':
    case 'MachinePool':
      return undefined;
    default:
      return (
        (isControlPlaneObject(object) ? conditionOf(object, 'Available') : undefined) ?? conditionOf(object, 'Ready')
      );
  }
}

function oldReady(object: Observed): ShownCondition | undefined {
  return oldConditionsOf(object).find(({ type }) => type === 'Ready');
}

function countersOf(set: ObjectSet, object: Observed): Counters {
  switch (object.kind) {
    case 'Cluster':
      return clusterCounters(object);
    case 'MachineDeployment':
    case 'MachineSet':
      return counters({
        ...replicasOf(numberAt(object, 'status', 'replicas') ?? 0, numberAt(object, 'spec', 'replicas')),
        available: numberAt(object, 'status', 'availableReplicas'),
        ready: numberAt(object, 'status', 'readyReplicas'),
        upToDate: numberAt(object, 'status', 'upToDateReplicas'),
      });
    case 'Machine': {
      const isTrue = (type: string): number => (conditionOf(object, type)?.status === 'True' ? 1 : 0);
      return { replicas: '1', available: isTrue('Available'), ready: isTrue('Ready'), upToDate: isTrue('UpToDate') };
    }
    default:
      return isControlPlaneObject(object) ? controlPlaneCounters(set, object) : {};
  }
}

/** Returns the sums of the control plane and worker counters. */
function clusterCounters(object: Observed): Counters {
  const sum = (name: string): number | undefined => {
    const [own, workers] = ['controlPlane', 'workers'].map((part) => numberAt(object, 'status', part, name));
    return own === undefined && workers === undefined ? undefined : (own ?? 0) + (workers ?? 0);
  };
  const [current, desired] = [sum('replicas'), sum('desiredReplicas')];
  const isKnown = current !== undefined || desired !== undefined;
  return counters({
    ...(isKnown ? replicasOf(current ?? 0, desired ?? 0) : {}),
    available: sum('availableReplicas'),
    ready: sum('readyReplicas'),
    upToDate: sum('upToDateReplicas'),
  });
}

function controlPlaneCounters(set: ObjectSet, object: Observed): Counters {
  const seen = controlPlane.read(object, set.contractOf(object)?.contract ?? 'v1beta2');
  return counters({
    ...(seen.replicas === undefined ? {} : replicasOf(seen.replicas, seen.specReplicas)),
    available: seen.availableReplicas,
    ready: seen.readyReplicas,
    upToDate: seen.upToDateReplicas,
  });
}

function replicasOf(current: number, desired: number | undefined): Pick<Counters, 'replicas'> {
  return desired === undefined ? {} : { replicas: `${current}/${desired}` };
}

function counters(values: { [Key in keyof Counters]?: Counters[Key] | undefined }): Counters {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Counters;
}
