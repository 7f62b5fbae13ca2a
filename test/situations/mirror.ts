import type { Stage } from './situation.js';
import { conditionFrom, conditionsOf, type Draft, nowMs, timeText } from './draft.js';

/**
 * Sets the conditions of every object for the stage. Without a stage, lets owners report the problems of their
 * dependents.
 */
export function mirrorConditions(objects: readonly Draft[], stage: Stage | undefined): void {
  if (stage !== undefined) for (const object of objects) start(object, stage);
  const ofKind = (...kinds: readonly string[]): Draft[] => objects.filter(({ kind }) => kinds.includes(kind));
  const behind = (reference: unknown): Draft | undefined => {
    const { kind, name } = (reference ?? {}) as { kind?: string; name?: string };
    return objects.find((object) => object.kind === kind && object.metadata.name === name);
  };
  for (const vm of ofKind('VSphereVM')) summarize(vm);
  for (const object of objects.filter(isInfrastructureMachine)) {
    const vm = ofKind('VSphereVM').find(({ metadata }) => metadata.name === object.metadata.name);
    if (vm !== undefined) copy(vm, 'Ready', object, 'VirtualMachineProvisioned');
    summarize(object);
  }
  for (const config of ofKind('KubeadmConfig')) summarize(config);
  for (const machine of ofKind('Machine')) {
    const { bootstrap, infrastructureRef } = (machine.spec ?? {}) as Record<string, { configRef?: unknown }>;
    copy(behind(bootstrap?.configRef), 'Ready', machine, 'BootstrapConfigReady');
    copy(behind(infrastructureRef), 'Ready', machine, 'InfrastructureReady');
    summarize(machine);
  }
  for (const owner of ofKind('MachineSet', 'MachineDeployment', 'KubeadmControlPlane')) reportMachines(owner, objects);
  for (const cluster of ofKind('Cluster')) reportCluster(cluster, objects, behind);
}

function isInfrastructureMachine({ apiVersion, kind }: Draft): boolean {
  return apiVersion.includes('infrastructure.') && kind.endsWith('Machine');
}

function set(object: Draft, text: string): void {
  const condition = conditionFrom(text) as { type: string; status: string; reason: string; message: string };
  const before = conditionsOf(object);
  object.status = {
    ...object.status,
    conditions: [condition, ...before.filter(({ type }) => type !== condition.type)],
  };
}

function copy(from: Draft | undefined, type: string, to: Draft, as: string): void {
  const condition = from && conditionsOf(from).find((one) => one.type === type);
  if (condition === undefined) return;
  set(to, `${as}=${condition.status} ${condition.reason}: ${condition.message}`);
}

const negative = new Set(['Deleting', 'Paused', 'ScalingUp', 'ScalingDown', 'RollingOut', 'Remediating', 'Updating']);

/** Sets Ready to the summary of all other conditions. */
function summarize(object: Draft, type = 'Ready'): void {
  const others = conditionsOf(object).filter((one) => one.type !== type && !negative.has(one.type));
  if (others.length === 0) return;
  const bad = others.find(({ status }) => status !== 'True');
  set(
    object,
    bad === undefined
      ? `${type}=True ${type}:`
      : `${type}=False Not${type}: * ${bad.type}: ${bad.message || bad.reason}`,
  );
}

function reportMachines(owner: Draft, objects: readonly Draft[]): void {
  const below = objects.filter(({ metadata }) =>
    (metadata.ownerReferences ?? []).some(({ uid }) => uid === owner.metadata.uid),
  );
  const children = below.filter(({ kind }) => kind === 'Machine' || kind === 'MachineSet');
  const type = owner.kind === 'MachineSet' ? 'MachinesReady' : 'Available';
  if (children.length === 0 || conditionsOf(owner).length === 0) return;
  const bad = children.find((child) =>
    conditionsOf(child).some((one) => ['Ready', 'MachinesReady'].includes(one.type) && one.status !== 'True'),
  );
  const status = bad === undefined ? 'True' : 'False';
  set(owner, `${type}=${status} ${bad === undefined ? type : `Not${type}`}:${bad === undefined ? '' : ' 0 of 1'}`);
}

function reportCluster(
  cluster: Draft,
  objects: readonly Draft[],
  behind: (reference: unknown) => Draft | undefined,
): void {
  const { infrastructureRef, controlPlaneRef } = (cluster.spec ?? {}) as Record<string, unknown>;
  const infrastructure = behind(infrastructureRef);
  if (infrastructure !== undefined) {
    summarize(infrastructure);
    copy(infrastructure, 'Ready', cluster, 'InfrastructureReady');
  }
  copy(behind(controlPlaneRef), 'Available', cluster, 'ControlPlaneAvailable');
  const name = cluster.metadata.name ?? '';
  const deployment = objects.find(
    ({ kind, metadata }) => kind === 'MachineDeployment' && metadata.name === `${name}-workers`,
  );
  copy(deployment, 'Available', cluster, 'WorkersAvailable');
  reportProgress(cluster, objects);
  summarize(cluster, 'Available');
}

