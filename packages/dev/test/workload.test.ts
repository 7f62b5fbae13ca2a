import { createServer, type Socket } from 'node:net';
import { listenOn, systemClock } from '@slipway/base';
import { parseYamlValue, stringifyYaml } from '@slipway/kube';
import {
  configMaps,
  connectionOf,
  createHttpClient,
  daemonSets,
  deployments,
  namespaces,
  nodes,
  parseKubeconfig,
  pods,
  type Resource,
  services,
} from '@slipway/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { conditionOf, DevPlane } from './dev-plane.js';

describe('a simulated cluster', () => {
  let plane: DevPlane;
  beforeAll(async () => {
    plane = await DevPlane.start();
  });
  afterAll(() => plane.stop());

  it('answers once its first control plane machine runs', async () => {
    const { workload } = await plane.startCluster('first');
    const node = await workload.get(nodes, { namespace: '', name: 'first-cp-1' });
    expect(node.spec?.providerID).toBe('in-memory://first-cp-1');
    expect(conditionOf(node, 'Ready')).toMatchObject({ status: 'True', reason: 'KubeletReady' });
    expect(node.spec?.taints).toEqual([{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }]);
    const { items } = await workload.list(pods, { namespace: 'kube-system' });
    expect(items.map(({ metadata }) => metadata.name)).toEqual([
      'etcd-first-cp-1',
      'kube-apiserver-first-cp-1',
      'kube-controller-manager-first-cp-1',
      'kube-scheduler-first-cp-1',
    ]);
  });

  it('contains no object that its own API would reject', async () => {
    const { workload } = await plane.startCluster('valid');
    await plane.createMachine('valid-worker', { cluster: 'valid' });
    await plane.untilReady('valid-worker');
    const patch = { metadata: { labels: { looked: 'at' } } };
    let count = 0;
    for (const resource of [nodes, pods, configMaps, namespaces, daemonSets, deployments] as unknown as Resource[]) {
      for (const { metadata } of (await workload.list(resource)).items) {
        const key = { namespace: metadata.namespace ?? '', name: metadata.name ?? '' };
        const kept = await workload.patch(resource, key, { type: 'merge', patch }, { dryRun: true });
        expect(kept.metadata.uid).toBe(metadata.uid);
        count += 1;
      }
    }
    expect(count).toBeGreaterThan(15);
  });

  it('starts its controllers once a client uses other resources than Cluster API does', async () => {
    const { workload } = await plane.startCluster('quiet');
    const server = plane.dev.workloads.get({ namespace: 'default', name: 'quiet' })?.server;
    await workload.list(nodes);
    expect(server?.store.get({ resource: 'services', namespace: 'default', name: 'kubernetes' })).toBeUndefined();
    const key = { namespace: 'default', name: 'kubernetes' };
    await workload.get(services, key).catch(() => undefined);
    for await (const batch of workload.watch(services, { namespace: 'default', sendInitialEvents: true })) {
      if (batch.some((event) => event.type === 'ADDED')) break;
    }
    expect((await workload.get(services, key)).spec?.clusterIP).toBe('10.96.0.1');
  });

  it('is reachable through a load balancer that forwards to a machine, while the machine is on', async () => {
    const key = { namespace: 'default', name: 'balanced' };
    let address = '';
    const passed: Socket[] = [];
    const balancer = createServer((socket: Socket) => {
      socket.on('error', () => socket.destroy());
      if (plane.dev.guests.accept(key, address, socket)) passed.push(socket);
      else socket.destroy();
    });
    const { port } = await listenOn(balancer, { host: '127.0.0.1', port: 0 }, () => undefined);
    await plane.dev.guests.reserve(key, { host: '127.0.0.1', port, isBalanced: true });
    await plane.createCluster(key.name);
    await plane.provisionCluster(key.name);
    const kubeconfig = await plane.createSecrets(key.name);
    await plane.createMachine('balanced-cp-1', { cluster: key.name, controlPlane: true });
    const { status } = await plane.untilReady('balanced-cp-1');
    expect(plane.dev.connect(kubeconfig, key)).toBeUndefined();
    const config = connectionOf(parseKubeconfig(kubeconfig));
    const impatient = createHttpClient(config, { requestTimeoutMs: 1000 });
    await expect(impatient.list(nodes)).rejects.toThrow(/./);
    impatient.close();
    address = status?.addresses?.find(({ type }) => type === 'InternalIP')?.address ?? '';
    const client = createHttpClient(config);
    expect((await client.list(nodes)).items.map(({ metadata }) => metadata.name)).toEqual(['balanced-cp-1']);
    expect(passed).not.toEqual([]);
    plane.dev.workloads.get(key)?.removeApiServer('balanced-cp-1');
    expect(passed.every(({ destroyed }) => destroyed)).toBe(true);
    client.close();
    await new Promise((resolve) => balancer.close(resolve));
  });

  describe('its kubeconfig', () => {
    let kubeconfig = '';
    const key = { namespace: 'default', name: 'asked' };
    beforeAll(async () => {
      ({ kubeconfig } = await plane.startCluster('asked'));
    });

    const changed = (change: (config: Config) => void): string => {
      const config = parseYamlValue(kubeconfig) as unknown as Config;
      change(config);
      return stringifyYaml(config as never);
    };

    it('connects in process', () => {
      expect(plane.dev.connect(kubeconfig, key)).toBeDefined();
    });

    it.each<{ name: string; change: (config: Config, other: Config) => void }>([
      {
        name: 'another address',
        change: ({ clusters: [cluster] }) => void (cluster.cluster.server = 'https://127.0.0.1:1'),
      },
      {
        name: 'another CA',
        change: ({ clusters: [cluster] }, other) =>
          void (cluster.cluster['certificate-authority-data'] =
            other.clusters[0].cluster['certificate-authority-data']),
      },
      {
        name: 'a client of another cluster',
        change: ({ users: [user] }, other) => void (user.user = { ...other.users[0].user }),
      },
      {
        name: 'a key that is not that of the certificate',
        change: ({ users: [user] }, other) =>
          void (user.user['client-key-data'] = other.users[0].user['client-key-data'] ?? ''),
      },
    ])('falls back to a real connection with $name', async ({ change }) => {
      const other = parseYamlValue((await otherKubeconfig()) ?? '') as unknown as Config;
      const broken = changed((config) => change(config, other));
      expect(plane.dev.connect(broken, key)).toBeUndefined();
      const client = createHttpClient(connectionOf(parseKubeconfig(broken)));
      await expect(client.list(nodes)).rejects.toThrow(/./);
      client.close();
    });

    let foreign: Promise<string> | undefined;
    const otherKubeconfig = (): Promise<string> => {
      foreign ??= plane.startCluster('foreign').then((started) => started.kubeconfig);
      return foreign;
    };

    it('fails to connect while no API server runs', () => {
      const workload = plane.dev.workloads.get(key);
      workload?.removeApiServer('asked-cp-1');
      expect(() => plane.dev.connect(kubeconfig, key)).toThrow('no API server is running');
      workload?.addApiServer('asked-cp-1', systemClock.now());
    });
  });
});

interface Config {
  readonly clusters: readonly [{ readonly cluster: { server: string; 'certificate-authority-data': string } }];
  readonly users: readonly [{ user: Record<string, string> }];
}
