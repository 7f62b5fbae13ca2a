import { flagAt, labels, reasons, textAt } from '@slipway/cluster-api';
import { isControlPlaneObject, type Observed, refOf } from '../objects/index.js';
import { conditionOf, conditionsOf } from '../tree/index.js';
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

/** An object that another one waits for. */
export interface Dependency {
  readonly object: Observed;
  readonly relation: string;
}

/** What an object that is not well waits for, in the order in which it needs it. */
export function dependenciesOf(object: Observed, view: View): readonly Dependency[] {
  const found = isDeleting(object) ? whileDeleting(object, view) : whileLiving(object, view);
  return found.flatMap(({ object: target, relation }) =>
    target === undefined || target === object ? [] : [{ object: target, relation }],
  );
}

interface Wanted {
  readonly object: Observed | undefined;
  readonly relation: string;
}

function whileLiving(object: Observed, view: View): readonly Wanted[] {
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
    default:
      return ofProvider(object, view);
  }
}

function ofCluster(cluster: Observed, view: View): readonly Wanted[] {
  const named = (kind: string): readonly Observed[] => ofThisCluster(cluster, kind, view);
  const wanted: Wanted[] = [
    { object: follow(cluster, 'spec.topology.classRef', view), relation: 'is made from its class' },
  ];
  if (!isInfrastructureProvisioned(cluster) || conditionOf(cluster, 'InfrastructureReady')?.status !== 'True')
    wanted.push({ object: follow(cluster, 'spec.infrastructureRef', view), relation: 'waits for its infrastructure' });
  const controlPlane = follow(cluster, 'spec.controlPlaneRef', view);
  wanted.push({ object: controlPlane, relation: 'waits for its control plane' });
  for (const kind of ['MachineDeployment', 'MachinePool'])
    for (const object of named(kind)) wanted.push({ object, relation: 'waits for its workers' });
  const others = named('Machine').filter((machine) => isAlone(machine, controlPlane));
  for (const object of others) wanted.push({ object, relation: 'waits for its machine' });
  for (const object of named('MachineHealthCheck')) wanted.push({ object, relation: 'is watched over by' });
  for (const object of resourceSetsOf(cluster, view)) wanted.push({ object, relation: 'gets its add-ons from' });
  return wanted;
}

