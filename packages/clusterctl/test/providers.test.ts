import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@slipway/base';
import {
  applyUpgrade,
  checkNoObjects,
  chooseInstalled,
  deleteObjects,
  findProviderObjects,
  type InstalledProvider,
  install,
  listInstalled,
  planInit,
  planTo,
  planToContract,
  planUpgrade,
  readConfig,
  type RepositoryDependencies,
  waitForProviders,
} from '../src/index.js';
import type { InitOptions } from '../src/install/init.js';
import { instanceName } from '../src/inventory/index.js';
import { providers as entries } from '@slipway/cluster-api';
import { createHttpClient, deployments, type HttpClient } from '@slipway/runtime';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { definition, type TestRelease, writeReleases } from './provider-repository.js';
import { stringifyYaml } from '@slipway/kube';
import { type EmbeddedServer, startEmbeddedServer } from '@slipway/testing/plane';

const core = { name: 'cluster-api', type: 'CoreProvider' } as const;
const bootstrap = { name: 'kubeadm', type: 'BootstrapProvider' } as const;
const controlPlane = { name: 'kubeadm', type: 'ControlPlaneProvider' } as const;
const infra = { name: 'infra', type: 'InfrastructureProvider' } as const;
const all = (version: string): TestRelease[] =>
  [core, bootstrap, controlPlane, infra].map((each) => ({ ...each, version }));