/** Lets the Cluster report machines that are not ready, and owners of machines that scale up or are not available. */
function reportProgress(cluster: Draft, objects: readonly Draft[]): void {
  if (conditionsOf(cluster).length === 0) return;
  const own = objects.filter(
    ({ metadata }) => metadata.labels?.['cluster.x-k8s.io/cluster-name'] === cluster.metadata.name,
  );
  const has = (object: Draft, type: string, status: string): boolean =>
    conditionsOf(object).some((one) => one.type === type && one.status === status);
  const isUnready = own.some((object) => object.kind === 'Machine' && has(object, 'Ready', 'False'));
  if (isUnready) set(cluster, 'WorkerMachinesReady=False NotReady: a Machine is not ready');
  const isScaling = own.some((object) => has(object, 'ScalingUp', 'True'));
  if (isScaling) set(cluster, 'ScalingUp=True ScalingUp: Scaling up');
  const isPoolMissing = own.some(
    (object) => object.kind === 'MachinePool' && has(object, 'InfrastructureReady', 'False'),
  );
  if (isPoolMissing) set(cluster, 'WorkersAvailable=False NotAvailable: a MachinePool is not available');
}

/** Sets the conditions that the controllers write at each stage. */
function start(object: Draft, stage: Stage): void {
  const isUp = stage === 'available' || stage === 'deleting';
  const isInfrastructureReady = isUp || stage === 'starting';
  const { kind, metadata } = object;
  const isControlPlane = Object.hasOwn(metadata.labels ?? {}, 'cluster.x-k8s.io/control-plane');
  if (conditionsOf(object).length > 0 || kind === 'Secret' || kind.endsWith('Template')) return;
  if (object.apiVersion.includes('infrastructure.') && kind.endsWith('Cluster')) {
    set(
      object,
      isInfrastructureReady ? 'Ready=True Provisioned:' : 'Ready=False Provisioning: Waiting for the provider',
    );
    object.status = { ...object.status, initialization: { provisioned: isInfrastructureReady } };
  } else if (isInfrastructureMachine(object) || kind === 'VSphereVM')
    startMachine(object, isUp, isInfrastructureReady, isControlPlane);
  else if (kind === 'KubeadmConfig') {
    const isWritten = isUp || (isInfrastructureReady && isControlPlane);
    set(
      object,
      isWritten
        ? 'DataSecretAvailable=True Available:'
        : 'DataSecretAvailable=False NotAvailable: Waiting for the Cluster',
    );
  } else startCore(object, isUp, isInfrastructureReady);
  if (stage === 'deleting' && kind === 'Cluster') {
    metadata.deletionTimestamp = timeText(nowMs - 10 * 60_000);
    metadata.finalizers = ['cluster.cluster.x-k8s.io'];
  }
}

function startMachine(object: Draft, isUp: boolean, isInfrastructureReady: boolean, isControlPlane: boolean): void {
  const type =
    object.kind === 'VSphereVM' || object.kind === 'VSphereMachine' ? 'VirtualMachineProvisioned' : 'VMProvisioned';
  if (isUp) set(object, `${type}=True Provisioned:`);
  else if (isInfrastructureReady && isControlPlane)
    set(object, `${type}=False Provisioning: Waiting for the virtual machine`);
  else
    set(
      object,
      isInfrastructureReady
        ? `${type}=False WaitingForBootstrapData: Waiting for the bootstrap data`
        : `${type}=False WaitingForClusterInfrastructureReady: Waiting for the cluster infrastructure`,
    );
}

function startCore(object: Draft, isUp: boolean, isInfrastructureReady: boolean): void {
  const { kind } = object;
  if (kind === 'Cluster') {
    object.status = {
      ...object.status,
      initialization: { infrastructureProvisioned: isInfrastructureReady, controlPlaneInitialized: isUp },
    };
    if (isUp) set(object, 'RemoteConnectionProbe=True ProbeSucceeded:');
    if (object.spec?.['topology'] !== undefined) set(object, 'TopologyReconciled=True ReconcileSucceeded:');
  } else if (kind === 'Machine') {
    set(object, isUp ? 'NodeHealthy=True NodeHealthy:' : 'NodeHealthy=Unknown InspectionFailed: Waiting for the Node');
    if (isUp) object.status = { ...object.status, nodeRef: { name: object.metadata.name } };
  } else if (kind === 'KubeadmControlPlane') {
    set(object, isUp ? 'Initialized=True Initialized:' : 'Initialized=False NotInitialized:');
    set(object, isUp ? 'Available=True Available:' : 'Available=False NotAvailable: Waiting for the control plane');
    set(object, 'CertificatesAvailable=True Available:');
  } else if (kind === 'MachineSet' || kind === 'MachineDeployment') {
    object.status = { ...object.status, replicas: 1, upToDateReplicas: 1 };
    set(object, 'ScalingUp=False NotScalingUp:');
  }
}
