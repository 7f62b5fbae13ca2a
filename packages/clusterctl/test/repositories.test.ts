import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { systemClock } from '@slipway/base';
import {
  type BuiltinProvider,
  builtinProvider,
  openRegistry,
  openRepository,
  type ProviderConfig,
  readConfig,
  readTemplateFrom,
  type RepositoryDependencies,
} from '../src/index.js';
import type { ProviderRepository } from '../src/repository/index.js';
import { InProcessClient } from '@slipway/plane';
import { type Client, configMaps } from '@slipway/runtime';
import { type EmbeddedServer, startEmbeddedServer } from '@slipway/testing/plane';
import { startHttpsServer, startOciServer, type TestHttpsServer } from '@slipway/testing/servers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const label = 'infrastructure-dev';
const metadata = (...series: readonly string[]): string =>
  `apiVersion: clusterctl.cluster.x-k8s.io/v1alpha3\nkind: Metadata\nreleaseSeries:\n${series.join('\n')}\n`;
const today = '- {major: 1, minor: 2, contract: v1beta2}';
/** The same releases in every kind of repository: version → file → text. */
const releases: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'v1.2.0': { 'metadata.yaml': metadata(today), 'cluster-template.yaml': 'kind: Old' },
  'v1.2.1+build.2': { 'metadata.yaml': metadata(today), 'cluster-template.yaml': 'kind: New' },
  'v1.3.0-rc.0': { 'metadata.yaml': metadata(today), 'cluster-template.yaml': 'kind: Preview' },
  'v1.2.9': { 'cluster-template.yaml': 'kind: WithoutMetadata' },
};

const folder = mkdtempSync(join(tmpdir(), 'repositories-'));
const cleanups: (() => Promise<void> | void)[] = [() => rmSync(folder, { recursive: true, force: true })];
afterAll(async () => {
  for (const clean of cleanups.reverse()) await clean();
});

