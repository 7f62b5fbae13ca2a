import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { KubeObject } from '@slipway/kube';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HttpsClient } from '../support/https-client.js';
import { installedSlipway } from '../../packages/cli/test/support/installed.js';
import { runCommand } from '../support/run-command.js';
import { type ServerPair, type ServerUnderTest, startServerPair } from '../support/server-under-test.js';
import { ChartUnderTest } from './support/rendered-chart.js';

// Installs the chart with stock Helm on Slipway's API server and on kube-apiserver.
let chart: ChartUnderTest;
let servers: ServerPair;
beforeAll(async () => {
  chart = new ChartUnderTest();
  servers = await startServerPair();
});
afterAll(async () => {
  await servers?.stop();
  chart?.remove();
});

const everything = [
  ...['infrastructure-dev', 'infrastructure-kvm', 'infrastructure-vsphere'].map(
    (label) => `providers.${label}.enabled`,
  ),
  'providerOperator.enabled',
  'driversOperator.enabled',
  'podDisruptionBudget.enabled',
  'networkPolicy.enabled',
].flatMap((name) => ['--set', `${name}=true`]);

/** Size limit of the Secret in which Helm stores a release. */
const secretBytesMax = 1_048_576;

class Cluster {
  readonly #server: ServerUnderTest;
  readonly #client: HttpsClient;

  constructor(server: ServerUnderTest) {
    this.#server = server;
    this.#client = new HttpsClient(server);
  }