function isAlone(machine: Observed, controlPlane: Observed | undefined): boolean {
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

/** Those that say they are to be applied to it. */
function resourceSetsOf(cluster: Observed, { set }: View): readonly Observed[] {
  const own = cluster.metadata.labels ?? {};
  return set.ofKind('ClusterResourceSet').filter(({ metadata, ...rest }) => {
    if (metadata.namespace !== cluster.metadata.namespace) return false;
    const selector = (rest as { spec?: { clusterSelector?: { matchLabels?: Record<string, string> } } }).spec
      ?.clusterSelector;
    const wanted = Object.entries(selector?.matchLabels ?? {});
    return wanted.length > 0 && wanted.every(([key, value]) => own[key] === value);
  });
}

function ofDeployment(deployment: Observed, view: View): readonly Wanted[] {
  const sets = view.set.controlledBy(deployment, 'MachineSet');
  return sets.map((object) => ({ object, relation: 'waits for its set of machines' }));
}

function ofMachineSet(set: Observed, view: View): readonly Wanted[] {
  const message = conditionOf(set, 'ScalingUp')?.message ?? '';
  const cluster = clusterOf(set, view);
  const wanted: Wanted[] = [];
  if (/is provisioning|is upgrading|pending version upgrade/.test(message))
    wanted.push({ object: follow(cluster, 'spec.controlPlaneRef', view), relation: 'waits for the control plane' });
  return [...wanted, ...machinesOf(set, view)];
}

function ofPool(pool: Observed, view: View): readonly Wanted[] {
  const wanted: Wanted[] = [];
  if (!isTrue(pool, 'BootstrapConfigReady'))
    wanted.push({
      object: follow(pool, 'spec.template.spec.bootstrap.configRef', view),
      relation: 'waits for its bootstrap data',
    });
  if (!isTrue(pool, 'InfrastructureReady'))
    wanted.push({
      object: follow(pool, 'spec.template.spec.infrastructureRef', view),
      relation: 'waits for its infrastructure',
    });
  return [...wanted, ...machinesOf(pool, view)];
}

/** Whoever is being deleted holds up the others; then those that have no Node yet. */
function machinesOf(owner: Observed, { set }: View): readonly Wanted[] {
  const rank = (machine: Observed): number => {
    if (isDeleting(machine)) return 0;
    return textAt(machine, 'status', 'nodeRef', 'name') === undefined ? 1 : 2;
  };
  return set
    .controlledBy(owner, 'Machine')
    .toSorted((left, right) => rank(left) - rank(right))
    .map((object) => ({ object, relation: isDeleting(object) ? 'waits for the end of' : 'waits for' }));
}

function ofMachine(machine: Observed, view: View): readonly Wanted[] {
  const wanted: Wanted[] = [];
  const hasData = textAt(machine, 'spec', 'bootstrap', 'dataSecretName') !== undefined;
  if (!hasData || conditionOf(machine, 'BootstrapConfigReady')?.status === 'False')
    wanted.push({
      object: follow(machine, 'spec.bootstrap.configRef', view),
      relation: 'waits for its bootstrap data',
    });
  if (!isTrue(machine, 'InfrastructureReady'))
    wanted.push({ object: follow(machine, 'spec.infrastructureRef', view), relation: 'waits for its infrastructure' });
  const node = conditionOf(machine, 'NodeHealthy');
  const isCutOff = node?.reason === reasons.connectionDown || node?.reason === reasons.inspectionFailed;
  const isHere = node?.status !== 'True' && isTrue(machine, 'InfrastructureReady') && !isCutOff;
  if (isCutOff) wanted.push(...cutOffCluster(machine, view));
  // A machine may be up while its Node is still on its way: the infrastructure knows.
  if (isHere) wanted.push({ object: follow(machine, 'spec.infrastructureRef', view), relation: 'runs on' });
  return wanted;
}

/** Bootstrap configs, infrastructure and control planes: they say what they wait for. */
function ofProvider(object: Observed, view: View): readonly Wanted[] {
  const cluster = clusterOf(object, view);
  if (isControlPlaneObject(object)) {
    const ground = isInfrastructureProvisioned(cluster)
      ? []
      : [
          {
            object: follow(cluster, 'spec.infrastructureRef', view),
            relation: 'waits for the infrastructure of the cluster',
          },
        ];
    return [...ground, ...machinesOf(object, view), ...cutOffCluster(object, view)];
  }
  const said = conditionsOf(object)
    .filter(({ status }) => status !== 'True')
    .map(({ reason, message }) => `${reason} ${message}`)
    .join(' ');
  const machine = view.set.byUid(object.metadata.ownerReferences?.find(({ kind }) => kind === 'Machine')?.uid);
  const wanted: Wanted[] = [];
  if (
    /WaitingForClusterInfrastructureReady|infrastructureProvisioned|infrastructureReady/i.test(said) &&
    !isInfrastructureProvisioned(cluster)
  )
    wanted.push({
      object: follow(cluster, 'spec.infrastructureRef', view),
      relation: 'waits for the infrastructure of the cluster',
    });
  if (/WaitingForBootstrapData/.test(said))
    wanted.push({
      object: follow(machine, 'spec.bootstrap.configRef', view),
      relation: 'waits for the bootstrap data',
    });
  if (/WaitingForControlPlane|control plane/i.test(said) && !isControlPlaneUp(cluster))
    wanted.push({ object: follow(cluster, 'spec.controlPlaneRef', view), relation: 'waits for the control plane' });
  return wanted;
}

/** What is told of a cluster that does not answer says nothing of itself. */
function cutOffCluster(object: Observed, view: View): readonly Wanted[] {
  const cluster = clusterOf(object, view);
  if (cluster === undefined || connection(cluster, view) === undefined) return [];
  return [{ object: cluster, relation: 'is in a cluster that cannot be reached,' }];
}

function isControlPlaneUp(cluster: Observed | undefined): boolean {
  return cluster !== undefined && flagAt(cluster, 'status', 'initialization', 'controlPlaneInitialized');
}

function whileDeleting(object: Observed, view: View): readonly Wanted[] {
  const owned = (kinds: readonly string[]): Wanted[] =>
    view.set
      .ownedBy(object)
      .filter(({ kind }) => kinds.includes(kind))
      .map((one) => ({ object: one, relation: 'waits for the end of' }));
  const gone = (path: string): Wanted[] => {
    const target = follow(object, path, view);
    return target !== undefined && isDeleting(target) ? [{ object: target, relation: 'waits for the end of' }] : [];
  };
  if (isControlPlaneObject(object)) return [...workersOf(object, view), ...owned(['Machine'])];
  switch (object.kind) {
    case 'Cluster':
      return [
        ...owned(['MachinePool', 'MachineDeployment', 'MachineSet', 'Machine']),
        ...gone('spec.controlPlaneRef'),
        ...gone('spec.infrastructureRef'),
      ];
    case 'MachineDeployment':
      return owned(['MachineSet']);
    case 'MachineSet':
      return owned(['Machine']);
    case 'MachinePool':
      return [...gone('spec.template.spec.infrastructureRef'), ...owned(['Machine'])];
    case 'Machine':
      return [...gone('spec.infrastructureRef'), ...gone('spec.bootstrap.configRef'), ...cleanUpOf(object, view)];
    default:
      return [];
  }
}

/** A control plane goes after the workers. */
function workersOf(controlPlane: Observed, view: View): Wanted[] {
  if (conditionOf(controlPlane, 'Deleting')?.reason !== 'WaitingForWorkersDeletion') return [];
  const cluster = clusterOf(controlPlane, view);
  if (cluster === undefined) return [];
  return ['MachineDeployment', 'MachinePool', 'Machine']
    .flatMap((kind) => ofThisCluster(cluster, kind, view))
    .filter((object) => object.kind !== 'Machine' || !isControlPlaneMachine(object))
    .map((object) => ({ object, relation: 'waits for the end of' }));
}

/** The control plane takes a member out of etcd before its machine goes. */
function cleanUpOf(machine: Observed, view: View): Wanted[] {
  if (!isControlPlaneMachine(machine) || conditionOf(machine, 'Deleting')?.reason !== 'WaitingForPreTerminateHook')
    return [];
  const owner = view.set.byUid(machine.metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid);
  return owner === undefined || refOf(owner).kind === 'MachineSet'
    ? []
    : [{ object: owner, relation: 'waits for the clean-up by' }];
}
