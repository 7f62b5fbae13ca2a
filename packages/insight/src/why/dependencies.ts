import { fieldAt, flagAt, labels, reasons, textAt } from '@slipway/cluster-api';
import { labelSelectorFromObject, type LabelSelectorObject } from '@slipway/kube';
import { isControlPlaneObject, type Observed, refOf } from '../objects/index.js';
import { conditionOf, conditionsOf } from '../tree/index.js';
import { isInfrastructure } from './condition-state.js';
import { connection } from './rules/control-plane.js';
import {
  clusterOf,
  follow,
  isControlPlaneMachine,
  isDeleting,
  isInfrastructureProvisioned,
  isTrue,
  type View,
} from './view.js';

/** An object that another object waits for. */
export interface Dependency {
  readonly object: Observed;
  readonly relation: string;
}

/** Returns the objects that an unhealthy object waits for, in the order in which it needs them. */
export function dependenciesOf(object: Observed, view: View): readonly Dependency[] {
  const found = isDeleting(object) ? dependenciesInDeletion(object, view) : dependenciesInUse(object, view);
  return found.flatMap(({ object: target, relation }) =>
    target === undefined || target === object ? [] : [{ object: target, relation }],
  );
}

interface Candidate {
  readonly object: Observed | undefined;
  readonly relation: string;
}

function dependenciesInUse(object: Observed, view: View): readonly Candidate[] {
  switch (object.kind) {
    case 'Cluster':
      return ofCluster(object, view);
    case 'MachineDeployment':
      return ofDeployment(object, view);
    case 'MachineSet':
      return ofMachineSet(object, view);
    case 'MachinePool':
      return ofPool(object, view);
    case 'Machine':
      return ofMachine(object, view);
    case 'ClusterClass':
    case 'ClusterResourceSet':
      return [];
    case 'IPAddressClaim':
      return [];
    default:
      return ofProvider(object, view);
  }
}

function ofCluster(cluster: Observed, view: View): readonly Candidate[] {
  const named = (kind: string): readonly Observed[] => ofThisCluster(cluster, kind, view);
  const found: Candidate[] = [{ object: follow(cluster, 'spec.topology.classRef', view), relation: 'uses' }];
  if (!isInfrastructureProvisioned(cluster) || conditionOf(cluster, 'InfrastructureReady')?.status !== 'True')
    found.push({ object: follow(cluster, 'spec.infrastructureRef', view), relation: 'waits for its infrastructure' });
  const controlPlane = follow(cluster, 'spec.controlPlaneRef', view);
  found.push({ object: controlPlane, relation: 'waits for its control plane' });
  for (const kind of ['MachineDeployment', 'MachinePool'])
    for (const object of named(kind)) found.push({ object, relation: 'waits for its workers' });
  const others = named('Machine').filter((machine) => isStandalone(machine, controlPlane));
  for (const object of others) found.push({ object, relation: 'waits for' });
  for (const object of named('MachineHealthCheck')) found.push({ object, relation: 'is checked by' });
  for (const object of resourceSetsOf(cluster, view)) found.push({ object, relation: 'receives add-ons from' });
  return found;
}

function isStandalone(machine: Observed, controlPlane: Observed | undefined): boolean {
  const controller = machine.metadata.ownerReferences?.find((owner) => owner.controller === true);
  return controller === undefined && !(controlPlane !== undefined && isControlPlaneMachine(machine));
}

function ofThisCluster(cluster: Observed, kind: string, { set }: View): readonly Observed[] {
  const { name, namespace } = cluster.metadata;
  return set
    .ofKind(kind)
    .filter(
      ({ metadata, ...object }) =>
        metadata.namespace === namespace &&
        (metadata.labels?.[labels.clusterName] === name ||
          textAt({ metadata, ...object } as Observed, 'spec', 'clusterName') === name),
    );
}

function resourceSetsOf(cluster: Observed, { set }: View): readonly Observed[] {
  return set.ofKind('ClusterResourceSet').filter((object) => selectsCluster(object, cluster));
}

/** Returns whether the selector of a ClusterResourceSet matches the Cluster. */
export function selectsCluster(resourceSet: Observed, cluster: Observed): boolean {
  const selector = fieldAt(resourceSet, 'spec', 'clusterSelector') as LabelSelectorObject | undefined;
  // An empty selector selects nothing.
  const isEmpty = (selector?.matchExpressions ?? []).length + Object.keys(selector?.matchLabels ?? {}).length === 0;
  const isSameNamespace = resourceSet.metadata.namespace === cluster.metadata.namespace;
  return isSameNamespace && !isEmpty && matches(selector, cluster.metadata.labels ?? {});
}

