import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { killPlanes, type Outcome, type Plane, runWith, startPlane } from './support/command.js';
import { kubeRequest } from './support/kube-request.js';

const folder = mkdtempSync(join(tmpdir(), 'slipway-templates-'));
// Environment that is isolated from the user who runs the tests: no config, no kubeconfig, no running plane.
const home = {
  HOME: folder,
  XDG_CONFIG_HOME: join(folder, 'config'),
  XDG_DATA_HOME: join(folder, 'data'),
  KUBECONFIG: '',
};
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const slipway = (
  args: readonly string[],
  options: { env?: NodeJS.ProcessEnv; input?: string } = {},
): Promise<Outcome> => runWith({ ...options, env: { ...home, ...options.env } }, ...args);
const version = 'v1.14.2+slipway.0.1.0';

describe('commands without a management cluster', () => {
  it('config repositories lists built-in providers and those of clusterctl.yaml', async () => {
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

  it('generate cluster --list-variables lists the variables of a template', async () => {
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

  it('config cluster, the deprecated name, writes a cluster to a file with mode 0600', async () => {
    const file = join(folder, 'demo.yaml');
    const args = ['config', 'cluster', 'demo', '-i', `dev:${version}`, '-n', 'clusters', '--write-to', file];
    expect((await slipway(args)).code).toBe(0);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const objects = parseAllDocuments(readFileSync(file, 'utf8')).map(
      (each) => each.toJS() as { metadata: { namespace: string } },
    );
    expect(objects).toHaveLength(6);
    expect(new Set(objects.map(({ metadata }) => metadata.namespace))).toEqual(new Set(['clusters']));
  });

  it('generate yaml substitutes variables of standard input, in the order flags, environment, file', async () => {
    const config = join(folder, 'values.yaml');
    writeFileSync(config, 'A: file\nB: file\n');
    const input =
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "${CLUSTER_NAME}"}\ndata: {a: "${A}", b: "${B}", c: "${C:=default}"}\n';
    const args = ['generate', 'cluster', 'demo', '--from', '-', '--config', config, '-o', 'json'];
    const { stdout } = await slipway(args, { input, env: { B: 'environment', CLUSTER_NAME: 'other' } });
    expect(JSON.parse(stdout)).toMatchObject({
      kind: 'List',
      items: [
        { metadata: { name: 'demo', namespace: 'default' }, data: { a: 'file', b: 'environment', c: 'default' } },
      ],
    });
  });

  it.each([
    {
      name: 'a cluster without an infrastructure provider',
      args: ['generate', 'cluster', 'demo'],
      code: 1,
      expected: '→ set --infrastructure to one of: dev, kvm, vsphere',
    },
    {
      name: 'an invalid cluster name',
      args: ['generate', 'cluster', 'Demo', '-i', 'dev'],
      code: 1,
      expected: 'invalid cluster name:',
    },
    {
      name: 'an invalid namespace',
      args: ['generate', 'cluster', 'demo', '-i', 'dev', '-n', 'A'],
      code: 1,
      expected: 'invalid target-namespace:',
    },
    {
      name: 'an invalid Kubernetes version',
      args: ['generate', 'cluster', 'demo', '-i', 'dev', '--kubernetes-version', '1'],
      code: 1,
      expected: 'invalid KubernetesVersion. Please use a semantic version number',
    },
    {
      name: 'a control plane without machines',
      args: ['generate', 'cluster', 'demo', '-i', 'dev', '--control-plane-machine-count', '0'],
      code: 1,
      expected: 'Please use a number greater than or equal to 1',
    },
    {
      name: 'a fractional machine count',
      args: ['generate', 'cluster', 'demo', '-i', 'dev', '--worker-machine-count', '0.5'],
      code: 2,
      expected: 'The value must be a whole number',
    },
    {
      name: 'an unknown flavor',
      args: ['generate', 'cluster', 'demo', '-i', 'dev', '-f', 'none'],
      code: 1,
      expected: 'failed to read "cluster-template-none.yaml"',
    },
    {
      name: 'two template sources',
      args: ['generate', 'cluster', 'demo', '-i', 'dev', '--from', 'x'],
      code: 2,
      expected: 'only one template can be used at a time',
    },
    {
      name: 'a missing template file',
      args: ['generate', 'cluster', 'demo', '--from', '/none.yaml'],
      code: 1,
      expected: 'failed to read file "/none.yaml"',
    },
    {
      name: 'a template URL without TLS',
      args: ['generate', 'cluster', 'demo', '--from', 'http://a/b'],
      code: 1,
      expected: 'unable to read content from "http://a/b"',
    },
    {
      name: 'generate provider without a provider',
      args: ['generate', 'provider'],
      code: 2,
      expected: 'at least one of --core, --bootstrap',
    },
    {
      name: 'generate provider with two providers',
      args: ['generate', 'provider', '--core', 'cluster-api', '-i', 'dev'],
      code: 2,
      expected: 'only one of --core, --bootstrap',
    },
    {
      name: 'create cluster with an unreadable kubeconfig',
      args: ['create', 'cluster', '--kubeconfig', '/none'],
      code: 1,
      expected: 'cannot read /none',
    },
    { name: 'delete without a provider', args: ['delete'], code: 2, expected: 'At least one of --core, --bootstrap' },
    {
      name: 'delete with --all and a provider',
      args: ['delete', '--all', '-i', 'dev'],
      code: 2,
      expected: "The --all flag can't be used in combination with",
    },
    {
      name: 'upgrade apply with an unreadable kubeconfig',
      args: ['upgrade', 'apply', '--kubeconfig', '/none'],
      code: 1,
      expected: 'cannot read /none',
    },
    {
      name: 'a missing configuration file',
      args: ['config', 'repositories', '--config', '/none.yaml'],
      code: 1,
      expected: 'clusterctl config file /none.yaml not found',
    },
    {
      name: 'an unknown shell',
      args: ['completion', 'tcsh'],
      code: 2,
      expected: 'Allowed choices are bash, zsh, fish.',
    },
  ])('rejects $name', async ({ args, code, expected }) => {
    const outcome = await slipway(args);
    expect(outcome.stderr).toContain(expected);
    expect(outcome.code).toBe(code);
    expect(outcome.stdout).toBe('');
  });

  it('reports all missing variables together', async () => {
    const { code, stderr } = await slipway(['generate', 'yaml'], { input: 'a: ${ZONE}\nb: ${AREA}\n' });
    expect(code).toBe(1);
    expect(stderr).toContain('value for variables [AREA, ZONE] is not set.');
    expect(stderr).toContain('--list-variables');
  });

  it('init list-images lists images and applies image overrides', async () => {
    const config = join(folder, 'images.yaml');
    writeFileSync(config, 'images: {all: {repository: registry.mine/cluster-api}}\n');
    const { stdout } = await slipway(['init', 'list-images', '-i', 'dev', '--config', config]);
    expect(stdout).toBe('registry.mine/cluster-api/manager:v0.1.0\n');
  });

  it('version -o short prints the version only', async () => {
    expect((await slipway(['version', '-o', 'short'])).stdout).toBe('v0.1.0\n');
  });
});

describe('commands on a running plane', () => {
  let plane: Plane;
  let data: string;
  beforeAll(async () => {
    data = join(folder, 'plane');
    plane = await startPlane(data);
  });
  afterAll(() => killPlanes());
  const onPlane = (...args: readonly string[]): Promise<Outcome> => slipway([...args, '--data-dir', data]);

  it('find the plane and create a cluster', async () => {
    const { code, stdout, stderr } = await onPlane('create', 'cluster', 'demo', '-i', 'dev');
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^applied Cluster default\/demo\n[^]*Cluster default\/demo: 3\/3 ready, Available[^]*slipway get kubeconfig demo -n default/,
    );
  });

  it('validate on the server only with --dry-run', async () => {
    const { stdout } = await onPlane('create', 'cluster', 'dry', '-i', 'dev', '--dry-run');
    expect(stdout).toContain('applied Cluster default/dry (dry run)\n');
    const { status } = await kubeRequest(
      plane.kubeconfig,
      'GET',
      '/apis/cluster.x-k8s.io/v1beta2/namespaces/default/clusters/dry',
    );
    expect(status).toBe(404);
  });

  it('print how to follow a cluster that is not available within the timeout', async () => {
    const { code, stderr } = await onPlane(
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

  it('do not prompt without a terminal', async () => {
    const { code, stderr } = await onPlane('create', 'cluster');
    expect(stderr).toContain('the name of the cluster is missing');
    expect(code).toBe(2);
  });

  it('read a template from a ConfigMap', async () => {
    await kubeRequest(plane.kubeconfig, 'POST', '/api/v1/namespaces/default/configmaps', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'my-template' },
      data: { template: 'apiVersion: v1\nkind: Secret\nmetadata: {name: "${CLUSTER_NAME}-own"}\n' },
    });
    const { stdout } = await onPlane('generate', 'cluster', 'demo', '--from-config-map', 'my-template');
    expect(parse(stdout)).toMatchObject({ kind: 'Secret', metadata: { name: 'demo-own', namespace: 'default' } });
    const { stderr } = await onPlane(
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

  it('list the embedded providers, and reject to upgrade or delete them', async () => {
    const { stdout } = await onPlane('upgrade', 'plan');
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
    expect((await onPlane('init')).stdout).toBe('All providers are already installed.\n');
    const deleted = await onPlane('delete', '--all');
    expect(deleted.code).toBe(1);
    expect(deleted.stderr).toContain('the management cluster is a `slipway up` process with embedded providers');
    expect((await onPlane('upgrade', 'apply')).stderr).toContain('Either the --contract flag or at least one of');
  });
});
