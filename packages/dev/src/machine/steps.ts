import { formatTime } from '@slipway/kube';
import { ReconcileError } from '@slipway/runtime';
import { devAnnotations, devConditions, devReasons } from '../api/index.js';
import {
  componentImage,
  etcdImage,
  kubeadmConfig,
  kubeadmConfigName,
  nodeObject,
  nodeResource,
  readAuthorities,
  type SimulatedObjects,
  type StaticPod,
  staticPod,
  systemNamespace,
} from '../workload/index.js';
import { clusterConfigurationOf } from './cluster-configuration.js';
import type { Stage, StartupStep } from './stage.js';

const { vmProvisioned, nodeProvisioned, etcdProvisioned, apiServerProvisioned } = devConditions;

export const machineSteps: readonly StartupStep[] = [
  {
    phase: 'vm',
    condition: vmProvisioned,
    begin: ({ workload, name }) => workload.switchOn(name),
    async finish({ workload, name }) {
      workload.switchOn(name);
    },
  },
  {
    phase: 'node',
    condition: nodeProvisioned,
    after: { condition: vmProvisioned, reason: devReasons.waitingForVmProvisioned },
    begin: ({ report }) => report.since(vmProvisioned),
    finish: registerNode,
  },
];

export const controlPlaneSteps: readonly StartupStep[] = [
  {
    phase: 'etcd',
    condition: etcdProvisioned,
    after: { condition: nodeProvisioned, reason: devReasons.waitingForNodeProvisioned },
    begin: ({ report }) => report.since(nodeProvisioned),
    finish: startEtcd,
  },
  {
    phase: 'apiServer',
    condition: apiServerProvisioned,
    after: { condition: nodeProvisioned, reason: devReasons.waitingForNodeProvisioned },
    begin: ({ report }) => report.since(nodeProvisioned),
    finish: startApiServer,
  },
];

async function registerNode(stage: Stage): Promise<void> {
  const { name, version, isControlPlane, address, devMachine, machine, context } = stage;
  const objects = await startedObjects(stage);
  const { failureDomain } = machine.spec;
  const node = {
    name,
    version,
    isControlPlane,
    address,
    providerId: providerIdOf(name),
    ...(failureDomain === undefined ? {} : { failureDomain }),
  };
  // A Node that is there is left alone: whoever made it unhealthy wants it so.
  await objects.ensure(nodeObject(node, context.clock.now()));
  if (devMachine.metadata.deletionTimestamp !== undefined) throw new Error(`${name} is being deleted`);
}

async function startEtcd(stage: Stage): Promise<void> {
  const { workload, name, uid, address, context } = stage;
  // Without a key of its own the cluster has its etcd elsewhere.
  if (workload.authorities?.etcd === undefined) return;
  const { etcd } = workload;
  const member = etcd.start(name, uid, address);
  if (member === undefined) return;
  await ensurePod(stage, 'etcd', etcdImage, {
    [devAnnotations.etcdClusterId]: String(etcd.id),
    [devAnnotations.etcdMemberId]: String(member.id),
    ...(etcd.leader === member ? { [devAnnotations.etcdLeaderFrom]: formatTime(context.clock.now()) } : {}),
  });
}

async function startApiServer(stage: Stage): Promise<void> {
  const { workload, name, version, report } = stage;
  for (const component of ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'] as const)
    await ensurePod(stage, component, componentImage(component, version));
  const objects = await startedObjects(stage);
  if (objects.get('configmaps', systemNamespace, kubeadmConfigName) === undefined)
    await objects.ensure(kubeadmConfig(await clusterConfigurationOf(stage)));
  workload.addApiServer(name, report.since(apiServerProvisioned));
}

async function ensurePod(
  stage: Stage,
  component: StaticPod,
  image: string,
  annotations: Readonly<Record<string, string>> = {},
): Promise<void> {
  const objects = await startedObjects(stage);
  const { name, address, context } = stage;
  const node = { name, address, uid: objects.get(nodeResource, '', name)?.metadata.uid ?? '' };
  await objects.ensure(staticPod({ component, node, image, annotations }, context.clock.now()));
}

/** The cluster's store, made with its keys by the first machine that needs it. */
async function startedObjects(stage: Stage): Promise<SimulatedObjects> {
  const { workload, clusterKey, context, version, report } = stage;
  if (workload.objects !== undefined) return workload.objects;
  try {
    return await workload.start(await readAuthorities(context.client, clusterKey), version);
  } catch (error) {
    if (error instanceof ReconcileError) report.waits(nodeProvisioned, devReasons.certificatesNotUsable, error.message);
    throw error;
  }
}

export function providerIdOf(name: string): string {
  return `in-memory://${name}`;
}
