import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { killPlanes, type Outcome, runWith, slipway, startPlane, startPlaneIn } from './support/command.js';
import { installedPrograms } from './support/installed.js';
import { LocalRegistry } from './support/local-registry.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
let folder = '';
let registry: LocalRegistry | undefined;

/** Runs a program in a directory outside of the repository, with an empty home directory. */
async function run(cwd: string, program: string, ...args: readonly string[]): Promise<Outcome> {
  const env = { ...process.env, HOME: join(folder, 'home'), PATH: `${installedPrograms}:${process.env['PATH'] ?? ''}` };
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

/** Installs the dependencies of a provider from the library tarballs, and builds it. */
async function install(project: string): Promise<void> {
  const options = ['--registry', registry?.url ?? '', '--cache', join(folder, 'cache'), '--no-audit', '--no-fund'];
  expect(await run(project, 'npm', 'install', ...options)).toMatchObject({ code: 0 });
  expect(await run(project, 'npm', 'run', 'build')).toMatchObject({ code: 0 });
}

/** Runs the conformance suite that the provider contains. */
const runConformance = (project: string): Promise<Outcome> =>
  // Newer versions of Node choose another default format.
  run(project, process.execPath, '--test', '--test-reporter=tap', 'dist/test/conformance.test.js');
const allPassed = { code: 0, stdout: expect.stringContaining('# fail 0') as string };

const pond = (): string => join(folder, 'pond-provider');
/** Directory of a user, who installed the packed provider and nothing else. */
const user = (): string => join(folder, 'user');

/** Packs the example and installs the tarball, as a user of the provider does. */
async function installPacked(): Promise<void> {
  const packed = await run(pond(), 'npm', 'pack', '--json', '--pack-destination', folder);
  const [{ filename }] = JSON.parse(packed.stdout) as [{ filename: string }];
  mkdirSync(user());
  const options = ['--registry', registry?.url ?? '', '--cache', join(folder, 'cache'), '--no-audit', '--no-fund'];
  expect(await run(user(), 'npm', 'install', ...options, join(folder, filename))).toMatchObject({ code: 0 });
}

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-outside-')));
  mkdirSync(join(folder, 'home'));
  const tarballs = join(folder, 'tarballs');
  const script = JSON.stringify(join(root, 'scripts/release/library-packages.mjs'));
  const code = `import(${script}).then((it) => it.packLibraries(${JSON.stringify(tarballs)}))`;
  const packed = await run(root, process.execPath, '-e', code);
  if (packed.code !== 0) throw new Error(`packing the libraries failed: ${packed.stderr}`);
  registry = await LocalRegistry.start(tarballs);
  const filter = (path: string): boolean => !/\/(?:node_modules|dist)$/.test(path);
  cpSync(join(root, 'examples/pond-provider'), pond(), { recursive: true, filter });
  await install(pond());
  await installPacked();
  // Compiles and packs all libraries, and installs 70 packages.
}, 300_000);
afterEach(killPlanes);
afterAll(() => {
  registry?.stop();
  rmSync(folder, { recursive: true, force: true });
});

