import { expect } from 'vitest';
import { realNodes } from '../../../scripts/documented-commands/real-nodes.js';
import { answeringPod } from './manifests.js';
import { type RealHost, until } from './real-host.js';

const cluster = 'real';

interface NodeFacts {
  readonly name: string;
  readonly ready: string;
  readonly version: string;
  readonly providerId: string;
}

/** Waits until a machine of the control plane is in the middle of its bootstrap. */
export async function controlPlaneBoots(host: RealHost): Promise<void> {
  const path = 'jsonpath={.items[*].status.conditions[?(@.type=="BootstrapExecSucceeded")].reason}';
  await until('a machine boots', async () => {
    const output = await host.kubectl('get', 'hostmachines', '-l', 'cluster.x-k8s.io/control-plane', '-o', path);
    return output.includes('BootstrapRunning');
  });
}

/** Waits until the Cluster has reached its desired state, as reported by stock kubectl on the management plane. */
export async function clusterIsAvailable(host: RealHost, controlPlanes: number, timeout: string): Promise<void> {
  const wait = (desired: string, object: string): Promise<string> =>
    host.kubectl('wait', `--for=${desired}`, `--timeout=${timeout}`, object);
  const kcp = `kubeadmcontrolplane/${cluster}`;
  // Check observedGeneration too: the counts alone also match intermediate states.
  for (const type of ['RollingOut', 'ScalingUp', 'ScalingDown']) await wait(`condition=${type}=False`, kcp);
  for (const field of ['replicas', 'upToDateReplicas', 'availableReplicas'])
    await wait(`jsonpath={.status.${field}}=${controlPlanes}`, kcp);
  await wait('condition=Available', `cluster/${cluster}`);
}

/** Returns the nodes that stock kubectl lists with the kubeconfig of the workload cluster. */
export async function nodesOf(host: RealHost): Promise<NodeFacts[]> {
  const columns = [
    'NAME:.metadata.name',
    'READY:.status.conditions[?(@.type=="Ready")].status',
    'VERSION:.status.nodeInfo.kubeletVersion',
    'ID:.spec.providerID',
  ];
  const format = `custom-columns=${columns.join(',')}`;
  const text = await host.workload(cluster, 'get', 'nodes', '--no-headers', '-o', format);
  return text.split('\n').map((line) => {
    const [name = '', ready = '', version = '', providerId = ''] = line.trim().split(/\s+/);
    return { name, ready, version, providerId };
  });
}

export async function expectNodes(host: RealHost, count: number, version: string): Promise<void> {
  await host.workload(cluster, 'wait', '--for=condition=Ready', '--timeout=180s', 'nodes', '--all');
  const nodes = await nodesOf(host);
  expect(nodes).toHaveLength(count);
  for (const { name, ...facts } of nodes)
    expect(facts).toEqual({ ready: 'True', version, providerId: `host://default/${name}` });
}

/** Returns the members that one etcd member lists. */
export async function etcdMembers(host: RealHost): Promise<string[]> {
  const [first = ''] = await controlPlaneMachines(host);
  const pki = '/etc/kubernetes/pki/etcd';
  const keys = [`--cacert=${pki}/ca.crt`, `--cert=${pki}/server.crt`, `--key=${pki}/server.key`];
  const args = ['--endpoints=https://127.0.0.1:2379', ...keys, 'member', 'list', '--write-out=json'];
  const { members } = JSON.parse(await host.runInMachine(first, 'etcdctl', ...args)) as {
    members: { name: string; isLearner?: boolean }[];
  };
  return members
    .filter(({ isLearner }) => isLearner !== true)
    .map(({ name }) => name)
    .sort();
}

/** Returns the names of the control plane machines that are not being deleted. */
export async function controlPlaneMachines(host: RealHost): Promise<string[]> {
  const selected = ['-l', 'cluster.x-k8s.io/control-plane'];
  const text = await host.kubectl('get', 'hostmachines', ...selected, '-o', 'jsonpath={.items[*].metadata.name}');
  return text
    .split(' ')
    .filter((name) => name !== '')
    .sort();
}

/** Returns the response of a Pod on the worker to the API server on another node, over the Pod network. */
export async function answerOfPod(host: RealHost): Promise<string> {
  await host.applyToWorkload(cluster, answeringPod);
  await host.workload(cluster, 'wait', '--for=condition=Ready', '--timeout=180s', 'pod/answer');
  const nodeName = await host.workload(cluster, 'get', 'pod', 'answer', '-o', 'jsonpath={.spec.nodeName}');
  expect(nodeName).toMatch(/^real-workers-/);
  // A running Pod may not listen yet, and the nodes may not have routes to it.
  let answer = '';
  await until('the pod answers', async () => {
    const path = '/api/v1/namespaces/default/pods/answer:8080/proxy/';
    answer = await host.workload(cluster, 'get', '--raw', path).catch(() => '');
    return answer !== '';
  });
  return answer;
}

/** Returns the last transition of the Ready condition of each node, which killing Slipway must not change. */
export async function readySince(host: RealHost): Promise<string[]> {
  const path =
    'jsonpath={range .items[*]}{.metadata.name}={.status.conditions[?(@.type=="Ready")].lastTransitionTime} ';
  return (await host.workload(cluster, 'get', 'nodes', '-o', `${path}{end}`)).trim().split(' ');
}

/** Kills Slipway and starts it again. The nodes are not affected. */
export async function killAndRestart(host: RealHost): Promise<void> {
  await host.killSlipway();
  await host.startSlipway();
}

/** Deletes the cluster, and returns everything that is left of it. */
export async function deleteCluster(host: RealHost): Promise<string[]> {
  await host.kubectl('delete', 'cluster', cluster, '--wait=false');
  await killAndRestart(host);
  // Run the command of the page, which waits. The machines kept running without Slipway, so the cluster still exists.
  await host.shell(realNodes.delete);
  const objects = await host.kubectl('get', 'hostmachines,hostclusters', '-o', 'name');
  // Wait for the addresses too: the deletion of a machine does not wait for the release of its address.
  const addresses = ['get', 'ipaddresses,ipaddressclaims', '-o', 'name'];
  await until('the addresses are given back', async () => (await host.kubectl(...addresses)) === '');
  return [...objects.split('\n').filter((line) => line !== ''), ...(await host.leftovers())];
}