function matches(selector: LabelSelectorObject | undefined, own: Readonly<Record<string, string>>): boolean {
  try {
    return labelSelectorFromObject(selector).matches(own);
  } catch {
    return false;
  }
}

function ofDeployment(deployment: Observed, view: View): readonly Candidate[] {
  const sets = view.set.controlledBy(deployment, 'MachineSet');
  return sets.map((object) => ({ object, relation: 'waits for' }));
}

function ofMachineSet(set: Observed, view: View): readonly Candidate[] {
  const message = conditionOf(set, 'ScalingUp')?.message ?? '';
  const cluster = clusterOf(set, view);
  const found: Candidate[] = [];
  if (/is provisioning|is upgrading|pending version upgrade/.test(message))
    found.push({ object: follow(cluster, 'spec.controlPlaneRef', view), relation: 'waits for the control plane' });
  return [...found, ...machinesOf(set, view)];
}

function ofPool(pool: Observed, view: View): readonly Candidate[] {
  const found: Candidate[] = [];
  if (!isTrue(pool, 'BootstrapConfigReady'))
    found.push({
      object: follow(pool, 'spec.template.spec.bootstrap.configRef', view),
      relation: 'waits for its bootstrap data',
    });
  if (!isTrue(pool, 'InfrastructureReady'))
    found.push({
      object: follow(pool, 'spec.template.spec.infrastructureRef', view),
      relation: 'waits for its infrastructure',
    });
  return [...found, ...machinesOf(pool, view)];
}

/** Returns the Machines of an owner: first Machines in deletion, because they block the others, then Machines without a Node. */
function machinesOf(owner: Observed, { set }: View): readonly Candidate[] {
  const rank = (machine: Observed): number => {
    if (isDeleting(machine)) return 0;
    return textAt(machine, 'status', 'nodeRef', 'name') === undefined ? 1 : 2;
  };
  return set
    .controlledBy(owner, 'Machine')
    .toSorted((left, right) => rank(left) - rank(right))
    .map((object) => ({ object, relation: isDeleting(object) ? 'waits for the deletion of' : 'waits for' }));
}

function ofMachine(machine: Observed, view: View): readonly Candidate[] {
  const found: Candidate[] = [];
  const hasData = textAt(machine, 'spec', 'bootstrap', 'dataSecretName') !== undefined;
  if (!hasData || conditionOf(machine, 'BootstrapConfigReady')?.status === 'False')
    found.push({
      object: follow(machine, 'spec.bootstrap.configRef', view),
      relation: 'waits for its bootstrap data',
    });
  if (!isTrue(machine, 'InfrastructureReady'))
    found.push({ object: follow(machine, 'spec.infrastructureRef', view), relation: 'waits for its infrastructure' });
  const node = conditionOf(machine, 'NodeHealthy');
  const isDisconnected = node?.reason === reasons.connectionDown || node?.reason === reasons.inspectionFailed;
  const isWaitingForNode = node?.status !== 'True' && isTrue(machine, 'InfrastructureReady') && !isDisconnected;
  if (isDisconnected) found.push(...unreachableCluster(machine, view));
  // The machine is provisioned, but its Node has not joined. The infrastructure object reports the progress of its startup.
  if (isWaitingForNode) found.push({ object: follow(machine, 'spec.infrastructureRef', view), relation: 'runs on' });
  return found;
}

/**
 * Returns the dependencies of a bootstrap config, an infrastructure object or a control plane, which report in conditions what
 * they wait for.
 */
function ofProvider(object: Observed, view: View): readonly Candidate[] {
  const cluster = clusterOf(object, view);
  if (isControlPlaneObject(object)) {
    const infrastructure = isInfrastructureProvisioned(cluster)
      ? []
      : [
          {
            object: follow(cluster, 'spec.infrastructureRef', view),
            relation: 'waits for the cluster infrastructure',
          },
        ];
    return [...infrastructure, ...machinesOf(object, view), ...unreachableCluster(object, view)];
  }
  const reported = conditionsOf(object)
    .filter(({ status }) => status !== 'True')
    .map(({ reason, message }) => `${reason} ${message}`)
    .join(' ');
  const machine = view.set.byUid(object.metadata.ownerReferences?.find(({ kind }) => kind === 'Machine')?.uid);
  const found: Candidate[] = [];
  if (
    /WaitingForClusterInfrastructureReady|infrastructureProvisioned|infrastructureReady/i.test(reported) &&
    !isInfrastructureProvisioned(cluster)
  )
    found.push({
      object: follow(cluster, 'spec.infrastructureRef', view),
      relation: 'waits for the cluster infrastructure',
    });
  if (/WaitingForBootstrapData/.test(reported))
    found.push({
      object: follow(machine, 'spec.bootstrap.configRef', view),
      relation: 'waits for the bootstrap data',
    });
  if (/WaitingForControlPlane|control plane/i.test(reported) && !isControlPlaneUp(cluster))
    found.push({ object: follow(cluster, 'spec.controlPlaneRef', view), relation: 'waits for the control plane' });
  return [...found, ...partsOf(object, view)];
}

