import { formatTime } from '@slipway/kube';
import { devAnnotations } from '../api/index.js';
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
import type { Guest } from './guest.js';

/** Creates the objects that kubeadm and the kubelet create first. */
export async function registerNode(guest: Guest): Promise<void> {
  const { name, version, isControlPlane, address, providerId, machine, context } = guest;
  const objects = await startedObjects(guest);
  const { failureDomain } = machine.spec;
  const node = {
    name,
    version,
    isControlPlane,
    address,
    providerId,
    ...(failureDomain === undefined ? {} : { failureDomain }),
  };
  // Do not change an existing Node: a test may have made it unhealthy on purpose.
  await objects.ensure(nodeObject(node, context.clock.now()));
}

export async function startEtcd(guest: Guest): Promise<void> {
  const { workload, name, uid, address, context } = guest;
  // If the Secret of the etcd CA has no key, the cluster uses an external etcd.
  if (workload.authorities?.etcd === undefined) return;
  const { etcd } = workload;
  const member = etcd.start(name, uid, address);
  if (member === undefined) return;
  await ensurePod(guest, 'etcd', etcdImage, {
    [devAnnotations.etcdClusterId]: String(etcd.id),
    [devAnnotations.etcdMemberId]: String(member.id),
    ...(etcd.leader === member ? { [devAnnotations.etcdLeaderFrom]: formatTime(context.clock.now()) } : {}),
  });
}

/** Starts the API server. Its certificate is valid from `sinceMs`. */
export async function startApiServer(guest: Guest, sinceMs: number): Promise<void> {
  const { workload, name, version, address } = guest;
  for (const component of ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'] as const)
    await ensurePod(guest, component, componentImage(component, version));
  const objects = await startedObjects(guest);
  if (objects.get('configmaps', systemNamespace, kubeadmConfigName) === undefined)
    await objects.ensure(kubeadmConfig(await clusterConfigurationOf(guest)));
  workload.addApiServer(name, sinceMs, address);
}

async function ensurePod(
  guest: Guest,
  component: StaticPod,
  image: string,
  annotations: Readonly<Record<string, string>> = {},
): Promise<void> {
  const objects = await startedObjects(guest);
  const { name, address, context } = guest;
  const node = { name, address, uid: objects.get(nodeResource, '', name)?.metadata.uid ?? '' };
  await objects.ensure(staticPod({ component, node, image, annotations }, context.clock.now()));
}

/** Returns the store of the cluster. The first machine that needs it creates it with the cluster's keys. */
async function startedObjects({ workload, clusterKey, context, version }: Guest): Promise<SimulatedObjects> {
  if (workload.objects !== undefined) return workload.objects;
  return workload.start(await readAuthorities(context.read, clusterKey), version);
}
