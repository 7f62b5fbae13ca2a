import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Scope, systemClock, systemRandom } from '@slipway/base';
import {
  ClusterCache,
  type ClusterDisconnected,
  configMaps,
  InformerFactory,
  kubeconfigSecrets,
  namespaces,
  type Secret,
  secrets,
} from '@slipway/runtime';
import { InProcessClient } from '../src/index.js';
import { type EmbeddedServer, startEmbeddedServer } from './embedded-server.js';

const cluster = { namespace: 'fleet', name: 'one' };
const secretKey = { namespace: 'fleet', name: 'one-kubeconfig' };

let scope: Scope;
let management: InProcessClient;
let workload: EmbeddedServer;
let cache: ClusterCache;

beforeEach(async () => {
  scope = new Scope();
  const embedded = await startEmbeddedServer();
  scope.defer(() => embedded.stop());
  workload = await startEmbeddedServer();
  scope.defer(() => workload.stop());
  management = new InProcessClient({ registry: embedded.server.registry });
  await management.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'fleet' } });
  const world = { clock: systemClock, random: systemRandom };
  const factory = scope.add(new InformerFactory({ client: management, ...world }));
  const labelSelector = 'cluster.x-k8s.io/cluster-name';
  const kubeconfigs = kubeconfigSecrets(factory.informer(secrets, { labelSelector }), management);
  cache = scope.add(
    new ClusterCache({ kubeconfigs, ...world, limits: { probeIntervalMs: 200, reconnectFirstMs: 50 } }),
  );
});

afterEach(() => scope.dispose());

function kubeconfigSecret(
  text: string,
  labels: Record<string, string> = { 'cluster.x-k8s.io/cluster-name': 'one' },
): Secret {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'cluster.x-k8s.io/secret',
    metadata: { ...secretKey, labels },
    data: { value: Buffer.from(text).toString('base64') },
  };
}

async function failureOf(work: Promise<unknown>): Promise<ClusterDisconnected> {
  return work.then(
    () => {
      throw new Error('a failure was expected');
    },
    (error: unknown) => error as ClusterDisconnected,
  );
}

describe('workload clusters', () => {
  it('are reached by their kubeconfig Secret, watched, and left when it is deleted', async () => {
    expect((await failureOf(cache.client(cluster))).reason).toBe('NoKubeconfig');
    await management.create(secrets, kubeconfigSecret(await workload.kubeconfig()));
    await expect
      .poll(() =>
        cache.client(cluster).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    const client = await cache.client(cluster);
    const seen: (string | undefined)[] = [];
    await cache.watch(cluster, {
      name: 'config',
      resource: configMaps,
      options: { namespace: 'default' },
      handler: { added: (object) => seen.push(object.metadata.name) },
    });
    await client.create(configMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'x', namespace: 'default' },
    });
    await expect.poll(() => seen).toContain('x');
    await management.delete(secrets, secretKey);
    await expect.poll(() => cache.size).toBe(0);
    await expect(client.get(configMaps, { namespace: 'default', name: 'x' })).rejects.toThrow('is closed');
  });

  it('come back, with their watches, after they were away', async () => {
    await management.create(secrets, kubeconfigSecret(await workload.kubeconfig()));
    const seen: (string | undefined)[] = [];
    const handler = {
      added: (object: { readonly metadata: { readonly name?: string } }) => seen.push(object.metadata.name),
    };
    await cache.watch(cluster, { name: 'config', resource: configMaps, options: { namespace: 'default' }, handler });
    await workload.restart();
    await expect.poll(() => cache.health(cluster)).toMatchObject({ connected: true, consecutiveFailures: 0 });
    const created = async (): Promise<boolean> => {
      const client = await cache.client(cluster);
      await client.create(configMaps, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'later', namespace: 'default' },
      });
      return true;
    };
    await expect.poll(() => created().catch(() => false)).toBe(true);
    await expect.poll(() => seen).toContain('later');
  });

  it('are found without the label as well, and refused when the kubeconfig reaches for our files', async () => {
    const text = (await workload.kubeconfig()).replace(
      /client-certificate-data: .*/,
      'client-certificate: /etc/passwd',
    );
    await management.create(secrets, kubeconfigSecret(text, {}));
    const refused = await failureOf(cache.client(cluster));
    expect(refused.reason).toBe('InvalidKubeconfig');
    expect(refused.message).toContain('client-certificate is not allowed here');
  });
});
