import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@slipway/base';
import { afterAll, describe, expect, it } from 'vitest';
import { type ClusterctlConfig, readConfig } from './clusterctl-config.js';

const folder = mkdtempSync(join(tmpdir(), 'clusterctl-config-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const write = (path: string, text: string): string => {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), text);
  return join(folder, path);
};
const builtin = [
  {
    name: 'dev',
    type: 'InfrastructureProvider',
    url: 'builtin:///infrastructure-dev/latest/infrastructure-components.yaml',
  },
] as const;
const read = (file: string | undefined, env: NodeJS.ProcessEnv = {}): Promise<ClusterctlConfig> =>
  readConfig({ ...(file !== undefined && { file }), env: { HOME: folder, ...env }, builtin }, { clock: systemClock });
const given = (text: string, env: NodeJS.ProcessEnv = {}): Promise<ClusterctlConfig> =>
  read(write('given.yaml', text), env);

describe('the config of clusterctl', () => {
  it("is read from clusterctl's default paths, $XDG_CONFIG_HOME first", async () => {
    expect((await read(undefined)).lookup('A')).toBeUndefined();
    write('.cluster-api/clusterctl.yaml', 'A: home');
    expect((await read(undefined)).lookup('A')).toBe('home');
    write('xdg/cluster-api/clusterctl.yaml', 'A: xdg');
    expect((await read(undefined, { XDG_CONFIG_HOME: join(folder, 'xdg') })).lookup('A')).toBe('xdg');
  });

  it.each([
    { name: 'the file', text: 'SIZE: 3', env: {}, then: '3' },
    { name: 'the file, ignoring case', text: 'size: true', env: {}, then: 'true' },
    { name: 'the environment in preference to the file', text: 'SIZE: 3', env: { SIZE: '4' }, then: '4' },
    { name: 'an empty environment variable', text: 'SIZE: 3', env: { SIZE: '' }, then: '' },
    { name: 'nothing for null', text: 'SIZE:', env: {}, then: undefined },
  ])('reads a variable from $name', async ({ text, env, then }) => {
    expect((await given(text, env)).lookup('SIZE')).toBe(then);
  });

  it('gives command-line values precedence over all others', async () => {
    const config = await given('SIZE: 3', { SIZE: '4' });
    config.set('SIZE', '5');
    expect(config.lookup('SIZE')).toBe('5');
  });

  it('finds names with dashes under underscores', async () => {
    expect((await given('', { GITHUB_TOKEN: 't' })).lookup('github-token')).toBe('t');
  });

  it('merges providers of the file over built-in ones, with variables in their URLs', async () => {
    const config = await given(
      `providers:
- {name: dev, type: InfrastructureProvider, url: "\${BASE}/infrastructure-dev/latest/x.yaml"}
- {name: in-cluster, type: IPAMProvider, url: /a/b/c.yaml}
- {name: kubeadm, type: BootstrapProvider, url: "$BASE/d.yaml"}`,
      { BASE: '/repository' },
    );
    expect(config.providers).toEqual([
      { name: 'kubeadm', type: 'BootstrapProvider', url: '/repository/d.yaml' },
      { name: 'dev', type: 'InfrastructureProvider', url: '/repository/infrastructure-dev/latest/x.yaml' },
      { name: 'in-cluster', type: 'IPAMProvider', url: '/a/b/c.yaml' },
    ]);
    expect(() => config.provider('aws', 'InfrastructureProvider')).toThrow(
      'failed to get configuration for the InfrastructureProvider with name aws',
    );
  });

  it.each([
    { text: '- a', expected: 'the file must be a mapping' },
    { text: 'a: [', expected: 'invalid clusterctl config file' },
    { text: 'providers: x', expected: 'providers must be a list' },
    { text: 'providers: [{}]', expected: 'providers[0]: name value cannot be empty' },
    { text: 'providers: [{name: A_, type: IPAMProvider, url: x}]', expected: 'invalid provider name "A_"' },
    { text: 'providers: [{name: a, type: Other, url: x}]', expected: 'type "Other" is not one of CoreProvider' },
    { text: 'providers: [{name: a, type: IPAMProvider}]', expected: 'provider URL value cannot be empty' },
    { text: 'providers: [{name: a, type: CoreProvider, url: x}]', expected: 'name cluster-api must be used with' },
    { text: 'images: 3', expected: 'images must be a mapping' },
  ])('rejects $text', async ({ text, expected }) => {
    await expect(given(text)).rejects.toThrow(expected);
  });

  it('rejects a config file that does not exist', async () => {
    await expect(read(join(folder, 'none.yaml'))).rejects.toThrow(/clusterctl config file .* not found/);
  });

  it.each([
    { images: '{}', image: 'reg.io/a/manager:v1', then: 'reg.io/a/manager:v1' },
    { images: '{all: {repository: mine.io/b/}}', image: 'reg.io/a/manager:v1', then: 'mine.io/b/manager:v1' },
    { images: '{all: {repository: mine.io}, cluster-api: {tag: v2}}', image: 'manager', then: 'mine.io/manager:v2' },
    { images: '{cluster-api/manager: {name: other}}', image: 'reg.io:5000/manager:v1', then: 'reg.io:5000/other:v1' },
    { images: '{cluster-api: {tag: v2}}', image: 'reg.io/manager@sha256:0', then: 'reg.io/manager:v2' },
    { images: '{infrastructure-dev: {tag: v2}}', image: 'reg.io/manager:v1', then: 'reg.io/manager:v1' },
  ])('rewrites $image by $images to $then', async ({ images, image, then }) => {
    expect((await given(`images: ${images}`)).alterImage('cluster-api', image)).toBe(then);
  });

  it('returns the directory of overrides', async () => {
    expect((await read(undefined)).overridesFolder()).toBe(join(folder, '.config/cluster-api/overrides'));
    mkdirSync(join(folder, '.cluster-api/overrides'), { recursive: true });
    expect((await read(undefined)).overridesFolder()).toBe(join(folder, '.cluster-api/overrides'));
    expect((await given('overridesFolder: ${PLACE}/mine', { PLACE: '/p' })).overridesFolder()).toBe('/p/mine');
  });
});
