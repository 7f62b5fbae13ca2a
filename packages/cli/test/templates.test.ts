import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { killPlanes, type Outcome, type Plane, runWith, startPlane } from './support/command.js';
import { kubeRequest } from './support/kube-request.js';

const folder = mkdtempSync(join(tmpdir(), 'slipway-templates-'));
// Isolated from the user who runs the tests: no config, no kubeconfig, no running plane.
const home = {
  HOME: folder,
  XDG_CONFIG_HOME: join(folder, 'config'),
  XDG_DATA_HOME: join(folder, 'data'),
  KUBECONFIG: '',
};
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const slipway = (
  words: readonly string[],
  options: { env?: NodeJS.ProcessEnv; input?: string } = {},
): Promise<Outcome> => runWith({ ...options, env: { ...home, ...options.env } }, ...words);
const version = 'v1.14.2+slipway.0.1.0';

describe('without a management cluster', () => {
  it('lists the providers that are built in and those of clusterctl.yaml', async () => {
    const config = join(folder, 'clusterctl.yaml');
    writeFileSync(
      config,
      'providers:\n- {name: edge, type: InfrastructureProvider, url: /r/infrastructure-edge/v1.0.0/c.yaml}\n',
    );
    const { stdout } = await slipway(['config', 'repositories', '--config', config]);
    expect(stdout).toBe(`\
NAME          TYPE                     URL                                         FILE
cluster-api   CoreProvider             builtin:///cluster-api/latest/              core-components.yaml
kubeadm       BootstrapProvider        builtin:///bootstrap-kubeadm/latest/        bootstrap-components.yaml
kubeadm       ControlPlaneProvider     builtin:///control-plane-kubeadm/latest/    control-plane-components.yaml
dev           InfrastructureProvider   builtin:///infrastructure-dev/latest/       infrastructure-components.yaml
edge          InfrastructureProvider   /r/infrastructure-edge/v1.0.0/              c.yaml
kvm           InfrastructureProvider   builtin:///infrastructure-kvm/latest/       infrastructure-components.yaml
vsphere       InfrastructureProvider   builtin:///infrastructure-vsphere/latest/   infrastructure-components.yaml
`);
    const yaml = await slipway(['config', 'repositories', '-o', 'yaml']);
    expect((parse(yaml.stdout) as unknown[])[0]).toEqual({
      File: 'core-components.yaml',
      Name: 'cluster-api',
      ProviderType: 'CoreProvider',
      URL: 'builtin:///cluster-api/latest/',
    });
  });

  it('lists what a template asks for', async () => {
    const { stdout } = await slipway(['generate', 'cluster', 'demo', '-i', 'dev', '--list-variables'], {
      env: { WORKER_MACHINE_COUNT: '4' },
    });
    expect(stdout).toBe(`
Optional Variables:
  - CLUSTER_NAME                 (defaults to "demo")
  - CONTROL_PLANE_MACHINE_COUNT  (defaults to "1")
  - KUBERNETES_VERSION           (defaults to "v1.35.0")
  - NAMESPACE                    (defaults to "default")
  - POD_CIDR                     (defaults to "192.168.0.0/16")
  - SERVICE_CIDR                 (defaults to "10.96.0.0/12")
  - SERVICE_DOMAIN               (defaults to "cluster.local")
  - WORKER_MACHINE_COUNT         (defaults to "4")

`);
  });

  it('makes a cluster by its old name, into a file for its owner alone', async () => {
    const file = join(folder, 'demo.yaml');
    const words = ['config', 'cluster', 'demo', '-i', `dev:${version}`, '-n', 'clusters', '--write-to', file];
    expect((await slipway(words)).code).toBe(0);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const objects = parseAllDocuments(readFileSync(file, 'utf8')).map(
      (each) => each.toJS() as { metadata: { namespace: string } },
    );
    expect(objects).toHaveLength(6);
    expect(new Set(objects.map(({ metadata }) => metadata.namespace))).toEqual(new Set(['clusters']));
  });

  it('puts values into a template of standard input, in the order flags, environment, file', async () => {
    const config = join(folder, 'values.yaml');
    writeFileSync(config, 'A: file\nB: file\n');
    const input =
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "${CLUSTER_NAME}"}\ndata: {a: "${A}", b: "${B}", c: "${C:=default}"}\n';
    const words = ['generate', 'cluster', 'demo', '--from', '-', '--config', config, '-o', 'json'];
    const { stdout } = await slipway(words, { input, env: { B: 'environment', CLUSTER_NAME: 'other' } });
    expect(JSON.parse(stdout)).toMatchObject({
      kind: 'List',
      items: [
        { metadata: { name: 'demo', namespace: 'default' }, data: { a: 'file', b: 'environment', c: 'default' } },
      ],
    });
  });

  it.each([
    {
      name: 'no provider',
      words: ['generate', 'cluster', 'demo'],
      code: 1,
      says: '→ set --infrastructure to one of: dev, kvm, vsphere',
    },
    { name: 'a bad name', words: ['generate', 'cluster', 'Demo', '-i', 'dev'], code: 1, says: 'invalid cluster name:' },
    {
      name: 'a bad namespace',
      words: ['generate', 'cluster', 'demo', '-i', 'dev', '-n', 'A'],
      code: 1,
      says: 'invalid target-namespace:',
    },
    {
      name: 'a bad version',
      words: ['generate', 'cluster', 'demo', '-i', 'dev', '--kubernetes-version', '1'],
      code: 1,
      says: 'invalid KubernetesVersion. Please use a semantic version number',
    },
    {
      name: 'no control plane',
      words: ['generate', 'cluster', 'demo', '-i', 'dev', '--control-plane-machine-count', '0'],
      code: 1,
      says: 'Please use a number greater than or equal to 1',
    },
    {
      name: 'half a machine',
      words: ['generate', 'cluster', 'demo', '-i', 'dev', '--worker-machine-count', '0.5'],
      code: 2,
      says: 'The value must be a whole number',
    },
    {
      name: 'no such flavor',
      words: ['generate', 'cluster', 'demo', '-i', 'dev', '-f', 'none'],
      code: 1,
      says: 'failed to read "cluster-template-none.yaml"',
    },
    {
      name: 'two sources',
      words: ['generate', 'cluster', 'demo', '-i', 'dev', '--from', 'x'],
      code: 2,
      says: 'only one template can be used at time',
    },
    {
      name: 'no such file',
      words: ['generate', 'cluster', 'demo', '--from', '/none.yaml'],
      code: 1,
      says: 'failed to read file "/none.yaml"',
    },
    {
      name: 'plain http',
      words: ['generate', 'cluster', 'demo', '--from', 'http://a/b'],
      code: 1,
      says: 'unable to read content from "http://a/b"',
    },
    {
      name: 'no provider to print',
      words: ['generate', 'provider'],
      code: 2,
      says: 'at least one of --core, --bootstrap',
    },
    {
      name: 'two providers to print',
      words: ['generate', 'provider', '--core', 'cluster-api', '-i', 'dev'],
      code: 2,
      says: 'only one of --core, --bootstrap',
    },
    {
      name: 'a nameless cluster',
      words: ['create', 'cluster', '--kubeconfig', '/none'],
      code: 1,
      says: 'cannot read /none',
    },
    { name: 'nothing to delete', words: ['delete'], code: 2, says: 'At least one of --core, --bootstrap' },
    {
      name: 'all and one to delete',
      words: ['delete', '--all', '-i', 'dev'],
      code: 2,
      says: "The --all flag can't be used in combination with",
    },
    {
      name: 'an upgrade to nothing',
      words: ['upgrade', 'apply', '--kubeconfig', '/none'],
      code: 1,
      says: 'cannot read /none',
    },
    {
      name: 'no config',
      words: ['config', 'repositories', '--config', '/none.yaml'],
      code: 1,
      says: 'clusterctl config file /none.yaml not found',
    },
    { name: 'an unknown shell', words: ['completion', 'tcsh'], code: 2, says: 'Allowed choices are bash, zsh, fish.' },
  ])('refuses $name', async ({ words, code, says }) => {
    const outcome = await slipway(words);
    expect(outcome.stderr).toContain(says);
    expect(outcome.code).toBe(code);
    expect(outcome.stdout).toBe('');
  });

  it('names all variables that are missing at once', async () => {
    const { code, stderr } = await slipway(['generate', 'yaml'], { input: 'a: ${ZONE}\nb: ${AREA}\n' });
    expect(code).toBe(1);
    expect(stderr).toContain('value for variables [AREA, ZONE] is not set.');
    expect(stderr).toContain('--list-variables');
  });

  it('lists images, and takes those of the user', async () => {
    const config = join(folder, 'images.yaml');
    writeFileSync(config, 'images: {all: {repository: registry.mine/cluster-api}}\n');
    const { stdout } = await slipway(['init', 'list-images', '-i', 'dev', '--config', config]);
    expect(stdout).toBe('registry.mine/cluster-api/manager:v0.1.0\n');
  });

  it('says its version in short', async () => {
    expect((await slipway(['version', '-o', 'short'])).stdout).toBe('v0.1.0\n');
  });
});

