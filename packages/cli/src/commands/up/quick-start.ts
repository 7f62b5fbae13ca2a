import { join } from 'node:path';
import { devClusterTemplate, renderTemplate } from '@slipway/clusterctl';
import type { TreeNode } from '@slipway/insight';
import { isReason, type KubeObject, parseApiVersion } from '@slipway/kube';
import { type Client, secrets } from '@slipway/runtime';
import { followTree, isAvailable } from '../../clusters/follow-tree.js';
import { CliError } from '../../errors/index.js';
import { styleFor } from '../../output/index.js';
import { writeKubeconfig } from '../../plane/kubeconfig-file.js';

const quickStartName = 'quick-start';
const namespace = 'default';

export interface QuickStartOptions {
  readonly client: Client;
  /** Directory for the workload cluster's kubeconfig. */
  readonly folder: string;
  readonly print: (text: string) => void;
  readonly signal: AbortSignal;
}

/** Creates a workload cluster, or uses the existing one, shows its progress and prints how to reach it. */
export async function quickStart({ client, folder, print, signal }: QuickStartOptions): Promise<void> {
  print(`Cluster ${quickStartName}: one control plane and two worker machines, simulated in memory\n\n`);
  for (const object of quickStartObjects(quickStartName)) await createOnce(client, object, signal);
  const key = { namespace, name: quickStartName };
  const style = styleFor(process.stdout, undefined);
  if ((await followTree(client, key, { signal, style, until: isUp })) !== 'reached') return;
  const file = join(folder, `${quickStartName}.conf`);
  const secret = await client.get(secrets, { namespace, name: `${quickStartName}-kubeconfig` }, { signal });
  await writeKubeconfig(file, Buffer.from(secret.data?.['value'] ?? '', 'base64').toString('utf8'));
  print(`
  slipway get clusters,machines                                # the management plane
  kubectl --kubeconfig ${file} get nodes                       # the workload cluster
  slipway scale machinedeployment/${quickStartName}-workers --replicas 5
  slipway delete cluster ${quickStartName}

`);
}

async function createOnce(client: Client, object: KubeObject, signal: AbortSignal): Promise<void> {
  const { group, version } = parseApiVersion(object.apiVersion);
  const resource = await client.resourceFor({ group, version, kind: object.kind });
  if (resource === undefined)
    throw new CliError(
      `the server has no resource of kind ${object.kind}: the quick start needs the Cluster API controllers`,
    );
  try {
    await client.create(resource, object, { signal });
  } catch (error) {
    if (!isReason(error, 'AlreadyExists')) throw error;
  }
}

/**
 * Returns the objects of docs/samples/quick-start.yaml under any name: a cluster of one control plane and two worker machines in
 * memory.
 */
export function quickStartObjects(name: string): readonly KubeObject[] {
  const namespace = 'default';
  const values: Readonly<Record<string, string>> = {
    CLUSTER_NAME: name,
    NAMESPACE: namespace,
    CONTROL_PLANE_MACHINE_COUNT: '1',
    WORKER_MACHINE_COUNT: '2',
  };
  const lookup = (variable: string): string | undefined => values[variable];
  return renderTemplate(devClusterTemplate(), { lookup, targetNamespace: namespace }).objects;
}

/**
 * Returns whether the cluster is Available and all machines are ready: the counters can be updated after Available. To be used as
 * `until`.
 */
export function isUp(cluster: TreeNode): boolean {
  const { replicas, ready } = cluster.counters;
  return isAvailable(cluster) && replicas === `${ready}/${ready}`;
}
