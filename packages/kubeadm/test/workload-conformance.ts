import { silentLogger, systemClock } from '@slipway/base';
import { parseYamlValue } from '@slipway/kube';
import {
  asRemoteCluster,
  ChangeExecutor,
  type Client,
  clusterRoleBindings,
  configMaps,
  daemonSets,
  deployments,
  type Deployment,
  nodes,
  pods,
} from '@slipway/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ControlPlaneWorkload, createControlPlaneWorkload } from '../src/index.js';
import type { KubeadmControlPlane } from '../src/api/index.js';
import { controlPlaneFixture, controlPlaneMachineFixture } from '../src/testing/control-plane-objects.js';

export interface ServerOfWorkload {
  readonly client: Client;
  stop(): Promise<void>;
}

const system = 'kube-system';
const key = (name: string): { namespace: string; name: string } => ({ namespace: system, name });
const role = 'node-role.kubernetes.io/control-plane';

function controlPlane(
  version: string,
  change: (draft: KubeadmControlPlane) => void = () => undefined,
): KubeadmControlPlane {
  const made = controlPlaneFixture({ version });
  change(made);
  return made;
}

function coreDns(image: string): Deployment {
  const labels = { 'k8s-app': 'kube-dns' };
  const volume = { name: 'coredns', items: [{ key: 'Corefile', path: 'Corefile' }] };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'coredns', namespace: system },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [
            { name: 'coredns', image, volumeMounts: [{ name: 'config-volume', mountPath: '/etc/coredns' }] },
          ],
          volumes: [{ name: 'config-volume', configMap: volume }],
        },
      },
    },
  };
}

const corefile = `.:53 {
    kubernetes cluster.local {
       endpoint https://a https://b
    }
}
`;