describe('on a running plane', () => {
  let plane: Plane;
  let data: string;
  beforeAll(async () => {
    data = join(folder, 'plane');
    plane = await startPlane(data);
  });
  afterAll(() => killPlanes());
  const here = (...words: readonly string[]): Promise<Outcome> => slipway([...words, '--data-dir', data]);

  it('finds it, and makes a cluster on it', async () => {
    const { code, stdout, stderr } = await here('create', 'cluster', 'demo', '-i', 'dev');
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^applied Cluster default\/demo\n[^]*Cluster default\/demo: 3\/3 ready, Available[^]*slipway get kubeconfig demo -n default/,
    );
  });

  it('only validates on the server with --dry-run', async () => {
    const { stdout } = await here('create', 'cluster', 'dry', '-i', 'dev', '--dry-run');
    expect(stdout).toContain('applied Cluster default/dry (dry run)\n');
    const { status } = await kubeRequest(
      plane.kubeconfig,
      'GET',
      '/apis/cluster.x-k8s.io/v1beta2/namespaces/default/clusters/dry',
    );
    expect(status).toBe(404);
  });

  it('says how to follow a cluster that takes longer than one wants to wait', async () => {
    const { code, stderr } = await here(
      'create',
      'cluster',
      'slow',
      '-i',
      'dev',
      '--control-plane-machine-count',
      '3',
      '--timeout',
      '1ms',
    );
    expect(code).toBe(1);
    expect(stderr).toContain('Not Available yet: the cluster is still being created.');
    expect(stderr).toContain('slipway describe cluster slow -n default --watch');
  });

  it('does not prompt without a terminal', async () => {
    const { code, stderr } = await here('create', 'cluster');
    expect(stderr).toContain('the name of the cluster is missing');
    expect(code).toBe(2);
  });

  it('reads a template from a ConfigMap', async () => {
    await kubeRequest(plane.kubeconfig, 'POST', '/api/v1/namespaces/default/configmaps', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'my-template' },
      data: { template: 'apiVersion: v1\nkind: Secret\nmetadata: {name: "${CLUSTER_NAME}-own"}\n' },
    });
    const { stdout } = await here('generate', 'cluster', 'demo', '--from-config-map', 'my-template');
    expect(parse(stdout)).toMatchObject({ kind: 'Secret', metadata: { name: 'demo-own', namespace: 'default' } });
    const { stderr } = await here(
      'generate',
      'cluster',
      'demo',
      '--from-config-map',
      'my-template',
      '--from-config-map-key',
      'x',
    );
    expect(stderr).toContain('the ConfigMap default/my-template does not have the "x" data key');
  });

  it('has an inventory, of which nothing is to be upgraded and nothing can be deleted', async () => {
    const { stdout } = await here('upgrade', 'plan');
    expect(stdout).toBe(`
Latest release available for the v1beta2 Cluster API contract version:

NAME                     NAMESPACE                           TYPE                     CURRENT VERSION         NEXT VERSION
cluster-api              capi-system                         CoreProvider             ${version}   Already up to date
bootstrap-kubeadm        capi-kubeadm-bootstrap-system       BootstrapProvider        ${version}   Already up to date
control-plane-kubeadm    capi-kubeadm-control-plane-system   ControlPlaneProvider     ${version}   Already up to date
infrastructure-dev       capd-system                         InfrastructureProvider   ${version}   Already up to date
infrastructure-kvm       capk-system                         InfrastructureProvider   ${version}   Already up to date
infrastructure-vsphere   capv-system                         InfrastructureProvider   ${version}   Already up to date

You are already up to date!

`);
    expect((await here('init')).stdout).toBe('All providers are already installed.\n');
    const deleted = await here('delete', '--all');
    expect(deleted.code).toBe(1);
    expect(deleted.stderr).toContain('the management cluster is a `slipway up` process with embedded providers');
    expect((await here('upgrade', 'apply')).stderr).toContain('Either the --contract flag or at least one of');
  });
});