// In this file because it writes and reads the same directories as the packing above: test files run in parallel.
describe('the library packages', () => {
  const staged = join(root, 'dist/npm/@slipway');
  const manifestOf = (name: string): Record<string, unknown> =>
    JSON.parse(readFileSync(join(staged, name, 'package.json'), 'utf8')) as Record<string, unknown>;

  it('depend on exact versions', () => {
    for (const name of readdirSync(staged)) {
      const versions = Object.values(manifestOf(name)['dependencies'] as Record<string, string>);
      expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
    }
  });

  it('contain the files that their exports name, the license and no test', () => {
    for (const name of readdirSync(staged)) {
      const files = readdirSync(join(staged, name), { recursive: true, encoding: 'utf8' });
      const exported = Object.values(manifestOf(name)['exports'] as Record<string, string | Record<string, string>>);
      const named = exported.flatMap((target) => (typeof target === 'string' ? target : Object.values(target)));
      expect(files).toEqual(expect.arrayContaining(['LICENSE', ...named.map((file) => file.replace('./', ''))]));
      expect(files.filter((file) => /\.test\.|(?<!\.d)\.ts$|\.json$/.test(file))).toEqual(['package.json']);
    }
  });

  it('contain no path of the host that built them', () => {
    for (const name of readdirSync(staged)) {
      const files = readdirSync(join(staged, name), { recursive: true, encoding: 'utf8' });
      const texts = files.filter((file) => /\.(?:js|ts|json|md)$/.test(file));
      expect(texts.filter((file) => readFileSync(join(staged, name, file), 'utf8').includes(root))).toEqual([]);
    }
  });

  it('have a current API report each', async () => {
    const outcome = await run(root, process.execPath, 'scripts/api-reports.mjs', '--check');
    expect(outcome).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});

describe('a provider outside of the repository', () => {
  it('passes the conformance suite with the library packages', async () => {
    expect(await runConformance(pond())).toMatchObject(allPassed);
  });

  it('runs in `slipway up --plugin` from its tarball, and its clusters become available', async () => {
    const home = { HOME: join(folder, 'home'), XDG_DATA_HOME: '' };
    await startPlaneIn({ cwd: user(), env: home }, '--plugin', 'pond-provider');
    const command = (...args: readonly string[]): Promise<Outcome> => run(folder, 'slipway', ...args);

    const generated = await command(
      'generate',
      'cluster',
      'demo',
      '--infrastructure',
      'pond',
      '--worker-machine-count',
      '2',
    );
    expect(generated).toMatchObject({ code: 0, stdout: expect.stringContaining('kind: PondCluster') as string });
    writeFileSync(join(folder, 'demo.yaml'), generated.stdout);
    const planned = await command('plan', '-f', 'demo.yaml');
    expect(planned).toMatchObject({ code: 9, stdout: expect.stringContaining('3 to create') as string });
    expect(await command('apply', '-f', 'demo.yaml')).toMatchObject({ code: 0 });

    const availability = async (): Promise<string | undefined> => {
      const { stdout } = await command('get', 'clusters', 'demo', '-o', 'json');
      const { status } = JSON.parse(stdout) as { status?: { conditions?: { type: string; status: string }[] } };
      return status?.conditions?.find(({ type }) => type === 'Available')?.status;
    };
    await expect.poll(availability, { timeout: 60_000, interval: 500 }).toBe('True');
    expect((await command('describe', 'cluster', 'demo')).stdout).toMatch(/PondCluster default\/demo .*True/);
    expect((await command('get', 'pondmachines', '-o', 'json')).stdout.match(/"providerID": "pond:/g)).toHaveLength(3);
    expect(await command('delete', 'cluster', 'demo', '--yes')).toMatchObject({ code: 0 });
    await expect.poll(async () => (await command('get', 'pondmachines')).stdout).not.toContain('demo');
  });

  it('is loaded by `slipway manager --plugin` by package name and by directory, which offers its controllers', async () => {
    const { kubeconfig } = await startPlane(join(folder, 'bare'), '--api-only');
    const ports = ['--diagnostics-address', '0', '--health-addr', '0', '--webhook-port', '0'];
    const flags = ['--kubeconfig', kubeconfig, '--provider', 'infrastructure-pond', '--install-crds', ...ports];
    for (const plugin of ['pond-provider', pond()]) {
      const refused = await run(user(), 'slipway', 'manager', ...flags, '--plugin', plugin, '--controllers', 'absent');
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('pondmachine') as string });
    }
  });
});

describe('`slipway provider scaffold`', () => {
  it('writes a provider that passes the conformance suite and loads, and refuses a directory that is not empty', async () => {
    const { code, stdout } = await run(folder, 'slipway', 'provider', 'scaffold', 'my-lake');
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('slipway up --plugin .') as string });
    const project = join(folder, 'my-lake-provider');
    await install(project);
    expect(await runConformance(project)).toMatchObject(allPassed);
    const listed = await run(project, 'slipway', 'config', 'repositories', '--plugin', '.');
    expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining('my-lake') as string });
    const again = await run(folder, 'slipway', 'provider', 'scaffold', 'my-lake');
    expect(again).toMatchObject({ code: 4, stderr: expect.stringContaining('is not empty') as string });
  });
});

