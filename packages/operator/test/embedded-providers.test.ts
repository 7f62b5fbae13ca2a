import { readFileSync } from 'node:fs';
import { applyObject, parseObjects } from '@slipway/clusterctl';
import { provider as inventoryKind, providers as inventoryEntries } from '@slipway/cluster-api';
import { silentLogger } from '@slipway/base';
import {
  type Client,
  configMaps,
  type ControllerSet,
  createController,
  deployments,
  done,
  getCondition,
  isConditionTrue,
  namespaces,
  ChangeExecutor,
  type Writer,
} from '@slipway/runtime';
import { startTestPlane, type TestPlane } from '@slipway/testing/plane';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createOperatorControllers,
  EmbeddedProviders,
  manifestConfigMaps,
  operatorKinds,
  providerResources,
  publishEmbedded,
} from '../src/index.js';
import type { EmbeddedProvider } from '../src/embedded/embedded-providers.js';
import { managerName, stockFiles } from './stock-release.js';

const core: EmbeddedProvider = {
  name: 'cluster-api',
  type: 'CoreProvider',
  version: 'v1.14.2+slipway.1',
  namespace: 'capi-system',
  controllers: ['core'],
};
const dev: EmbeddedProvider = {
  name: 'dev',
  type: 'InfrastructureProvider',
  version: 'v1.14.2+slipway.1',
  namespace: 'capd-system',
  controllers: ['mark'],
};
const key = { namespace: 'capd-system', name: 'dev' };
const infrastructure = providerResources.InfrastructureProvider;
const page = { namespace: 'default', name: 'page' };

/** Records observed ConfigMaps in an annotation. */
const marking: ControllerSet = {
  name: 'dev',
  controllers: [
    {
      name: 'mark',
      create: () =>
        createController({
          name: 'mark',
          for: configMaps,
          filter: ({ object }) => object.metadata.name === page.name,
          async reconcile(at, context) {
            const seen = context.sources.sourceFor(configMaps).get(at)?.data?.['text'] ?? '';
            const patch = { metadata: { annotations: { seen } } };
            const body = { type: 'merge', patch } as const;
            await context.change({
              verb: 'patch',
              resource: configMaps,
              key: at,
              body,
              reason: 'Test',
              message: 'Written by a test',
            });
            return done();
          },
        }),
    },
  ],
};

let plane: TestPlane;
let client: Client;

async function start(list: readonly EmbeddedProvider[]): Promise<EmbeddedProviders> {
  const embedded = new EmbeddedProviders(list);
  const readConfig = (): Promise<string> => Promise.resolve('');
  plane = await startTestPlane({
    sets: [...embedded.switched([marking]), createOperatorControllers({ builtin: [], readConfig, embedded })],
    kinds: () => ({
      name: 'test',
      kinds: [...operatorKinds, inventoryKind],
      converters: new Map(),
      rules: [],
    }),
    logger: silentLogger,
  });
  ({ client } = plane);
  await publishEmbedded(writer(), embedded);
  return embedded;
}

const writer = (): Writer => new ChangeExecutor({ client, clock: plane.clock, controller: 'test' });

const write = (text: string): Promise<unknown> =>
  client.patch(configMaps, page, { type: 'merge', patch: { data: { text } } });
const isSeen = (text: string): Promise<unknown> =>
  plane.until(configMaps, page, ({ metadata }) => metadata.annotations?.['seen'] === text);
const change = (spec: object): Promise<unknown> =>
  client.patch(infrastructure, key, { type: 'merge', patch: { spec } as never });