/** Defines the same tests of workload cluster maintenance for every server. */
export function workloadConformance(name: string, start: () => Promise<ServerOfWorkload>): void {
  describe(`the maintenance of a workload cluster ${name}`, () => {
    let server: ServerOfWorkload;
    let client: Client;
    let workload: ControlPlaneWorkload;
    /** Every write that was made, by verb and name. */
    const writes: string[] = [];

    beforeAll(async () => {
      server = await start();
      client = server.client;
      const refused = (): Promise<never> => Promise.reject(new Error('not part of this test'));
      const handle = { name: 'default/c', read: client, getRaw: refused, portForward: refused };
      workload = createControlPlaneWorkload({
        workload: asRemoteCluster(handle, recording(client, writes)),
        writer: new ChangeExecutor({ client, clock: systemClock, controller: 'test' }),
        clock: systemClock,
        logger: silentLogger,
        etcdCredentials: () => Promise.reject(new Error('this test does not use etcd')),
      });
    });
    afterAll(() => server.stop());

    async function written(work: () => Promise<unknown>): Promise<string[]> {
      writes.length = 0;
      await work();
      return [...writes];
    }

    it('detects an initialized cluster by its kubeadm-config', async () => {
      expect(await workload.hasKubeadmConfig()).toBe(false);
      await client.create(configMaps, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'kubeadm-config', namespace: system },
        data: {
          ClusterConfiguration:
            'kind: ClusterConfiguration\napiVersion: kubeadm.k8s.io/v1beta3\nkubernetesVersion: v1.30.1\nclusterName: c\n',
        },
      });
      expect(await workload.hasKubeadmConfig()).toBe(true);
    });

    it('writes the kubeadm-config of the target version once (10.6 b)', async () => {
      const target = controlPlane('v1.31.2', ({ spec }) => {
        spec.kubeadmConfigSpec = { clusterConfiguration: { scheduler: { extraArgs: [{ name: 'v', value: '3' }] } } };
      });
      expect(await written(() => workload.updateKubeadmConfig(target))).toEqual(['patch kubeadm-config']);
      const { data } = await client.get(configMaps, key('kubeadm-config'));
      expect(parseYamlValue(data?.['ClusterConfiguration'] ?? '')).toMatchObject({
        apiVersion: 'kubeadm.k8s.io/v1beta4',
        kubernetesVersion: 'v1.31.2',
        clusterName: 'c',
        featureGates: { ControlPlaneKubeletLocalMode: true },
        scheduler: { extraArgs: [{ name: 'v', value: '3' }] },
      });
      expect(await written(() => workload.updateKubeadmConfig(target))).toEqual([]);
    });

    it('adds the permissions that newer kubeadm versions expect, and keeps existing ones (10.6 a)', async () => {
      expect(await written(() => workload.ensurePermissions(controlPlane('v1.38.0')))).toEqual([]);
      expect(await written(() => workload.ensurePermissions(controlPlane('v1.35.0')))).toEqual([
        'create kubeadm:cluster-admins',
        'create kubeadm:apiserver-kubelet-client',
      ]);
      const found = await client.get(clusterRoleBindings, { namespace: '', name: 'kubeadm:apiserver-kubelet-client' });
      expect(found.roleRef).toMatchObject({ kind: 'ClusterRole', name: 'system:kubelet-api-admin' });
      expect(found.subjects).toMatchObject([{ kind: 'User', name: 'kube-apiserver-kubelet-client' }]);
      expect(await written(() => workload.ensurePermissions(controlPlane('v1.35.0')))).toEqual([]);
    });

    it('does nothing for kube-proxy in a cluster without it (10.7)', async () => {
      expect(await written(() => workload.updateKubeProxy(controlPlane('v1.35.0')))).toEqual([]);
    });

    it('updates kube-proxy to the version, unless it is skipped (10.7)', async () => {
      const labels = { 'k8s-app': 'kube-proxy' };
      await client.create(daemonSets, {
        apiVersion: 'apps/v1',
        kind: 'DaemonSet',
        metadata: { name: 'kube-proxy', namespace: system },
        spec: {
          selector: { matchLabels: labels },
          template: {
            metadata: { labels },
            spec: { containers: [{ name: 'kube-proxy', image: 'registry.k8s.io/kube-proxy:v1.34.0' }] },
          },
        },
      });
      const skipping = controlPlane('v1.35.1', ({ metadata }) => {
        metadata.annotations = { 'controlplane.cluster.x-k8s.io/skip-kube-proxy': '' };
      });
      expect(await written(() => workload.updateKubeProxy(skipping))).toEqual([]);
      expect(await written(() => workload.updateKubeProxy(controlPlane('v1.35.1+vendor')))).toEqual([
        'patch kube-proxy',
      ]);
      const found = await client.get(daemonSets, key('kube-proxy'));
      expect(found.spec?.template.spec?.containers[0]?.image).toBe('registry.k8s.io/kube-proxy:v1.35.1_vendor');
      expect(await written(() => workload.updateKubeProxy(controlPlane('v1.35.1+vendor')))).toEqual([]);
    });

    it('updates CoreDNS to the image, with a backup of its Corefile during the update (10.7)', async () => {
      const target = controlPlane('v1.35.1', ({ spec }) => {
        spec.kubeadmConfigSpec = { clusterConfiguration: { dns: { imageTag: 'v1.12.1' } } };
      });
      expect(await written(() => workload.updateCoreDns(target))).toEqual([]);
      await client.create(configMaps, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'coredns', namespace: system, labels: { kept: 'yes' } },
        data: { Corefile: corefile },
      });
      await client.create(deployments, coreDns('registry.k8s.io/coredns/coredns:v1.11.3'));
      expect(await written(() => workload.updateCoreDns(target))).toEqual([
        'patch kubeadm-config',
        'patch coredns Corefile-backup',
        'patch coredns',
        'patch coredns Corefile',
        'patch coredns',
      ]);
      const configMap = await client.get(configMaps, key('coredns'));
      expect(configMap.metadata.labels).toEqual({ kept: 'yes' });
      expect(configMap.data).toEqual({ Corefile: corefile.replace(' https://b', ''), 'Corefile-backup': corefile });
      const { spec } = (await client.get(deployments, key('coredns'))).spec?.template ?? {};
      expect(spec?.containers[0]?.image).toBe('registry.k8s.io/coredns/coredns:v1.12.1');
      expect(spec?.volumes?.[0]).toMatchObject({ configMap: { items: [{ key: 'Corefile', path: 'Corefile' }] } });
      const config = await client.get(configMaps, key('kubeadm-config'));
      expect(parseYamlValue(config.data?.['ClusterConfiguration'] ?? '')).toMatchObject({
        dns: { imageTag: 'v1.12.1' },
      });
      expect(await written(() => workload.updateCoreDns(target))).toEqual([]);
    });

    it('rejects a downgrade of CoreDNS, and reports why (10.7)', async () => {
      const target = controlPlane('v1.35.1', ({ spec }) => {
        spec.kubeadmConfigSpec = { clusterConfiguration: { dns: { imageTag: 'v1.11.3' } } };
      });
      await expect(workload.updateCoreDns(target)).rejects.toMatchObject({
        name: 'WorkloadError',
        reason: 'CoreDnsNotMigratable',
        message: expect.stringContaining('must be greater than or equal') as string,
      });
      const skipping = {
        ...target,
        metadata: { ...target.metadata, annotations: { 'controlplane.cluster.x-k8s.io/skip-coredns': '' } },
      };
      expect(await written(() => workload.updateCoreDns(skipping))).toEqual([]);
    });

    it('reads the Nodes with the label, those of Machines without it, and their Pods (10.9)', async () => {
      const node = (nodeName: string, labels: Record<string, string>) => ({
        apiVersion: 'v1' as const,
        kind: 'Node' as const,
        metadata: { name: nodeName, labels },
      });
      await client.create(nodes, node('n1', { [role]: '' }));
      await client.create(nodes, node('n2', {}));
      await client.create(nodes, node('stray', { [role]: '' }));
      await client.create(nodes, node('worker', {}));
      await client.create(pods, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'kube-apiserver-n1', namespace: system },
        spec: {
          nodeName: 'n1',
          containers: [{ name: 'kube-apiserver', image: 'x' }],
          automountServiceAccountToken: false,
        },
      });
      const machines = [
        controlPlaneMachineFixture('m1', { node: 'n1' }),
        controlPlaneMachineFixture('m2', { node: 'n2' }),
        controlPlaneMachineFixture('m3', { node: 'gone' }),
      ];
      const seen = await workload.observe(machines, { isEtcdManaged: false });
      expect(seen.nodesFailure).toBeUndefined();
      expect([...seen.nodes.keys()].sort()).toEqual(['n1', 'n2', 'stray']);
      expect([...seen.labelledNodes].sort()).toEqual(['n1', 'stray']);
      expect([...seen.pods.keys()].sort()).toEqual([
        'kube-apiserver-n1',
        'kube-apiserver-n2',
        'kube-controller-manager-n1',
        'kube-controller-manager-n2',
        'kube-scheduler-n1',
        'kube-scheduler-n2',
      ]);
      expect(seen.pods.get('kube-apiserver-n1')).toHaveProperty('pod');
      expect(seen.pods.get('kube-scheduler-n1')).toEqual({ absent: true });
      expect(seen.etcd).toBeUndefined();
    });

    it('reports at which step etcd failed, without failing itself [14.33]', async () => {
      const seen = await workload.observe([controlPlaneMachineFixture('m1', { node: 'n1' })], { isEtcdManaged: true });
      expect(seen.etcd).toEqual({ failed: 'connect', message: 'this test does not use etcd' });
    });
  });
}

/** Returns a client that records each write. */
function recording(client: Client, writes: string[]): Client {
  const note: Partial<Client> = {
    create: (resource, object, options) => {
      writes.push(`create ${object.metadata.name ?? ''}`);
      return client.create(resource, object, options);
    },
    patch: (resource, target, body, options) => {
      const data = Object.keys((body as { patch: { data?: object } }).patch.data ?? {}).join(',');
      const part = target.name === 'coredns' && data !== '' ? ` ${data}` : '';
      writes.push(`patch ${target.name}${part}`);
      return client.patch(resource, target, body, options);
    },
  };
  return new Proxy(client, {
    get(target, property) {
      const own: unknown = Reflect.get(note, property);
      if (own !== undefined) return own;
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
