import { realNodes, realNodesLong } from '../../../scripts/documented-commands/real-nodes.js';
import { policies, storage, webClients, webService } from './workloads.js';
import { type RealHost, until } from './real-host.js';

const cluster = 'real';

/** Waits until the add-ons of the cluster are available, and returns the names of their Deployments. */
export async function availableAddOns(host: RealHost): Promise<string[]> {
  await host.kubectl('wait', '--for=condition=ResourcesApplied', '--timeout=180s', 'clusterresourceset/local-add-ons');
  for (const namespace of ['kube-system', 'local-path-storage']) {
    const all = ['deployments', '--all', '--namespace', namespace];
    await host.workload(cluster, 'wait', '--for=condition=Available', '--timeout=240s', ...all);
  }
  const names = 'jsonpath={.items[*].metadata.name}';
  return (await host.workload(cluster, 'get', 'deployments', '--all-namespaces', '-o', names)).split(' ').sort();
}

/** Deploys a web server with two replicas, its Service, and two clients. */
export async function deployWeb(host: RealHost): Promise<void> {
  await host.applyToWorkload(cluster, `${webService}---\n${webClients}`);
  await host.workload(cluster, 'wait', '--for=condition=Available', '--timeout=180s', 'deployment/web');
  await host.workload(cluster, 'wait', '--for=condition=Ready', '--timeout=180s', 'pod/friend', 'pod/stranger');
}

export function clusterIpOfWeb(host: RealHost): Promise<string> {
  return host.workload(cluster, 'get', 'service', 'web', '-o', 'jsonpath={.spec.clusterIP}');
}

/** Returns the response that a Pod receives from a URL. `blocked` if the name is resolved but the connection times out. */
export async function answerTo(host: RealHost, pod: string, url: string): Promise<string> {
  try {
    return await host.workload(cluster, 'exec', pod, '--', 'pod-network', 'get', url);
  } catch (error) {
    const message = String(error);
    if (message.includes('Client.Timeout exceeded') && !message.includes('lookup')) return 'blocked';
    throw error;
  }
}

/** Repeats a request until its response matches, and returns it: kube-proxy and CoreDNS follow the API with a delay. */
export async function untilAnswer(host: RealHost, pod: string, url: string, answer: RegExp): Promise<string> {
  let last = '';
  await until(`${pod} receives ${answer.source} from ${url}`, async () => {
    last = await answerTo(host, pod, url).catch(String);
    return answer.test(last);
  });
  return last;
}

export function applyPolicy(host: RealHost, policy: keyof typeof policies): Promise<void> {
  return host.applyToWorkload(cluster, policies[policy]);
}

/** Writes a file to a new volume, replaces the Pod, and returns the content that the new Pod reads. */
export async function contentAfterReplacement(host: RealHost): Promise<string> {
  await host.applyToWorkload(
    cluster,
    `${storage.claim}---\n${storage.pod('writer', 'echo kept > /data/file; sleep 3600')}`,
  );
  await host.workload(cluster, 'wait', '--for=condition=Ready', '--timeout=180s', 'pod/writer');
  await host.workload(cluster, 'wait', '--for=jsonpath={.status.phase}=Bound', '--timeout=60s', 'pvc/data');
  await until('the file is written', async () => (await read(host, 'writer')) === 'kept');
  await host.workload(cluster, 'delete', 'pod', 'writer', '--timeout=60s');
  await host.applyToWorkload(cluster, storage.pod('reader', 'sleep 3600'));
  await host.workload(cluster, 'wait', '--for=condition=Ready', '--timeout=180s', 'pod/reader');
  return read(host, 'reader');
}

function read(host: RealHost, pod: string): Promise<string> {
  return host.workload(cluster, 'exec', pod, '--', 'cat', '/data/file').catch(() => '');
}

/** Deletes the Pod and its claim, and waits until the volume is deleted. */
export async function releaseVolume(host: RealHost): Promise<void> {
  await host.workload(cluster, 'delete', 'pod/reader', 'pvc/data', '--timeout=60s');
  await until('the volume is deleted', async () => (await host.workload(cluster, 'get', 'pv', '-o', 'name')) === '');
}

/** Returns the nodes with usage, as `kubectl top nodes` lists them. */
export async function nodesWithUsage(host: RealHost): Promise<string[]> {
  let lines: string[] = [];
  await host.shell(realNodes.workloadKubeconfig);
  await until('there are metrics of both nodes', async () => {
    const text = await host.shell(realNodesLong.usage).catch(() => '');
    lines = text.split('\n').filter((line) => /\s\d+m\s+\d+%\s+\d+Mi\s+\d+%/.test(line));
    return lines.length === 2;
  });
  return lines.map((line) => line.split(/\s+/)[0] ?? '').sort();
}