function writeFiles(root: string): void {
  for (const [version, files] of Object.entries(releases)) {
    for (const [file, text] of Object.entries(files)) {
      const path = join(root, label, version, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
  }
}

async function dependenciesOf(
  more: Partial<RepositoryDependencies> = {},
  env: NodeJS.ProcessEnv = {},
): Promise<RepositoryDependencies> {
  const config = await readConfig({ env: { HOME: folder, ...env }, builtin: [] }, { clock: systemClock });
  return { clock: systemClock, config, builtin: [], management: () => Promise.resolve(undefined), ...more };
}

const at = (url: string): ProviderConfig => ({ name: 'dev', type: 'InfrastructureProvider', url });

/** Conformance tests of repositories. */
function repositoryConformance(name: string, open: (version: string) => Promise<ProviderRepository>): void {
  describe(`from ${name}`, () => {
    it('selects the newest release with metadata as latest, without prereleases', async () => {
      const repository = await open('latest');
      expect(repository.defaultVersion).toBe('v1.2.1+build.2');
      expect(repository.componentsFile).toBe('components.yaml');
      expect(await repository.metadata('v1.2.1+build.2')).toEqual({
        releaseSeries: [{ major: 1, minor: 2, contract: 'v1beta2' }],
      });
    });

    it('uses the version of the URL', async () => {
      const repository = await open('v1.2.0');
      expect(repository.defaultVersion).toBe('v1.2.0');
      expect(await repository.read('v1.2.0', 'cluster-template.yaml')).toBe('kind: Old');
      expect(await repository.read('v1.2.1+build.2', 'cluster-template.yaml')).toBe('kind: New');
    });

    it('lists the versions', async () => {
      const versions = await (await open('v1.2.0')).versions();
      expect([...versions].sort()).toEqual(Object.keys(releases).sort());
    });

    it('reports a missing file with its expected location', async () => {
      const repository = await open('v1.2.0');
      await expect(repository.read('v1.2.0', 'none.yaml')).rejects.toThrow(
        `failed to read "none.yaml" from the repository for provider "${label}", version v1.2.0`,
      );
      await expect(repository.read('v9.9.9', 'metadata.yaml')).rejects.toThrow('version v9.9.9: file not found');
    });
  });
}

describe('repositories', () => {
  writeFiles(folder);
  repositoryConformance('a folder', async (version) =>
    openRepository(at(`${folder}/${label}/${version}/components.yaml`), await dependenciesOf()),
  );
  repositoryConformance('a folder by file://', async (version) =>
    openRepository(at(`file://${folder}/${label}/${version}/components.yaml`), await dependenciesOf()),
  );

  let mirror: TestHttpsServer;
  let registry: TestHttpsServer;
  let guarded: TestHttpsServer;
  let broken: TestHttpsServer;
  let embedded: EmbeddedServer;
  let client: Client;
  beforeAll(async () => {
    mirror = await startHttpsServer((request, response) => {
      const path = decodeURIComponent(request.url ?? '').replace(`/mirror/${label}/`, '');
      if (request.url === '/moved') return response.writeHead(302, { location: '/template.yaml' }).end();
      if (request.url === '/template.yaml') return response.writeHead(200).end('kind: Moved');
      if (path === 'versions.json') return response.writeHead(200).end(JSON.stringify(Object.keys(releases)));
      const [version = '', file = ''] = path.split('/');
      const text = releases[version]?.[file];
      return response.writeHead(text === undefined ? 404 : 200).end(text);
    });
    const tags = Object.fromEntries(
      Object.entries(releases).map(([version, files]) => [version.replace('+', '_'), files]),
    );
    const artifacts = { [`team/providers/${label}`]: tags };
    registry = await startOciServer(artifacts);
    guarded = await startOciServer(artifacts, { login: { username: 'me', password: 'secret' } });
    broken = await startOciServer(artifacts, { corrupt: true });
    embedded = await startEmbeddedServer();
    client = new InProcessClient({ registry: embedded.server.registry });
    for (const each of [mirror, registry, guarded, broken, embedded]) cleanups.push(() => each.stop());
    for (const [version, files] of Object.entries(releases))
      await client.create(configMaps, configMapOf(version, files));
  });

  repositoryConformance('a mirror behind https', async (version) =>
    openRepository(
      at(`https://${mirror.host}/mirror/${label}/${version}/components.yaml`),
      await dependenciesOf(mirror),
    ),
  );
  repositoryConformance('an OCI registry', async (version) =>
    openRepository(
      at(`oci://${registry.host}/team/providers/${label}/${version}/components.yaml`),
      await dependenciesOf(registry),
    ),
  );
  repositoryConformance('ConfigMaps', async (version) =>
    openRepository(
      at(`configmap://default/${label}/${version}/components.yaml`),
      await dependenciesOf({ management: () => Promise.resolve({ client, namespace: 'default' }) }),
    ),
  );

  it('reads the operator’s ConfigMaps, with other keys and compression', async () => {
    const repository = await openRepository(
      at(`configmap://default/${label}/v1.4.0/infrastructure-components.yaml`),
      await dependenciesOf({ management: () => Promise.resolve({ client, namespace: 'default' }) }),
    );
    await client.create(configMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: 'operator-made',
        namespace: 'default',
        labels: { 'cluster.x-k8s.io/provider': label, 'provider.cluster.x-k8s.io/version': 'v1.4.0' },
        annotations: { 'provider.cluster.x-k8s.io/compressed': 'true' },
      },
      data: { metadata: metadata(today) },
      binaryData: { components: gzipSync('kind: Compressed').toString('base64') },
    });
    expect(await repository.read('v1.4.0', 'infrastructure-components.yaml')).toBe('kind: Compressed');
    expect((await repository.metadata('v1.4.0')).releaseSeries).toHaveLength(1);
    await client.delete(configMaps, { namespace: 'default', name: 'operator-made' });
  });

  it('authenticates to a registry, and reports which variables to set if it is rejected', async () => {
    const url = `oci://${guarded.host}/team/providers/${label}/v1.2.0/components.yaml`;
    const login = { OCI_USERNAME: 'me', OCI_PASSWORD: 'secret' };
    const allowed = await openRepository(at(url), await dependenciesOf(guarded, login));
    expect(await allowed.read('v1.2.0', 'cluster-template.yaml')).toBe('kind: Old');
    const refused = await openRepository(at(url), await dependenciesOf(guarded));
    await expect(refused.read('v1.2.0', 'cluster-template.yaml')).rejects.toThrow('status 401');
  });

  it('pushes files as an artifact, and reads them with a token that must be renewed', async () => {
    const refreshToken = 'long-lived';
    const own = await startOciServer({}, { refreshToken });
    cleanups.push(() => own.stop());
    const dependencies = await dependenciesOf(own, { OCI_REFRESH_TOKEN: refreshToken });
    // Two files with the same content share one blob.
    const files = new Map([
      ['metadata.yaml', metadata(today)],
      ['components.yaml', 'kind: Pushed'],
      ['copy.yaml', 'kind: Pushed'],
    ]);
    expect(await openRegistry(own.host, dependencies).push('team/pushed', 'v1.2.0', files)).toMatch(
      /^sha256:[0-9a-f]{64}$/,
    );
    expect(own.requests.filter((request) => request.startsWith('POST /v2/'))).toHaveLength(3);
    const reading = openRegistry(own.host, dependencies);
    for (const [file, text] of files) expect(await reading.readFile('team/pushed', 'v1.2.0', file)).toBe(text);
    expect(await reading.tags('team/pushed')).toEqual(['v1.2.0']);
    const stranger = openRegistry(own.host, await dependenciesOf(own, { OCI_REFRESH_TOKEN: 'expired' }));
    await expect(stranger.tags('team/pushed')).rejects.toThrow('status 401');
    expect(own.requests.join()).not.toContain(refreshToken);
  });

  it('rejects a blob that does not match its digest', async () => {
    const repository = await openRepository(
      at(`oci://${broken.host}/team/providers/${label}/v1.2.0/components.yaml`),
      await dependenciesOf(broken),
    );
    await expect(repository.read('v1.2.0', 'cluster-template.yaml')).rejects.toThrow('does not match its digest');
  });

  it('trusts no server without a CA', async () => {
    const repository = await openRepository(
      at(`https://${mirror.host}/mirror/${label}/v1.2.0/c.yaml`),
      await dependenciesOf(),
    );
    await expect(repository.read('v1.2.0', 'metadata.yaml')).rejects.toThrow(/cannot fetch .*self-signed certificate/);
  });

  it.each([
    {
      place: (): string => `https://${mirror.host}/moved`,
      then: 'kind: Moved',
      dependencies: (): TestHttpsServer => mirror,
    },
    {
      place: (): string => `oci://${registry.host}/team/providers/${label}:v1.2.0`,
      then: 'kind: Old',
      dependencies: (): TestHttpsServer => registry,
    },
    {
      place: (): string => `oci://${registry.host}/team/providers/${label}:v1.2.1_build.2#cluster-template.yaml`,
      then: 'kind: New',
      dependencies: (): TestHttpsServer => registry,
    },
  ])('reads a template from $then', async ({ place, then, dependencies }) => {
    expect(await readTemplateFrom(place(), await dependenciesOf(dependencies()))).toBe(then);
  });
});