  helm(...args: readonly string[]): Promise<string> {
    return chart.helm([...args, '--namespace', 'releases'], { KUBECONFIG: this.#server.kubeconfigFile });
  }

  async get<Result = KubeObject>(path: string): Promise<Result | undefined> {
    const answer = await this.#client.call({ method: 'GET', path });
    return answer.status === 404 ? undefined : (JSON.parse(answer.text) as Result);
  }

  deployment(): Promise<{ spec: { replicas: number } } | undefined> {
    return this.get('/apis/apps/v1/namespaces/capi-system/deployments/capi-controller-manager');
  }

  async names(path: string): Promise<string[]> {
    const list = await this.get<{ items: KubeObject[] }>(path);
    return (list?.items ?? []).map(({ metadata }) => metadata.name ?? '').sort();
  }

  close(): void {
    this.#client.close();
  }
}

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const inventory = '/apis/clusterctl.cluster.x-k8s.io/v1alpha3/providers';
const releases = '/api/v1/namespaces/releases/secrets';

describe.each(['ours', 'theirs'] as const)('stock Helm on the API server (%s)', (which) => {
  let cluster: Cluster;
  beforeAll(() => {
    cluster = new Cluster(servers[which]);
  });
  afterAll(() => cluster?.close());

  it('installs the default providers and enters them into the inventory of clusterctl', async () => {
    const output = await cluster.helm('install', 'slipway', '%', '--create-namespace');
    expect(output).toContain('STATUS: deployed');
    expect(output).toContain('kubectl wait --for=condition=Available');
    expect(await cluster.names(inventory)).toEqual(['bootstrap-kubeadm', 'cluster-api', 'control-plane-kubeadm']);
    expect((await cluster.deployment())?.spec.replicas).toBe(1);
  });

  it('upgrades to every part with more replicas, within the size limit of a release', async () => {
    await cluster.helm('upgrade', 'slipway', '%', ...everything, '--set', 'replicas=2');
    expect(await cluster.names(inventory)).toHaveLength(6);
    expect((await cluster.deployment())?.spec.replicas).toBe(2);
    const { data } = (await cluster.get<{ data: { release: string } }>(
      `${releases}/sh.helm.release.v1.slipway.v2`,
    )) ?? { data: { release: '' } };
    expect(Buffer.from(data.release, 'base64').length).toBeGreaterThan(1_000);
    expect(Buffer.from(data.release, 'base64').length).toBeLessThan(secretBytesMax);
  });

  it('writes no CRD that did not change, so that the CA bundle of its manager stays', async () => {
    const before = await cluster.get(`${definitions}/clusters.cluster.x-k8s.io`);
    await cluster.helm('upgrade', 'slipway', '%', ...everything);
    expect((await cluster.deployment())?.spec.replicas).toBe(1);
    const after = await cluster.get(`${definitions}/clusters.cluster.x-k8s.io`);
    expect(after?.metadata.resourceVersion).toBe(before?.metadata.resourceVersion);
  });

  it('uninstalls everything except CRDs and namespaces', async () => {
    // Without --wait, which polls each object with Helm's own rate limit and takes minutes on a busy host.
    await cluster.helm('uninstall', 'slipway');
    await expect.poll(() => cluster.names(inventory)).toEqual([]);
    await expect.poll(() => cluster.deployment()).toBeUndefined();
    expect(await cluster.names(definitions)).toContain('clusters.cluster.x-k8s.io');
    expect(await cluster.names('/api/v1/namespaces')).toContain('capi-system');
  });

  it('takes over the objects of `slipway init`', async () => {
    const home = mkdtempSync(`${tmpdir()}/init-`);
    const env = { HOME: home, KUBECONFIG: servers[which].kubeconfigFile };
    const { code, stderr } = await runCommand(process.execPath, [installedSlipway, 'init'], { env });
    rmSync(home, { recursive: true, force: true });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const before = await cluster.get(`${definitions}/clusters.cluster.x-k8s.io`);
    await cluster.helm('install', 'slipway', '%', '--take-ownership');
    const after = await cluster.get(`${definitions}/clusters.cluster.x-k8s.io`);
    expect(after?.['spec']).toEqual(before?.['spec']);
    expect(await cluster.names(inventory)).toEqual(['bootstrap-kubeadm', 'cluster-api', 'control-plane-kubeadm']);
  });
});

describe('chart', () => {
  it('passes `helm lint`', async () => {
    expect(await chart.helm(['lint', '%', '--strict'])).toContain('0 chart(s) failed');
  });

  it.each([
    { set: 'replica=3', message: "additional properties 'replica' not allowed" },
    { set: 'replicas=-1', message: "at '/replicas': minimum" },
    { set: 'shards=2000', message: "at '/shards': maximum" },
    {
      set: 'providers.infrastructure-aws.enabled=true',
      message: "additional properties 'infrastructure-aws' not allowed",
    },
    { set: 'featureGates.Unknown=true', message: "additional properties 'Unknown' not allowed" },
    { set: 'image.pullPolicy=Sometimes', message: "at '/image/pullPolicy'" },
    { set: 'resources.limit.memory=1Gi', message: "additional properties 'limit' not allowed" },
    { set: 'driversOperator.resources.requests=1Gi', message: "at '/driversOperator/resources/requests'" },
    { set: 'podDisruptionBudget.maxUnavailable=-1', message: "at '/podDisruptionBudget/maxUnavailable'" },
    { set: 'podDisruptionBudget.maxUnavailable=most', message: "at '/podDisruptionBudget/maxUnavailable'" },
    { set: 'driversOperator.updatePolicy=never', message: "at '/driversOperator/updatePolicy'" },
  ])('rejects --set $set', async ({ set, message }) => {
    const { code, stderr } = await chart.run(['template', 'slipway', '%', '--kube-version', '1.36.0', '--set', set]);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
  });

  it('sets shards, resources, placement and arguments of all managers, and of one', async () => {
    const objects = await chart.template(
      'replicas=3',
      'shards=8',
      'image.pullSecrets={mirror}',
      'resources.requests.memory=256Mi',
      'nodeSelector.pool=system',
      'tolerations=null',
      'extraArgs={--v=4}',
      'providers.cluster-api.resources.requests.memory=1Gi',
    );
    const specOf = (name: string): { replicas: number; template: { spec: Record<string, unknown> } } =>
      objects.get(`Deployment ${name}`)?.['spec'] as never;
    const core = specOf('capi-system/capi-controller-manager');
    const bootstrap = specOf('capi-kubeadm-bootstrap-system/capi-kubeadm-bootstrap-controller-manager');
    expect([core.replicas, bootstrap.replicas]).toEqual([3, 3]);
    expect(core.template.spec).toMatchObject({
      imagePullSecrets: [{ name: 'mirror' }],
      nodeSelector: { pool: 'system' },
      containers: [{ resources: { requests: { memory: '1Gi' } } }],
    });
    expect(bootstrap.template.spec).toMatchObject({ containers: [{ resources: { requests: { memory: '256Mi' } } }] });
    expect(core.template.spec).not.toHaveProperty('tolerations');
    const [{ args }] = core.template.spec['containers'] as [{ args: string[] }];
    expect(args).toEqual(expect.arrayContaining(['--shards=8', '--v=4']));
    expect(args).not.toContain('--leader-elect');
  });

  it('renders a PodDisruptionBudget, a NetworkPolicy and a ServiceMonitor for each manager', async () => {
    const enabled = ['podDisruptionBudget', 'networkPolicy', 'serviceMonitor'].map((name) => `${name}.enabled=true`);
    const objects = await chart.template(
      ...enabled,
      'driversOperator.enabled=true',
      'serviceMonitor.labels.team=infra',
    );
    const kinds = [...objects.keys()].map((name) => name.split(' ')[0]);
    const count = (kind: string): number => kinds.filter((each) => each === kind).length;
    expect(['PodDisruptionBudget', 'NetworkPolicy', 'ServiceMonitor'].map(count)).toEqual([3, 3, 4]);
    const monitor = objects.get('ServiceMonitor capi-system/capi-controller-manager');
    const service = objects.get('Service capi-system/capi-metrics-service');
    expect(monitor?.metadata.labels).toMatchObject({ team: 'infra' });
    expect(service?.metadata.labels).toMatchObject(
      ((monitor as KubeObject)['spec'] as { selector: { matchLabels: object } }).selector.matchLabels,
    );
  });

  it('lets other managers connect to the clusters that infrastructure-dev serves, in spite of its NetworkPolicy', async () => {
    const objects = await chart.template('networkPolicy.enabled=true', 'providers.infrastructure-dev.enabled=true');
    const rangesOf = (name: string): unknown[] =>
      (objects.get(`NetworkPolicy ${name}`) as KubeObject & { spec: { ingress: { ports: object[] }[] } }).spec.ingress
        .flatMap(({ ports }) => ports)
        .filter((port) => 'endPort' in port);
    expect(rangesOf('capd-system/capd-controller-manager')).toEqual([
      { port: 20_000, endPort: 30_000, protocol: 'TCP' },
    ]);
    expect(rangesOf('capi-system/capi-controller-manager')).toEqual([]);
  });
});
