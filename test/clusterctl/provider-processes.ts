import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePorts, type PeerProcess, startPeer } from '../support/peer-process.js';
import type { RealKubeApiserver } from '../support/real-kube-apiserver.js';
import type { Workbench } from './workbench.js';
import { installedSlipway } from '../../packages/cli/test/support/installed.js';

export interface ProviderProcess {
  readonly namespace: string;
  readonly process: PeerProcess;
}

interface InstalledDeployment {
  readonly metadata: { readonly namespace: string };
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly serviceAccountName: string;
        readonly containers: readonly { readonly args: readonly string[] }[];
      };
    };
  };
}

/**
 * Simulates the kubelet: runs the manager of every installed provider as specified by its Deployment, with only the permissions
 * of its ServiceAccount, and makes its webhooks reachable for the API server.
 */
export async function runProviders(server: RealKubeApiserver, workbench: Workbench): Promise<ProviderProcess[]> {
  const listed = await workbench.kubectl(['get', 'deployments', '-A', '-o', 'json']);
  const { items } = JSON.parse(listed) as { readonly items: readonly InstalledDeployment[] };
  const running: ProviderProcess[] = [];
  for (const deployment of items) running.push(await runProvider(deployment, server, workbench));
  await Promise.all(running.map(({ process }) => untilStarted(process)));
  return running;
}

async function runProvider(
  { metadata, spec }: InstalledDeployment,
  server: RealKubeApiserver,
  workbench: Workbench,
): Promise<ProviderProcess> {
  const { namespace } = metadata;
  const { serviceAccountName, containers } = spec.template.spec;
  const token = (
    await workbench.kubectl(['create', 'token', serviceAccountName, '-n', namespace, '--duration=1h'])
  ).trim();
  const kubeconfig = join(workbench.folder, `${namespace}.kubeconfig`);
  writeFileSync(kubeconfig, kubeconfigOf(server, namespace, token), { mode: 0o600 });
  const [port = 0] = await freePorts(1);
  await pointWebhooks(namespace, port, workbench);
  const own = [
    `--kubeconfig=${kubeconfig}`,
    '--webhook-host=127.0.0.1',
    `--webhook-port=${port}`,
    '--health-addr=0',
    '--diagnostics-address=0',
    '--log-format=json',
  ];
  const process_ = startPeer(process.execPath, [installedSlipway, 'manager', ...(containers[0]?.args ?? []), ...own]);
  return { namespace, process: process_ };
}

function kubeconfigOf(server: RealKubeApiserver, namespace: string, token: string): string {
  const authority = Buffer.from(server.certificateAuthority).toString('base64');
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'real', cluster: { server: server.url, 'certificate-authority-data': authority } }],
    users: [{ name: 'manager', user: { token } }],
    contexts: [{ name: 'real', context: { cluster: 'real', user: 'manager', namespace } }],
    'current-context': 'real',
  });
}

/**
 * Points the webhooks of a provider to its process. There is no Pod network, so the Service resolves to this host and the port of
 * the process.
 */
async function pointWebhooks(namespace: string, port: number, workbench: Workbench): Promise<void> {
  const kubectl = (args: readonly string[], options = {}): Promise<string> => workbench.kubectl(args, options);
  const { items } = JSON.parse(await kubectl(['get', 'services', '-n', namespace, '-o', 'json'])) as {
    readonly items: readonly { readonly metadata: { readonly name: string } }[];
  };
  for (const { metadata } of items) {
    const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: metadata.name, namespace } };
    const spec = { type: 'ExternalName', externalName: 'localhost' };
    await kubectl(['replace', '--force', '-f', '-'], { input: JSON.stringify({ ...service, spec }) });
  }
  const kinds = 'validatingwebhookconfigurations,mutatingwebhookconfigurations,customresourcedefinitions';
  const all = JSON.parse(await kubectl(['get', kinds, '-o', 'json'])) as { readonly items: readonly object[] };
  const pointed = all.items.flatMap((object) => {
    const text = JSON.stringify(object);
    const changed = text.replaceAll(
      new RegExp(`"service":\\{("name":"[^"]+","namespace":"${namespace}","path":"[^"]+"),"port":\\d+\\}`, 'g'),
      `"service":{$1,"port":${port}}`,
    );
    return changed === text ? [] : [JSON.parse(changed) as object];
  });
  const list = { apiVersion: 'v1', kind: 'List', items: pointed };
  await kubectl(['replace', '-f', '-'], { input: JSON.stringify(list) });
}

const timeoutMs = 180_000;

async function untilStarted(manager: PeerProcess): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!manager.log().includes('"msg":"Manager started"')) {
    if (manager.exited || Date.now() > deadline) throw new Error(`the manager did not start:\n${manager.log()}`);
    await pause(100);
  }
}