let folder = '';
let embedded: EmbeddedServer;
let client: HttpClient;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'providers-'));
  embedded = await startEmbeddedServer();
  client = createHttpClient(await embedded.connection());
});
afterEach(async () => {
  client.close();
  await embedded.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function dependenciesWith(
  releases: readonly TestRelease[],
  settings: object = {},
): Promise<RepositoryDependencies> {
  const providers = writeReleases(folder, releases);
  const file = join(folder, 'clusterctl.yaml');
  writeFileSync(file, stringifyYaml({ ...settings, providers }));
  const config = await readConfig({ file, env: { HOME: folder }, builtin: [] }, { clock: systemClock });
  const management = { client, namespace: 'default' };
  return { clock: systemClock, config, builtin: [], management: () => Promise.resolve(management) };
}

const desired: InitOptions = { providers: { InfrastructureProvider: ['infra'] }, validate: true };

async function init(dependencies: RepositoryDependencies, options: InitOptions = desired): Promise<string[]> {
  const reported: string[] = [];
  const { queue } = await planInit(options, client, dependencies);
  await install(
    client,
    queue,
    (provider) => reported.push(`${instanceName(provider)} ${provider.version}`),
    dependencies,
  );
  return reported;
}

async function versions(): Promise<string[]> {
  return (await listInstalled(client)).map((each) => `${instanceName(each)} ${each.version}`).sort();
}

describe('init', () => {
  it('installs the core, both kubeadm providers and the requested ones in this order, and adds them to the inventory', async () => {
    const dependencies = await dependenciesWith(all('v1.0.0'), {
      images: { all: { repository: 'mine.test' } },
      ARGUMENT: 'given',
    });
    const order = [
      'cluster-api-system/cluster-api v1.0.0',
      'bootstrap-kubeadm-system/bootstrap-kubeadm v1.0.0',
      'control-plane-kubeadm-system/control-plane-kubeadm v1.0.0',
      'infrastructure-infra-system/infrastructure-infra v1.0.0',
    ];
    expect(await init(dependencies)).toEqual(order);
    expect(await versions()).toEqual([...order].sort());
    const manager = await client.get(deployments, {
      namespace: 'infrastructure-infra-system',
      name: 'controller-manager',
    });
    expect(manager.spec?.template.spec?.containers[0]).toMatchObject({
      image: 'mine.test/infrastructure-infra:v1.0.0',
      args: ['given'],
    });
    expect(manager.metadata.labels).toMatchObject({
      'clusterctl.cluster.x-k8s.io': '',
      'cluster.x-k8s.io/provider': 'infrastructure-infra',
    });
    const entry = await client.get(entries, { namespace: 'infrastructure-infra-system', name: 'infrastructure-infra' });
    expect(entry).toMatchObject({ providerName: 'infra', type: 'InfrastructureProvider', version: 'v1.0.0' });
    expect(entry.metadata.labels).toMatchObject({ 'clusterctl.cluster.x-k8s.io/core': 'inventory' });
  });

  it('skips providers that are installed in that version, and those that are disabled', async () => {
    const dependencies = await dependenciesWith(all('v1.0.0'));
    await init(dependencies, { ...desired, providers: { BootstrapProvider: ['-'], ControlPlaneProvider: ['-'] } });
    expect(await versions()).toEqual(['cluster-api-system/cluster-api v1.0.0']);
    expect(await init(dependencies)).toEqual(['infrastructure-infra-system/infrastructure-infra v1.0.0']);
    expect(await init(dependencies)).toEqual([]);
  });

  const other = { ...infra, version: 'v1.0.0', contract: 'v1alpha4' };
  const misnamed = definition('oddities', 'Odd', 'things.x-k8s.io');
  const certificate = { apiVersion: 'cert-manager.io/v1', kind: 'Issuer', metadata: { name: 'own' }, spec: {} };
  it.each([
    {
      name: 'a missing core provider',
      releases: all('v1.0.0'),
      providers: { CoreProvider: ['-'] },
      expected: "the '-' value can not be used for the core provider",
    },
    {
      name: 'an unknown provider',
      releases: all('v1.0.0'),
      providers: { InfrastructureProvider: ['none'] },
      expected: 'failed to get configuration for the InfrastructureProvider with name none',
    },
    {
      name: 'an unsupported contract version',
      releases: [...all('v1.0.0').slice(0, 3), other],
      providers: { InfrastructureProvider: ['infra'] },
      expected:
        'only compatible with providers implementing the v1beta1, v1beta2 contract versions, detected contract version v1alpha4',
    },
    {
      name: 'a CRD whose name does not follow the contract',
      releases: [...all('v1.0.0').slice(0, 3), { ...infra, version: 'v1.0.0', objects: [misnamed] }],
      providers: { InfrastructureProvider: ['infra'] },
      expected: 'CRD name "oddities.things.x-k8s.io" is invalid',
    },
    {
      name: 'two namespaces',
      releases: [...all('v1.0.0').slice(0, 3), { ...infra, version: 'v1.0.0', objects: [namespace('second')] }],
      providers: { InfrastructureProvider: ['infra'] },
      expected: 'There should be no more than one resource with Kind Namespace',
    },
    {
      name: 'a provider that requires cert-manager without cert-manager',
      releases: [...all('v1.0.0').slice(0, 3), { ...infra, version: 'v1.0.0', objects: [certificate] }],
      providers: { InfrastructureProvider: ['infra'] },
      expected:
        'provider infrastructure-infra requires kind Issuer (cert-manager.io/v1), which the cluster does not serve',
    },
  ])('rejects $name', async ({ releases, providers, expected }) => {
    const dependencies = await dependenciesWith(releases);
    await expect(init(dependencies, { providers, validate: true })).rejects.toThrow(expected);
  });

  it('rejects a second instance, unless validation is disabled', async () => {
    const dependencies = await dependenciesWith(all('v1.0.0'));
    await init(dependencies);
    const elsewhere = { ...desired, targetNamespace: 'elsewhere' };
    await expect(init(dependencies, elsewhere)).rejects.toThrow(
      'there is already an instance of the "infrastructure-infra" provider installed in the "infrastructure-infra-system" namespace',
    );
    await init(dependencies, { ...elsewhere, validate: false });
    expect(await versions()).toContain('elsewhere/infrastructure-infra v1.0.0');
    await expect(upgradeAll(dependencies)).rejects.toThrow('detected multiple instances of the same provider');
  });

  it('waits for managers, and reports those that do not become available', async () => {
    const dependencies = await dependenciesWith(all('v1.0.0'));
    const { queue } = await planInit(desired, client, dependencies);
    await install(client, queue, () => undefined, dependencies);
    const waiting = waitForProviders(client, queue, { clock: systemClock, timeoutMs: 100_000 });
    for (const { provider } of queue) await markAvailable(provider.namespace);
    await waiting;
    await client.delete(deployments, { namespace: 'cluster-api-system', name: 'controller-manager' });
    await expect(waitForProviders(client, queue, { clock: systemClock, timeoutMs: 50 })).rejects.toThrow(
      'deployment "controller-manager" is not ready after 0.05s',
    );
  });
});

async function markAvailable(namespace: string): Promise<void> {
  const patch = { status: { conditions: [{ type: 'Available', status: 'True' }] } };
  const key = { namespace, name: 'controller-manager' };
  await client.patch(deployments, key, { type: 'merge', patch }, { subresource: 'status' });
}

function namespace(name: string): object {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
}

async function upgradeAll(dependencies: RepositoryDependencies): Promise<string[]> {
  const reported: string[] = [];
  const note = (what: string) => (provider: InstalledProvider) =>
    reported.push(`${what} ${provider.type} ${provider.version}`);
  const plan = await planToContract('v1beta2', client, dependencies);
  await applyUpgrade(client, plan, { onScaleDown: note('down'), onInstall: note('up') }, dependencies);
  return reported;
}

describe('upgrade', () => {
  it('upgrades to the newest release of the contract: scales down all managers, then applies one provider after the other', async () => {
    await init(await dependenciesWith(all('v1.0.0')));
    const dependencies = await dependenciesWith([
      ...all('v1.0.0'),
      ...all('v1.1.0'),
      ...all('v1.1.3'),
      ...all('v1.2.0-rc.1'),
    ]);
    const [plan] = await planUpgrade(client, dependencies);
    expect(plan?.contract).toBe('v1beta2');
    expect(plan?.items.map(({ nextVersion }) => nextVersion)).toEqual(['v1.1.3', 'v1.1.3', 'v1.1.3', 'v1.1.3']);
    const types = ['CoreProvider', 'BootstrapProvider', 'ControlPlaneProvider', 'InfrastructureProvider'];
    expect(await upgradeAll(dependencies)).toEqual([
      ...types.map((type) => `down ${type} v1.0.0`),
      ...types.map((type) => `up ${type} v1.1.3`),
    ]);
    expect((await versions()).every((text) => text.endsWith('v1.1.3'))).toBe(true);
    const { spec } = await client.get(deployments, { namespace: 'cluster-api-system', name: 'controller-manager' });
    expect(spec?.replicas).toBe(1);
    expect(await roleNames()).toEqual(
      ['bootstrap-kubeadm', 'cluster-api', 'control-plane-kubeadm', 'infrastructure-infra'].map(
        (label) => `${label}-system-v1.1.3-role`,
      ),
    );
    expect(await upgradeAll(dependencies)).toEqual([]);
  });

  it('is completed by running it again after an interruption', async () => {
    await init(await dependenciesWith(all('v1.0.0')));
    const dependencies = await dependenciesWith([...all('v1.0.0'), ...all('v1.1.0')]);
    const plan = await planToContract('v1beta2', client, dependencies);
    const stop = {
      onScaleDown: () => undefined,
      onInstall: ({ type }: InstalledProvider) => {
        if (type === 'ControlPlaneProvider') throw new Error('power cut');
      },
    };
    await expect(applyUpgrade(client, plan, stop, dependencies)).rejects.toThrow('power cut');
    expect(await upgradeAll(dependencies)).toContain('up ControlPlaneProvider v1.1.0');
    expect((await versions()).every((text) => text.endsWith('v1.1.0'))).toBe(true);
  });

  it("upgrades from upstream's release to ours of the same version, which semver considers equal", async () => {
    await init(await dependenciesWith(all('v1.14.2')));
    const dependencies = await dependenciesWith([...all('v1.14.2'), ...all('v1.14.2+slipway.0.1.0')]);
    const [plan] = await planUpgrade(client, dependencies);
    expect(plan?.items[0]?.nextVersion).toBe('v1.14.2+slipway.0.1.0');
  });

  it('offers no plan without providers', async () => {
    const dependencies = await dependenciesWith(all('v1.0.0'));
    await expect(planUpgrade(client, dependencies)).rejects.toThrow('failed to check Cluster API version');
  });

  const old = { ...infra, contract: 'v1alpha4' };
  it.each([
    {
      name: 'a version without a release series',
      providers: { CoreProvider: ['cluster-api:v3.0.0'] },
      expected: 'version v3.0.0 for the provider cluster-api-system/cluster-api does not match any release series',
    },
    {
      name: 'no version',
      providers: { CoreProvider: ['cluster-api'] },
      expected: 'should be in the form namespace/provider:version or provider:version',
    },
    {
      name: 'a provider that is not installed',
      providers: { IPAMProvider: ['pool:v1.0.0'] },
      expected: 'the provider pool:v1.0.0 is not part of the management cluster',
    },
    {
      name: 'another namespace',
      providers: { InfrastructureProvider: ['other/infra:v1.1.0'] },
      expected: 'the provider other/infra:v1.1.0 is not part',
    },
    {
      name: 'a contract that the core does not support',
      providers: { InfrastructureProvider: ['infra:v1.3.0'] },
      expected:
        'the target version for the provider infrastructure-infra-system/infrastructure-infra implements the v1alpha4 contract version',
    },
  ])('rejects $name', async ({ providers, expected }) => {
    await init(await dependenciesWith(all('v1.0.0')));
    const dependencies = await dependenciesWith([...all('v1.0.0'), ...all('v1.1.0'), { ...old, version: 'v1.3.0' }]);
    await expect(planTo(providers, client, dependencies)).rejects.toThrow(expected);
  });

  it('upgrades given providers to given versions', async () => {
    await init(await dependenciesWith(all('v1.0.0')));
    const dependencies = await dependenciesWith([...all('v1.0.0'), ...all('v1.1.0')]);
    const named = { InfrastructureProvider: ['infrastructure-infra-system/infra:v1.1.0'] };
    const plan = await planTo(named, client, dependencies);
    await applyUpgrade(client, plan, { onScaleDown: () => undefined, onInstall: () => undefined }, dependencies);
    expect(await versions()).toContain('infrastructure-infra-system/infrastructure-infra v1.1.0');
    expect(await versions()).toContain('cluster-api-system/cluster-api v1.0.0');
  });

  it('skips at most three minor versions of the core', async () => {
    await init(await dependenciesWith(all('v1.10.0')));
    const dependencies = await dependenciesWith([...all('v1.10.0'), ...all('v1.14.0')]);
    await expect(upgradeAll(dependencies)).rejects.toThrow(
      "cluster-api-system/cluster-api provider can't skip more than 3 versions",
    );
  });

  it('rejects other contracts than the current one', async () => {
    await expect(planToContract('v1beta1', client, await dependenciesWith(all('v1.0.0')))).rejects.toThrow(
      'could only upgrade to v1beta2 contract, requested v1beta1',
    );
  });
});

async function roleNames(): Promise<string[]> {
  const list = JSON.parse(await client.getRaw('/apis/rbac.authorization.k8s.io/v1/clusterroles')) as {
    readonly items: readonly { readonly metadata: { readonly name: string } }[];
  };
  return list.items
    .map(({ metadata }) => metadata.name)
    .filter((name) => name.endsWith('-role'))
    .sort();
}

describe('delete', () => {
  const scope = { inventory: true, definitions: false, namespace: false };
  const found = async (provider: InstalledProvider, more: object): Promise<string[]> =>
    (await findProviderObjects(client, provider, { ...scope, ...more }))
      .map(({ resource, name }) => `${resource.kind} ${name}`)
      .sort();

  it('finds exactly the installed objects', async () => {
    await init(await dependenciesWith(all('v1.0.0')));
    const [provider] = chooseInstalled({ InfrastructureProvider: ['infra'] }, await listInstalled(client));
    if (provider === undefined) throw new Error('it is not installed');
    const components = [
      'ClusterRole infrastructure-infra-system-v1.0.0-role',
      'Deployment controller-manager',
      'Provider infrastructure-infra',
      'ServiceAccount manager',
    ];
    const kind = 'CustomResourceDefinition infrastructureinfrathings.things.x-k8s.io';
    expect(await found(provider, {})).toEqual(components);
    expect(await found(provider, { definitions: true })).toEqual([components[0], kind, ...components.slice(1)]);
    expect(await found(provider, { namespace: true })).toEqual([
      components[0],
      'Namespace infrastructure-infra-system',
    ]);
    await deleteObjects(client, await findProviderObjects(client, provider, scope));
    expect((await versions()).some((text) => text.includes('infra'))).toBe(false);
    expect((await versions()).length).toBe(3);
  });

  it('rejects CRDs that still have objects', async () => {
    await init(await dependenciesWith(all('v1.0.0')));
    const thing = {
      group: 'things.x-k8s.io',
      version: 'v1beta2',
      kind: 'InfrastructureInfraThing',
      plural: 'infrastructureinfrathings',
      namespaced: true,
    };
    const metadata = { name: 'left', namespace: 'default' };
    await client.create(thing, { apiVersion: 'things.x-k8s.io/v1beta2', kind: thing.kind, metadata });
    const chosen = chooseInstalled({ InfrastructureProvider: ['infra'] }, await listInstalled(client));
    await expect(checkNoObjects(client, chosen)).rejects.toThrow(
      'found existing objects for provider CRDs "infrastructure-infra-system/infrastructure-infra": [InfrastructureInfraThing]',
    );
  });

  it.each([
    {
      named: { InfrastructureProvider: ['none'] },
      expected: 'failed to identify the namespace for the "none" provider',
    },
    {
      named: { InfrastructureProvider: ['infra:v9.0.0'] },
      expected: 'failed to identify the provider "infra" with version "v9.0.0"',
    },
    { named: { InfrastructureProvider: ['a:b:c'] }, expected: 'invalid provider name "a:b:c"' },
    { named: { InfrastructureProvider: [':v1.0.0'] }, expected: 'name cannot be empty' },
  ])('rejects $expected', async ({ named, expected }) => {
    await init(await dependenciesWith(all('v1.0.0')));
    const installed = await listInstalled(client);
    expect(() => chooseInstalled(named, installed)).toThrow(expected);
  });
});
