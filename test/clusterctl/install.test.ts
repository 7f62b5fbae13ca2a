import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type RealKubeApiserver, startRealKubeApiserver } from '../support/real-kube-apiserver.js';
import { type ProviderProcess, runProviders } from './provider-processes.js';
import { defineCertManager, openWorkbench, succeeded, type Workbench } from './workbench.js';

let server: RealKubeApiserver;
let workbench: Workbench;
let managers: ProviderProcess[] = [];
beforeAll(async () => {
  server = await startRealKubeApiserver({ controllerManager: true });
  workbench = await openWorkbench(server.kubeconfigFile);
});
afterAll(async () => {
  await stopManagers();
  workbench.dispose();
  await server.stop();
});

async function stopManagers(): Promise<void> {
  await Promise.all(managers.map(({ process }) => process.stop()));
  managers = [];
}

const version = 'v1.14.2+slipway.0.1.0';
const labels = ['bootstrap-kubeadm', 'cluster-api', 'control-plane-kubeadm', 'infrastructure-dev'];

interface Listed {
  readonly items: readonly { readonly metadata: { readonly name: string; readonly namespace: string } }[];
}

async function names(...args: readonly string[]): Promise<string[]> {
  const { items } = JSON.parse(await workbench.kubectl(['get', ...args, '-o', 'json'])) as Listed;
  return items.map(({ metadata }) => metadata.name).sort();
}

// The tests depend on each other and run in order.
describe('stock clusterctl on kube-apiserver', () => {
  it('installs our providers', async () => {
    await defineCertManager(workbench);
    const { code, stderr } = await workbench.clusterctl(['init', '--infrastructure', 'dev']);
    expect(stderr).toContain('Your management cluster has been initialized successfully!');
    expect(code).toBe(0);
    expect(await names('providers', '-A')).toEqual(labels);
  });

  it('writes an inventory that slipway reads, without planning any upgrade', async () => {
    const plan = succeeded(await workbench.slipway(['upgrade', 'plan', '-o', 'json']));
    const [{ items }] = JSON.parse(plan) as [{ items: { provider: { version: string }; nextVersion?: string }[] }];
    expect(items.map(({ provider }) => provider.version)).toEqual(labels.map(() => version));
    expect(items.every(({ nextVersion }) => nextVersion === undefined)).toBe(true);
    expect(succeeded(await workbench.slipway(['init', '--infrastructure', 'dev']))).toBe(
      'All providers are already installed.\n',
    );
  });

  it('grants the managers all permissions that the lifecycle of a cluster needs', async () => {
    managers = await runProviders(server, workbench);
    const args = ['create', 'cluster', 'demo', '--infrastructure', 'dev', '--timeout', '4m'];
    const made = await workbench.slipway(args);
    const logs = (): string => managers.map(({ process }) => process.log()).join('\n');
    expect(made.code, `${made.stdout}${made.stderr}\n${logs().slice(-6_000)}`).toBe(0);
    await workbench.kubectl(['scale', 'machinedeployment', 'demo-workers', '--replicas=3']);
    await workbench.kubectl([
      'wait',
      'machinedeployment/demo-workers',
      '--for=jsonpath={.status.readyReplicas}=3',
      '--timeout=180s',
    ]);
    await workbench.kubectl(['delete', 'cluster', 'demo', '--timeout=180s']);
    expect(await names('machines', '-A')).toEqual([]);
    // The Kubernetes garbage collector deletes the templates, which the Cluster owns, asynchronously.
    const templates = 'devmachinetemplates,kubeadmconfigtemplates';
    await expect.poll(() => names(templates, '-A')).toEqual([]);
    expect(new Set(logs().match(/[^" ]+\\" cannot \w+ resource[^:,]*/g))).toEqual(new Set());
    await stopManagers();
  }, 600_000);

  it('can be uninstalled by slipway, which lists and deletes exactly what was installed', async () => {
    const args = ['delete', '--all', '--include-crd', '--include-namespace'];
    const listed = JSON.parse(succeeded(await workbench.slipway([...args, '--dry-run', '-o', 'json']))) as {
      readonly objects: readonly { readonly kind: string; readonly name: string }[];
    };
    expect(listed.objects).toContainEqual(
      expect.objectContaining({ kind: 'ClusterRole', name: 'capi-system-manager-role' }),
    );
    expect(await names('providers', '-A')).toEqual(labels);
    const reported = succeeded(await workbench.slipway(args));
    expect(reported).toContain(`Deleted ${listed.objects.length} objects.`);
    // Kubernetes deletes Namespaces and CRDs asynchronously, and the next installation requires that they are gone.
    await expect.poll(() => names('namespaces', '-l', 'clusterctl.cluster.x-k8s.io')).toEqual([]);
    await expect
      .poll(async () => (await names('crd')).filter((name) => name.includes('x-k8s.io')))
      .toEqual(['providers.clusterctl.cluster.x-k8s.io']);
    expect((await names('clusterrole')).filter((name) => name.startsWith('cap'))).toEqual([]);
  });
});

describe('slipway on kube-apiserver', () => {
  it('installs the same objects, and stock clusterctl lists them', async () => {
    const reported = succeeded(await workbench.slipway(['init', '--infrastructure', 'dev']));
    expect(reported).toContain(`Installing infrastructure-dev ${version} in capd-system`);
    expect(await names('providers', '-A')).toEqual(labels);
    const plan = succeeded(await workbench.clusterctl(['upgrade', 'plan']));
    for (const label of labels) expect(plan).toContain(label);
    expect(plan).toContain('You are already up to date!');
  });

  it('refuses to delete CRDs that still have objects', async () => {
    const cluster = {
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
      kind: 'DevCluster',
      metadata: { name: 'left' },
    };
    for (const kind of ['validatingwebhookconfigurations', 'mutatingwebhookconfigurations'])
      await workbench.kubectl(['delete', kind, '--all']);
    const input = JSON.stringify({ ...cluster, spec: { backend: { inMemory: {} } } });
    // The server stops calling deleted webhooks only after a delay.
    await vi.waitFor(() => workbench.kubectl(['apply', '-f', '-'], { input }), { timeout: 120_000, interval: 200 });
    const { code, stderr } = await workbench.slipway(['delete', '--infrastructure', 'dev', '--include-crd']);
    expect(code).toBe(1);
    expect(stderr).toContain('found existing objects for provider CRDs "capd-system/infrastructure-dev": [DevCluster]');
    await workbench.kubectl(['delete', 'devcluster', 'left']);
  });

  it('can be uninstalled by stock clusterctl', async () => {
    // Omit --include-crd: clusterctl would then list kinds that it has just deleted, and fail.
    succeeded(await workbench.clusterctl(['delete', '--all', '--include-namespace']));
    await workbench.kubectl([
      'wait',
      '--for=delete',
      'namespace',
      '-l',
      'clusterctl.cluster.x-k8s.io',
      '--timeout=180s',
    ]);
    expect(await names('providers', '-A')).toEqual([]);
    expect((await names('clusterrole')).filter((name) => name.startsWith('cap'))).toEqual([]);
  });
});