describe('a plugin that cannot be used', () => {
  /** Writes a package that has the dependencies of the example, and returns its directory. */
  function variant(
    name: string,
    code: string | undefined,
    peers: object = { '@slipway/provider-kit': '0.1.0' },
  ): string {
    const target = join(folder, 'variants', name);
    mkdirSync(target, { recursive: true });
    const manifest = { name, version: '1.0.0', type: 'module', exports: './index.js', peerDependencies: peers };
    writeFileSync(join(target, 'package.json'), JSON.stringify(manifest));
    if (code !== undefined) writeFileSync(join(target, 'index.js'), code);
    return target;
  }
  const kit = `import { definePlugin } from '@slipway/provider-kit';`;
  const parts = `name: 'other', type: 'InfrastructureProvider', controllers: () => ({ set: { name: 'x', controllers: [] } })`;
  const clash = `import { devKinds } from '@slipway/dev'; export const plugin = definePlugin({ ${parts}, kinds: devKinds });`;
  const rows: readonly (readonly [string, string, string | undefined, object | undefined, string])[] = [
    ['is not built', 'unbuilt', undefined, undefined, 'entry point'],
    ['needs another version', 'newer', '', { '@slipway/provider-kit': '9.0.0' }, 'but this is Slipway 0.1.0'],
    ['does not say which version it needs', 'unversioned', '', {}, 'has no peer dependency on @slipway/provider-kit'],
    ['exports no plugin', 'empty', 'export {};', undefined, 'has no export named "plugin"'],
    ['throws', 'broken', `throw new Error('no cloud');`, undefined, 'failed to load: no cloud'],
    ['imports an absent name', 'absent', `import { x } from '@slipway/kube';`, undefined, 'does not provide an export'],
    ['imports a package of the CLI', 'inner', `import '@slipway/vsphere';`, undefined, 'is not available to plugins'],
    ['is not JavaScript', 'syntax', 'export const plugin = ;', undefined, 'failed to load: Unexpected token'],
    ['has no kinds', 'kindless', `${kit} definePlugin({ name: 'other' });`, undefined, 'kinds must be a list'],
    ['does not finish loading', 'hanging', 'await new Promise(() => undefined);', undefined, 'did not finish loading'],
    ['does not use definePlugin', 'plain', 'export const plugin = {};', undefined, 'was not created by definePlugin'],
    ['defines a built-in kind', 'clash', `${kit} ${clash}`, undefined, 'Slipway already defines the kind DevCluster'],
    [
      'has the name of a built-in provider',
      'twin',
      `${kit} export const plugin = definePlugin({ ${parts.replace('other', 'kvm')}, kinds: [] });`,
      undefined,
      'Slipway already defines the provider infrastructure-kvm',
    ],
  ];

  it.each(rows)('fails before anything starts if it %s', async (_reason, name, code, peers, message) => {
    const data = join(folder, 'refused');
    const outcome = await slipway('up', '--data-dir', data, '--port', '0', '--plugin', variant(name, code, peers));
    expect(outcome).toMatchObject({ code: 2, stderr: expect.stringContaining(message) as string });
    expect(() => readFileSync(data)).toThrow('ENOENT');
  });

  it('fails if it creates no controllers', async () => {
    const code = `${kit} export const plugin = definePlugin({ name: 'other', type: 'AddonProvider', kinds: [], controllers() {} });`;
    const plugin = variant('idle', code);
    const outcome = await slipway('up', '--data-dir', join(folder, 'idle'), '--port', '0', '--plugin', plugin);
    const stderr: unknown = expect.stringContaining('must return { set: { name, controllers: […] } }');
    expect(outcome).toMatchObject({ code: 2, stderr });
  });

  it('fails if no package of the name is installed', async () => {
    const outcome = await runWith({ env: { SLIPWAY_PLUGINS: 'absent-provider' } }, 'manager');
    expect(outcome).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('npm install absent-provider') as string,
    });
  });
});
