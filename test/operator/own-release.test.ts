import { componentsFiles } from '@slipway/clusterctl';
import {
  clusterRoles,
  configMaps,
  type ConnectionConfig,
  connectionOf,
  customResourceDefinitions,
  deployments,
  parseKubeconfig,
  type Resource,
} from '@slipway/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manifestConfigMaps } from '@slipway/operator';
import { startEmbeddedServer, untilObject, untilObjectGone } from '@slipway/testing/plane';
import type { TestHttpsServer } from '@slipway/testing/servers';
import { availableProviders } from '../../packages/cli/src/providers/builtin-providers.js';
import { OperatorFixture, runs } from '../../packages/operator/test/operator-fixture.js';
import {
  ensureNamespace,
  isAbsent,
  type OperatorUnderTest,
  startOperator,
} from '../../packages/operator/test/operator-under-test.js';
import { providerResources } from '../../packages/operator/src/index.js';
import { registryStory, startStockRegistry } from '../../packages/operator/test/registry-story.js';
import { startRealKubeApiserver } from '../support/real-kube-apiserver.js';

const builtinProviders = availableProviders();

const next = 'v1.15.0';
const servers = [
  {
    name: 'the embedded server',
    start: async (): Promise<StartedServer> => {
      const server = await startEmbeddedServer();
      return { connection: await server.connection(), stop: () => server.stop() };
    },
  },
  {
    name: 'kube-apiserver and etcd',
    start: async (): Promise<StartedServer> => {
      const server = await startRealKubeApiserver();
      return { connection: connectionOf(parseKubeconfig(server.kubeconfig)), stop: () => server.stop() };
    },
  },
];

interface StartedServer {
  readonly connection: ConnectionConfig;
  stop(): Promise<void>;
}

describe.each(servers)('the built-in release, installed by provider objects, on $name', ({ start }) => {
  let operator: OperatorUnderTest;
  let fixture: OperatorFixture;
  let registry: TestHttpsServer;
  beforeAll(async () => {
    registry = await startStockRegistry();
    const server = await start();
    const { certificateAuthority } = registry;
    operator = await startOperator(server.connection, {
      builtin: builtinProviders,
      certificateAuthority,
      stop: () => server.stop(),
    });
    fixture = new OperatorFixture(operator.client);
  });
  afterAll(async () => {
    await operator?.stop();
    await registry?.stop();
  });

  const [core, ...others] = builtinProviders as [(typeof builtinProviders)[0], ...typeof builtinProviders];
  const installed = runs(core.version);

  it('is installed without network access, in any order of its objects', async () => {
    // Two objects of the same name are distinguished by kind, not by namespace.
    for (const each of [...others, core]) await fixture.create(each, { fetchConfig: undefined });
    for (const each of builtinProviders) {
      const { status } = await fixture.reaches(each, installed);
      expect(status?.contract).toBe('v1beta2');
    }
    const { items } = await operator.client.list(deployments, { labelSelector: 'cluster.x-k8s.io/provider' });
    expect(items).toHaveLength(builtinProviders.length);
  });

  it('is patched and repaired', async () => {
    const vsphere = builtinProviders.find(({ name }) => name === 'vsphere') as (typeof builtinProviders)[0];
    const key = { namespace: 'vsphere-system', name: 'capv-controller-manager' };
    await fixture.change(vsphere, {
      deployment: { replicas: 2 },
      patches: [{ target: { kind: 'Deployment' }, patch: 'spec: { template: { spec: { priorityClassName: high } } }' }],
    });
    await untilObject(
      operator.client,
      deployments,
      key,
      ({ spec }) => spec?.template.spec?.priorityClassName === 'high',
    );
    await operator.client.delete(deployments, key);
    const mended = await untilObject(operator.client, deployments, key, ({ spec }) => spec?.replicas === 2);
    expect(mended.spec?.template.spec?.containers[0]?.command).toEqual(['slipway', 'manager']);
  });

  it('is upgraded from ConfigMaps', async () => {
    await ensureNamespace(operator.client, 'cluster-api-system');
    const { metadata, components } = await textsOf(core);
    const files = {
      version: next,
      metadata: metadata.replace('minor: 14', 'minor: 15'),
      components: components.replaceAll(/(image: .*:)v[\d.]+/g, `$1${next}`),
    };
    for (const map of manifestConfigMaps(core, files, { namespace: 'cluster-api-system' }))
      await operator.client.create(configMaps, {
        ...map,
        metadata: { ...map.metadata, labels: { air: 'gap' }, name: next },
      });
    await fixture.change(core, { version: next, fetchConfig: { selector: { matchLabels: { air: 'gap' } } } });
    const { status } = await fixture.reaches(core, runs(next));
    expect(status).toMatchObject({ installedVersion: next });
    const key = { namespace: 'cluster-api-system', name: 'capi-controller-manager' };
    const manager = await operator.client.get(deployments, key);
    expect(manager.spec?.template.spec?.containers[0]?.image).toMatch(/:v1\.15\.0$/);
  });

  it('is deleted, except the CRDs', async () => {
    for (const each of [core, ...others])
      await operator.client.delete(providerResources[each.type], { namespace: `${each.name}-system`, name: each.name });
    for (const each of [...others, core])
      await untilObjectGone(operator.client, providerResources[each.type], {
        namespace: `${each.name}-system`,
        name: each.name,
      });
    const labelSelector = 'cluster.x-k8s.io/provider';
    for (const resource of [deployments, clusterRoles] as Resource[])
      expect((await operator.client.list(resource, { labelSelector })).items).toEqual([]);
    const clusters = { namespace: '', name: 'clusters.cluster.x-k8s.io' };
    expect(await isAbsent(operator.client, customResourceDefinitions, clusters)).toBe(false);
  });

  describe('a provider, once a core provider exists again', () => {
    beforeAll(async () => {
      await fixture.create(core, { fetchConfig: undefined });
      await fixture.reaches(core, installed);
    });
    registryStory(() => ({ operator, host: registry.host }));
  });
});

async function textsOf(provider: (typeof builtinProviders)[0]): Promise<{ metadata: string; components: string }> {
  const text = async (file: string): Promise<string> => (await provider.files[file]?.()) ?? '';
  return { metadata: await text('metadata.yaml'), components: await text(componentsFiles[provider.type]) };
}