describe('a repository', () => {
  it('prefers overrides of the user to the release', async () => {
    const overrides = join(folder, 'overrides-here');
    mkdirSync(join(overrides, label, 'v1.2.0'), { recursive: true });
    writeFileSync(join(overrides, label, 'v1.2.0', 'cluster-template.yaml'), 'kind: Mine');
    const dependencies = await dependenciesOf({}, { OVERRIDESFOLDER: overrides });
    const repository = await openRepository(at(`${folder}/${label}/v1.2.0/components.yaml`), dependencies);
    expect(await repository.read('v1.2.0', 'cluster-template.yaml')).toBe('kind: Mine');
    expect(await repository.read('v1.2.1+build.2', 'cluster-template.yaml')).toBe('kind: New');
  });

  it('of the program itself has one version', async () => {
    const builtin: BuiltinProvider = builtinProvider({
      name: 'dev',
      type: 'InfrastructureProvider',
      version: 'v1.12.3',
      components: () => 'kind: Components',
      templates: { 'cluster-template.yaml': () => 'kind: Template' },
    });
    const url = `builtin:///${label}/latest/infrastructure-components.yaml`;
    const repository = await openRepository(at(url), await dependenciesOf({ builtin: [builtin] }));
    expect(await repository.versions()).toEqual(['v1.12.3']);
    expect(await repository.read('v1.12.3', 'infrastructure-components.yaml')).toBe('kind: Components');
    // Includes an earlier series, from which upgrades start.
    const { releaseSeries } = await repository.metadata('v1.12.3');
    expect(releaseSeries.map(({ major, minor, contract }) => `${major}.${minor} ${contract}`).slice(-4)).toEqual([
      '1.9 v1beta1',
      '1.10 v1beta1',
      '1.11 v1beta2',
      '1.12 v1beta2',
    ]);
    await expect(openRepository(at(url), await dependenciesOf())).rejects.toThrow(
      'infrastructure-dev is not a built-in provider',
    );
  });

  it.each([
    { url: 'relative/infrastructure-dev/v1.0.0/c.yaml', expected: 'must be an absolute path' },
    { url: '/infrastructure-dev', expected: 'path should be in the form' },
    { url: '/a/infrastructure-dev/newest/c.yaml', expected: 'invalid version: "newest"' },
    { url: '/a/infrastructure-other/v1.0.0/c.yaml', expected: 'must contain provider "infrastructure-dev"' },
    {
      url: 'ftp://a/infrastructure-dev/v1.0.0/c.yaml',
      expected: 'there are no provider implementation for "ftp" schema',
    },
    { url: 'https://github.com/a/b/tree/c.yaml', expected: 'a GitHub repository url should be in the form' },
    {
      url: 'https://gitlab.example/api/v4/projects/7/packages/generic/dev/latest/c.yaml',
      expected: 'a GitLab repository url should be in the form',
    },
    { url: 'configmap://x/infrastructure-dev/v1.0.0/c.yaml', expected: 'no management cluster is reachable' },
    { url: '/nowhere/infrastructure-dev/latest/c.yaml', expected: 'failed to list release directories' },
  ])('rejects $url', async ({ url, expected }) => {
    await expect(openRepository(at(url), await dependenciesOf())).rejects.toThrow(expected);
  });

  it('of a GitLab package has the version of its URL', async () => {
    const url = 'https://gitlab-team.example/api/v4/projects/a%2Fb/packages/generic/dev/v1.2.0/c.yaml';
    const { defaultVersion, componentsFile } = await openRepository(at(url), await dependenciesOf());
    expect([defaultVersion, componentsFile]).toEqual(['v1.2.0', 'c.yaml']);
  });

  it('selects the newest series of the current contract as latest', async () => {
    const place = join(folder, 'series', label);
    const series = metadata(today, '- {major: 2, minor: 0, contract: v1gamma1}');
    for (const version of ['v1.2.0', 'v1.2.7', 'v2.0.0']) {
      mkdirSync(join(place, version), { recursive: true });
      writeFileSync(join(place, version, 'metadata.yaml'), series);
    }
    const repository = await openRepository(at(`${place}/latest/c.yaml`), await dependenciesOf());
    expect(repository.defaultVersion).toBe('v1.2.7');
  });

  it.each([
    { text: 'a: [', expected: 'error decoding "metadata.yaml"' },
    { text: 'kind: Metadata', expected: 'unexpected apiVersion ""' },
    { text: 'apiVersion: clusterctl.cluster.x-k8s.io/v1alpha3\nkind: Other', expected: 'unexpected kind "Other"' },
    { text: 'apiVersion: clusterctl.cluster.x-k8s.io/v1alpha3\nkind: Metadata', expected: 'releaseSeries is empty' },
  ])('rejects metadata: $expected', async ({ text, expected }) => {
    const place = join(folder, 'bad', label, 'v1.0.0');
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, 'metadata.yaml'), text);
    const repository = await openRepository(at(`${place}/c.yaml`), await dependenciesOf());
    await expect(repository.metadata('v1.0.0')).rejects.toThrow(expected);
  });
});

function configMapOf(
  version: string,
  data: Readonly<Record<string, string>>,
): Parameters<Client['create']>[1] & { kind: 'ConfigMap'; apiVersion: 'v1' } {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: `dev-${version.replace('+', '-')}`,
      namespace: 'default',
      labels: { 'cluster.x-k8s.io/provider': label },
      // A plus sign is not valid in a label value.
      annotations: { 'provider.cluster.x-k8s.io/version': version },
    },
    data,
  };
}