/** Returns the parts of a vSphere object: a VSphereMachine has a VSphereVM, and a VSphereVM has IPAddressClaims. */
function partsOf(object: Observed, { set }: View): readonly Candidate[] {
  if (!isInfrastructure(object)) return [];
  return set
    .ownedBy(object)
    .filter((part) => isInfrastructure(part) || part.kind === 'IPAddressClaim')
    .map((part) => ({
      object: part,
      relation: part.kind === 'IPAddressClaim' ? 'waits for an address of' : 'runs as',
    }));
}

/** Returns the Cluster if it is unreachable: then reported states are outdated, and the connection is the cause. */
function unreachableCluster(object: Observed, view: View): readonly Candidate[] {
  const cluster = clusterOf(object, view);
  if (cluster === undefined || connection(cluster, view) === undefined) return [];
  return [{ object: cluster, relation: 'belongs to the unreachable' }];
}

function isControlPlaneUp(cluster: Observed | undefined): boolean {
  return cluster !== undefined && flagAt(cluster, 'status', 'initialization', 'controlPlaneInitialized');
}

function dependenciesInDeletion(object: Observed, view: View): readonly Candidate[] {
  const owned = (kinds: readonly string[]): Candidate[] =>
    view.set
      .ownedBy(object)
      .filter(({ kind }) => kinds.includes(kind))
      .map((one) => ({ object: one, relation: 'waits for the deletion of' }));
  const deleting = (path: string): Candidate[] => {
    const target = follow(object, path, view);
    return target !== undefined && isDeleting(target)
      ? [{ object: target, relation: 'waits for the deletion of' }]
      : [];
  };
  if (isControlPlaneObject(object)) return [...workersOf(object, view), ...owned(['Machine'])];
  switch (object.kind) {
    case 'Cluster':
      return [
        ...owned(['MachinePool', 'MachineDeployment', 'MachineSet', 'Machine']),
        ...deleting('spec.controlPlaneRef'),
        ...deleting('spec.infrastructureRef'),
      ];
    case 'MachineDeployment':
      return owned(['MachineSet']);
    case 'MachineSet':
      return owned(['Machine']);
    case 'MachinePool':
      return [...deleting('spec.template.spec.infrastructureRef'), ...owned(['Machine'])];
    case 'Machine':
      return [
        ...deleting('spec.infrastructureRef'),
        ...deleting('spec.bootstrap.configRef'),
        ...cleanUpOf(object, view),
      ];
    default:
      return isInfrastructure(object) ? partsInDeletion(object, view) : [];
  }
}

function partsInDeletion(object: Observed, view: View): Candidate[] {
  const parts = partsOf(object, view).flatMap((part) =>
    part.object !== undefined && isDeleting(part.object) ? [{ ...part, relation: 'waits for the deletion of' }] : [],
  );
  // A VSphereCluster keeps its credentials until all machines are deleted.
  const cluster = view.set.byUid(object.metadata.ownerReferences?.find(({ kind }) => kind === 'Cluster')?.uid);
  const machines = cluster === undefined ? [] : ofThisCluster(cluster, 'Machine', view);
  return [...parts, ...machines.map((machine) => ({ object: machine, relation: 'waits for the deletion of' }))];
}

/** Returns the workers for which the deletion of a control plane waits. */
function workersOf(controlPlane: Observed, view: View): Candidate[] {
  if (conditionOf(controlPlane, 'Deleting')?.reason !== 'WaitingForWorkersDeletion') return [];
  const cluster = clusterOf(controlPlane, view);
  if (cluster === undefined) return [];
  return ['MachineDeployment', 'MachinePool', 'Machine']
    .flatMap((kind) => ofThisCluster(cluster, kind, view))
    .filter((object) => object.kind !== 'Machine' || !isControlPlaneMachine(object))
    .map((object) => ({ object, relation: 'waits for the deletion of' }));
}

/**
 * Returns the control plane if a Machine waits for it: the control plane removes the etcd member before its Machine is deleted.
 */
function cleanUpOf(machine: Observed, view: View): Candidate[] {
  if (!isControlPlaneMachine(machine) || conditionOf(machine, 'Deleting')?.reason !== 'WaitingForPreTerminateHook')
    return [];
  const owner = view.set.byUid(machine.metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid);
  return owner === undefined || refOf(owner).kind === 'MachineSet'
    ? []
    : [{ object: owner, relation: 'waits for clean-up by' }];
}
