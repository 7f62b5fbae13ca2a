import { Scope, systemClock, systemRandom } from '@slipway/base';
import { InProcessClient } from '@slipway/plane';
import { ChangeExecutor, configMaps, InformerFactory, namespaces, type Secret, secrets } from '@slipway/runtime';
import { type EmbeddedServer, startEmbeddedServer } from '@slipway/testing/plane';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { kubeconfigSecrets } from '../src/toolkit/cluster-cache/kubeconfig-source.js';
import { ClusterCache, type ClusterDisconnected } from '../src/toolkit/index.js';

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
  const environment = { clock: systemClock, random: systemRandom };
  const factory = scope.add(new InformerFactory({ client: management, ...environment }));
  const labelSelector = 'cluster.x-k8s.io/cluster-name';
  const kubeconfigs = kubeconfigSecrets(factory.informer(secrets, { labelSelector }), management);
  cache = scope.add(
    new ClusterCache({ kubeconfigs, ...environment, limits: { probeIntervalMs: 200, reconnectFirstMs: 50 } }),
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

async function createOnWorkload(name: string): Promise<void> {
  const executor = new ChangeExecutor({ client: management, clock: systemClock, controller: 'test' });
  await executor.change({
    verb: 'create',
    on: await cache.cluster(cluster),
    resource: configMaps,
    object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' } },
    reason: 'Test',
    message: 'Created by a test',
  });
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
  it('are reached with their kubeconfig Secret, watched, and disconnected when it is deleted', async () => {
    expect((await failureOf(cache.cluster(cluster))).reason).toBe('NoKubeconfig');
    await management.create(secrets, kubeconfigSecret(await workload.kubeconfig()));
    await expect
      .poll(() =>
        cache.cluster(cluster).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    const { read } = await cache.cluster(cluster);
    const seen: (string | undefined)[] = [];
    await cache.watch(cluster, {
      name: 'config',
      resource: configMaps,
      options: { namespace: 'default' },
      handler: { added: (object) => seen.push(object.metadata.name) },
    });
    await createOnWorkload('x');
    await expect.poll(() => seen).toContain('x');
    await management.delete(secrets, secretKey);
    await expect.poll(() => cache.size).toBe(0);
    await expect(read.get(configMaps, { namespace: 'default', name: 'x' })).rejects.toThrow('is closed');
  });

  it('are reconnected with their watches after an outage', async () => {
    await management.create(secrets, kubeconfigSecret(await workload.kubeconfig()));
    const seen: (string | undefined)[] = [];
    const handler = {
      added: (object: { readonly metadata: { readonly name?: string } }) => seen.push(object.metadata.name),
    };
    await cache.watch(cluster, { name: 'config', resource: configMaps, options: { namespace: 'default' }, handler });
    await workload.restart();
    await expect.poll(() => cache.health(cluster)).toMatchObject({ connected: true, consecutiveFailures: 0 });
    await expect
      .poll(() =>
        createOnWorkload('later').then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    await expect.poll(() => seen).toContain('later');
  });

  it('are found without the label as well, and rejected if the kubeconfig references local files', async () => {
    const text = (await workload.kubeconfig()).replace(
      /client-certificate-data: .*/,
      'client-certificate: /etc/passwd',
    );
    await management.create(secrets, kubeconfigSecret(text, {}));
    const refused = await failureOf(cache.cluster(cluster));
    expect(refused.reason).toBe('InvalidKubeconfig');
    expect(refused.message).toContain('client-certificate is not allowed here');
  });
});
