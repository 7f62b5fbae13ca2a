import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger, systemClock } from '@slipway/base';
import {
  builtinConfig,
  builtinProvider,
  type InstalledProvider,
  readConfig,
  type RepositoryDependencies,
  writeInventory,
} from '@slipway/clusterctl';
import { provider as inventoryKind } from '@slipway/cluster-api';
import { stringifyYaml } from '@slipway/kube';
import { ChangeExecutor, configMaps, namespaces, type Writer } from '@slipway/runtime';
import { startTestPlane, type TestPlane } from '@slipway/testing/plane';
import { startHttpsServer, type TestHttpsServer } from '@slipway/testing/servers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  EmbeddedProviders,
  manifestConfigMaps,
  operatorKinds,
  providerOutlooks,
  providerResources,
  publishEmbedded,
} from '../src/index.js';
import { stockFiles, stockFolder } from './stock-release.js';

const core = { name: 'cluster-api', type: 'CoreProvider', namespace: 'capi-system' } as const;
const pond = { name: 'pond', type: 'InfrastructureProvider', namespace: 'pond-system', version: 'v1.0.0' } as const;
const lake = { ...pond, name: 'lake', namespace: 'lake-system' } as const;
const sea = { ...pond, name: 'sea', namespace: 'sea-system' } as const;
const own = 'v1.14.2+slipway.2';

describe('provider outlooks', () => {
  let plane: TestPlane;
  let mirror: TestHttpsServer;
  let folder: string;
  let dependencies: RepositoryDependencies;

  const writer = (): Writer => new ChangeExecutor({ client: plane.client, clock: plane.clock, controller: 'test' });
  const install = async (provider: InstalledProvider): Promise<void> => {
    const place = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: provider.namespace } } as const;
    await plane.client.create(namespaces, place);
    await writeInventory(writer(), provider);
  };
  const reported = async (mayFetch: boolean): Promise<Record<string, object>> => {
    const outlooks = await providerOutlooks(plane.client, dependencies, { mayFetch });
    return Object.fromEntries(
      outlooks.map(({ name, next, how, unknown, isUnasked }) => [name, { next, how, unknown, isUnasked }]),
    );
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'outlooks-'));
    const files = new Map([['/infrastructure-pond/versions.json', JSON.stringify(['v1.0.0', 'v1.0.2'])]]);
    for (const [file, text] of Object.entries(stockFolder({ ...pond, version: 'v1.0.2' })))
      files.set(`/infrastructure-pond/v1.0.2/${file}`, text);
    mirror = await startHttpsServer(({ url = '' }, response) => {
      const text = files.get(url);
      response.writeHead(text === undefined ? 404 : 200).end(text);
    });
    const builtin = [builtinProvider({ ...core, version: own, components: () => '' })];
    const url = `https://${mirror.host}/infrastructure-pond/latest/infrastructure-components.yaml`;
    const file = join(folder, 'clusterctl.yaml');
    writeFileSync(file, stringifyYaml({ providers: [{ name: 'pond', type: 'InfrastructureProvider', url }] }));
    const fetching = { clock: systemClock, certificateAuthority: mirror.certificateAuthority };
    const config = await readConfig({ file, env: { HOME: folder }, builtin: builtin.map(builtinConfig) }, fetching);
    dependencies = { ...fetching, config, builtin, management: () => Promise.resolve(undefined) };
    plane = await startTestPlane({
      sets: [],
      kinds: () => ({ name: 'test', kinds: [...operatorKinds, inventoryKind], converters: new Map(), rules: [] }),
      logger: silentLogger,
    });
  });
  afterAll(async () => {
    await plane?.stop();
    await mirror?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('returns nothing without providers', async () => {
    expect(await reported(true)).toEqual({});
  });

  it('finds upgrades to built-in versions without a network, also from an earlier release series', async () => {
    await install({ ...core, version: 'v1.13.0' });
    expect(await reported(false)).toEqual({
      'cluster-api': {
        next: own,
        how: 'slipway upgrade apply --contract v1beta2',
        unknown: '',
        isUnasked: false,
      },
    });
    await publishEmbedded(writer(), new EmbeddedProviders([{ ...core, version: own, controllers: [] }]));
    expect(await reported(false)).toMatchObject({ 'cluster-api': { next: '', unknown: '', isUnasked: false } });
  });

  it('queries the configured repository only if requested', async () => {
    await install(pond);
    expect(await reported(false)).toMatchObject({ pond: { next: '', unknown: '', isUnasked: true } });
    expect(mirror.requests).toEqual([]);
    expect(await reported(true)).toMatchObject({ pond: { next: 'v1.0.2', unknown: '', isUnasked: false } });
    expect(mirror.requests.length).toBeGreaterThan(0);
  });

  it('reports a failure of one provider and returns the others', async () => {
    await install(sea);
    expect(await reported(true)).toMatchObject({
      pond: { next: 'v1.0.2' },
      sea: { next: '', unknown: expect.stringContaining('failed to get configuration') as string },
    });
  });

  it('reads releases of a provider with a selector from ConfigMaps only', async () => {
    await install(lake);
    for (const version of ['v1.0.0', 'v1.0.1'])
      for (const map of manifestConfigMaps(lake, { version, ...stockFiles({ ...lake, version }) }, lake))
        await plane.client.create(configMaps, map);
    const { namespace, name } = lake;
    const matchLabels = { 'provider.cluster.x-k8s.io/name': name };
    await plane.client.create(providerResources.InfrastructureProvider, {
      apiVersion: 'operator.cluster.x-k8s.io/v1alpha2',
      kind: 'InfrastructureProvider',
      metadata: { namespace, name },
      spec: { version: 'v1.0.0', fetchConfig: { selector: { matchLabels } } },
    });
    expect(await reported(true)).toMatchObject({
      lake: {
        next: 'v1.0.1',
        how: 'set spec.version of InfrastructureProvider lake-system/lake to v1.0.1',
        unknown: '',
        isUnasked: false,
      },
    });
  });
});