describe('embedded providers', () => {
  beforeEach(async () => {
    await start([core, dev]);
    await client.create(configMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { ...page },
      data: { text: 'first' },
    });
  });
  afterEach(() => plane.stop());

  it('are listed with their versions', async () => {
    for (const { type, namespace, name, version } of [core, dev]) {
      const listed = await plane.until(providerResources[type], { namespace, name }, (provider) =>
        isConditionTrue(provider, 'Ready'),
      );
      expect(listed.status).toMatchObject({ installedVersion: version, contract: 'v1beta2' });
    }
    const entry = await client.get(inventoryEntries, { namespace: 'capd-system', name: 'infrastructure-dev' });
    expect(entry.metadata.annotations).toEqual({ 'slipway/embedded': 'true' });
    await isSeen('first');
  });

  it('stop with zero replicas, and process missed changes when started again', async () => {
    await isSeen('first');
    await change({ deployment: { replicas: 0 } });
    const off = await plane.until(
      infrastructure,
      key,
      (provider) => getCondition(provider, 'Ready')?.status === 'False',
    );
    expect(getCondition(off, 'Ready')?.reason).toBe('SwitchedOff');
    await write('second');
    await plane.settle();
    expect((await client.get(configMaps, page)).metadata.annotations?.['seen']).toBe('first');
    await change({ deployment: { replicas: 1 } });
    await isSeen('second');
  });

  it('are not re-created after deletion until the user creates them', async () => {
    await isSeen('first');
    await client.delete(infrastructure, key);
    await plane.untilGone(infrastructure, key);
    await plane.untilGone(inventoryEntries, { namespace: 'capd-system', name: 'infrastructure-dev' });
    const again = new EmbeddedProviders([core, dev]);
    await publishEmbedded(writer(), again);
    expect([again.isRunning(core), again.isRunning(dev)]).toEqual([true, false]);
    await write('second');
    await plane.settle();
    expect((await client.get(configMaps, page)).metadata.annotations?.['seen']).toBe('first');
    await client.create(infrastructure, {
      apiVersion: 'operator.cluster.x-k8s.io/v1alpha2',
      kind: 'InfrastructureProvider',
      metadata: { ...key },
    });
    await isSeen('second');
    const back = new EmbeddedProviders([core, dev]);
    await publishEmbedded(writer(), back);
    expect(back.isRunning(dev)).toBe(true);
  });

  it('reports that providers with their own manifests do not run on a server without nodes', async () => {
    const other = { name: 'pond', type: 'InfrastructureProvider', version: 'v1.0.0' } as const;
    const place = { namespace: 'pond-system', name: 'pond' };
    await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: place.namespace } });
    for (const map of manifestConfigMaps(other, { version: other.version, ...stockFiles(other) }, place))
      await client.create(configMaps, map);
    const matchLabels = { 'provider.cluster.x-k8s.io/name': 'pond' };
    await client.create(infrastructure, {
      apiVersion: 'operator.cluster.x-k8s.io/v1alpha2',
      kind: 'InfrastructureProvider',
      metadata: place,
      spec: { fetchConfig: { selector: { matchLabels } } },
    });
    const refused = await plane.until(
      infrastructure,
      place,
      (provider) => getCondition(provider, 'ProviderInstalled')?.reason === 'InstallFailed',
    );
    expect(getCondition(refused, 'ProviderInstalled')?.message).toMatch(/Issuer .*; install cert-manager first/);
    const samples = new URL('../../../docs/samples/cert-manager-definitions.yaml', import.meta.url);
    for (const object of parseObjects(readFileSync(samples, 'utf8')))
      await applyObject(writer(), object, { fieldManager: 'test', reason: 'Test', message: 'Applied' });
    const reported = await plane.until(
      infrastructure,
      place,
      (provider) => getCondition(provider, 'Ready')?.reason === 'NoDeploymentController',
    );
    expect(reported.status?.installedVersion).toBe('v1.0.0');
    expect(getCondition(reported, 'Ready')?.message).toContain(
      'this server has no nodes; install the provider into an existing Kubernetes cluster',
    );
    // Simulates an external deployment controller, which reports availability.
    const available = { type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable', message: '' };
    const times = { lastUpdateTime: '2026-01-01T00:00:00Z', lastTransitionTime: '2026-01-01T00:00:00Z' };
    const patch = { status: { observedGeneration: 1, conditions: [{ ...available, ...times }] } };
    const manager = { namespace: place.namespace, name: managerName(other) };
    await client.patch(deployments, manager, { type: 'merge', patch }, { subresource: 'status' });
    await plane.until(infrastructure, place, (provider) => isConditionTrue(provider, 'Ready'));
  });

  it('reject another version than that of the program', async () => {
    await change({ version: 'v1.15.0' });
    const refused = await plane.until(
      infrastructure,
      key,
      (provider) => getCondition(provider, 'ProviderInstalled')?.reason === 'ComponentsFetchError',
    );
    expect(getCondition(refused, 'ProviderInstalled')?.message).toBe(
      'this process contains v1.14.2+slipway.1, but v1.15.0 is requested; install the slipway release that contains it, and start it with the same data directory',
    );
  });
});

it('upgrades embedded providers with a newer program and keeps stopped ones stopped', async () => {
  await start([core, { ...dev, version: 'v1.13.0' }]);
  try {
    await plane.until(infrastructure, key, ({ status }) => status?.installedVersion === 'v1.13.0');
    await change({ deployment: { replicas: 0 } });
    await plane.until(infrastructure, key, (provider) => getCondition(provider, 'Ready')?.reason === 'SwitchedOff');
    const newer = new EmbeddedProviders([core, dev]);
    await publishEmbedded(writer(), newer);
    expect(newer.isRunning(dev)).toBe(false);
    expect((await client.get(infrastructure, key)).spec).toEqual({ version: dev.version, deployment: { replicas: 0 } });
  } finally {
    await plane.stop();
  }
});
