import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Scope } from '@slipway/base';
import { providerResources } from '@slipway/operator';
import { connectionOf, createHttpClient, parseKubeconfig } from '@slipway/runtime';
import { startOciServer, type TestHttpsServer } from '@slipway/testing/servers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { killPlanes, type Plane, startPlane } from '../../packages/cli/test/support/command.js';
import { installedFiles, installedSlipway } from '../../packages/cli/test/support/installed.js';
import { simulatedForDeployments } from '../../packages/operator/test/simulated-deployments.js';
import { OperatorFixture, runs } from '../../packages/operator/test/operator-fixture.js';
import { stockFolder } from '../../packages/operator/test/stock-release.js';
import { freePorts, peerBinary, startPeer } from '../support/peer-process.js';
import { startRealKubeApiserver } from '../support/real-kube-apiserver.js';
import { runCommand } from '../support/run-command.js';

// Runs the commands of docs/tasks/keep-providers-current.md as the page shows them.
const root = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(join(root, 'docs/tasks/keep-providers-current.md'), 'utf8');

/** Returns the part of the page below a heading. */
function section(title: string): string {
  const text = page.split(/^## /m).find((part) => part.startsWith(title));
  if (text === undefined) throw new Error(`the page has no section ${title}`);
  return text;
}

/** Returns commands and manifests, in the order of the page. */
function steps(text: string): readonly string[] {
  return [...text.matchAll(/^ {4,6}((?:kubectl|slipway) .*)$|^```yaml\n([\s\S]*?)^```$/gm)].map(
    ([, command, manifest = '']) => command ?? `kubectl apply -f - <<'END'\n${manifest}END`,
  );
}

/** A directory with a shell in which `kubectl` and `slipway` are available as on the page. */
class Desk {
  readonly folder = mkdtempSync(join(tmpdir(), 'keep-providers-'));
  readonly #environment: NodeJS.ProcessEnv;

  constructor(kubeconfig: string, environment: NodeJS.ProcessEnv = {}) {
    const programs = join(this.folder, 'programs');
    mkdirSync(programs);
    const program = (name: string, line: string): void => {
      writeFileSync(join(programs, name), `#!/bin/sh\nexec ${line} "$@"\n`);
      chmodSync(join(programs, name), 0o755);
    };
    program('kubectl', `'${peerBinary('kubectl')}'`);
    program('slipway', `'${process.execPath}' '${installedSlipway}'`);
    const path = `${programs}${delimiter}${process.env['PATH'] ?? ''}`;
    this.#environment = { ...environment, PATH: path, KUBECONFIG: kubeconfig, HOME: this.folder };
  }

  async run(command: string): Promise<string> {
    const options = { cwd: this.folder, env: this.#environment };
    const { code, stdout, stderr } = await runCommand('/bin/sh', ['-c', command], options);
    if (code !== 0) throw new Error(`${command}\nends with ${code}:\n${stderr}${stdout}`);
    return stdout;
  }

  dispose(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Returns the same program with the version of a later release. */
function laterRelease(folder: string): string {
  cpSync(installedFiles, folder, { recursive: true });
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.mjs')) continue;
    const text = readFileSync(join(folder, name), 'utf8');
    writeFileSync(join(folder, name), text.replaceAll('"0.1.0"', '"0.2.0"'));
  }
  return join(folder, 'slipway.mjs');
}

describe('with slipway up', () => {
  let plane: Plane;
  let desk: Desk;
  let data: string;
  beforeAll(async () => {
    data = mkdtempSync(join(tmpdir(), 'keep-providers-data-'));
    // Do not use an ephemeral port: the next release reuses it, and another process could get it in the meantime.
    const [port] = await freePorts(1);
    plane = await startPlane(data, '--port', String(port));
    desk = new Desk(plane.kubeconfig);
  });
  afterAll(async () => {
    await killPlanes();
    desk?.dispose();
    rmSync(data, { recursive: true, force: true });
  });

  const dev = '-n capd-system patch infrastructureprovider dev --type merge -p';
  const replicas = (count: number): string => `'{"spec":{"deployment":{"replicas":${count}}}}'`;
  const isOff = 'kubectl -n capd-system wait --for=condition=Ready=false --timeout=180s infrastructureprovider/dev';
  const finalizers = "kubectl get devcluster -A -o jsonpath='{.items[*].metadata.finalizers}'";

  it('works as documented on the page', async () => {
    const [list = '', ...others] = steps(section('With `slipway up`'));
    for (const name of ['cluster-api', 'kubeadm', 'dev', 'vsphere', 'kvm'])
      await expect
        .poll(() => desk.run(list))
        .toMatch(new RegExp(`provider\\.operator\\S*/${name}\\s+v1\\.14\\.2\\+slipway\\.0\\.1\\.0\\s+True`));
    expect(others.length).toBeGreaterThanOrEqual(6);
    for (const command of others) await desk.run(command);
    await desk.run('kubectl -n capv-system wait --for=condition=Ready --timeout=180s infrastructureprovider/vsphere');
  });

  it('stops the controllers of a disabled provider, and starts them again', async () => {
    await desk.run(`kubectl ${dev} ${replicas(0)}`);
    await desk.run(isOff);
    await desk.run(`kubectl apply -f ${join(root, 'docs/samples/quick-start.yaml')}`);
    // The core controllers run if they have reconciled the cluster, which waits for the infrastructure.
    await desk.run('kubectl wait cluster --all --for=condition=InfrastructureReady=false --timeout=180s');
    expect(await desk.run(finalizers)).toBe('');
    await desk.run(`kubectl ${dev} ${replicas(1)}`);
    await desk.run('kubectl wait cluster --all --for=condition=InfrastructureReady --timeout=180s');
    expect(await desk.run(finalizers)).not.toBe('');
  });

  it('upgrades providers when a newer release is started, and keeps disabled ones disabled', async () => {
    await desk.run(`kubectl ${dev} ${replicas(0)}`);
    await desk.run(isOff);
    plane.child.kill('SIGTERM');
    await plane.exited;
    const later = laterRelease(join(desk.folder, 'later'));
    const port = new URL(plane.endpoint).port;
    const newer = startPeer(process.execPath, [
      later,
      'up',
      '--port',
      port,
      '--data-dir',
      data,
      '--log-format',
      'json',
    ]);
    try {
      await newer.said(/"msg":"Serving"/);
      const until = (kind: string, path: string, value: string): Promise<string> =>
        desk.run(`kubectl wait ${kind} -A --all --for=jsonpath='${path}'='${value}' --timeout=180s`);
      for (const kind of ['coreprovider', 'bootstrapprovider', 'controlplaneprovider', 'infrastructureprovider'])
        await until(kind, '{.status.installedVersion}', 'v1.14.2+slipway.0.2.0');
      await until('coreprovider', '{.status.conditions[?(@.type=="ProviderUpgraded")].status}', 'True');
      const off =
        'kubectl -n capd-system get infrastructureprovider dev -o jsonpath=\'{.status.conditions[?(@.type=="Ready")].reason}\'';
      await expect.poll(() => desk.run(off)).toBe('SwitchedOff');
      await desk.run(`kubectl ${dev} ${replicas(1)}`);
      await desk.run('kubectl -n capd-system wait --for=condition=Ready --timeout=180s infrastructureprovider/dev');
    } finally {
      await newer.stop();
    }
  });
});

describe('on an existing Kubernetes cluster', () => {
  const scope = new Scope();
  let desk: Desk;
  let fixture: OperatorFixture;
  let registry: TestHttpsServer;
  beforeAll(async () => {
    const server = await startRealKubeApiserver();
    scope.defer(() => server.stop());
    registry = await startOciServer({});
    scope.defer(() => registry.stop());
    const authority = join(server.folder, 'registry.crt');
    writeFileSync(authority, registry.certificateAuthority);
    desk = new Desk(server.kubeconfigFile, { NODE_EXTRA_CA_CERTS: authority });
    scope.defer(() => desk.dispose());
    const client = createHttpClient(connectionOf(parseKubeconfig(server.kubeconfig)));
    scope.defer(() => client.close());
    fixture = new OperatorFixture(client);
    const simulator = simulatedForDeployments(client);
    scope.defer(() => simulator.stop());
    writeFileSync(join(desk.folder, 'company.conf'), server.kubeconfig);
    const release = { name: 'aws', type: 'InfrastructureProvider', version: 'v2.9.0' } as const;
    for (const [name, text] of Object.entries(stockFolder(release))) writeFileSync(join(desk.folder, name), text);
    await desk.run(`kubectl apply --server-side -f ${join(root, 'docs/samples/cert-manager-definitions.yaml')}`);
  });
  afterAll(() => scope.dispose());

  const until = (
    type: 'CoreProvider' | 'BootstrapProvider' | 'InfrastructureProvider',
    name: string,
    namespace: string,
    version: string,
  ) => fixture.reachesAt({ type, name }, { namespace, name }, runs(version));

  it('runs the operator command, which installs the built-in providers', async () => {
    const [manager = '', ...others] = steps(section('On a Kubernetes cluster'));
    // Use separate ports, because other instances may run on this host.
    const [port = 0] = await freePorts(1);
    const ports = `--diagnostics-address=0 --health-addr=0 --webhook-host=127.0.0.1 --webhook-port=${port} --webhook-url=https://127.0.0.1:${port} --leader-election-namespace=default --log-format=json`;
    const args = `${manager.replace(/^slipway /, '')} ${ports}`.split(' ');
    const process_ = startPeer(process.execPath, [
      installedSlipway,
      ...args.map((word) => (word === 'company.conf' ? join(desk.folder, word) : word)),
    ]);
    scope.defer(() => process_.stop());
    await process_.said(/"msg":"Manager started"/);
    for (const command of others) await desk.run(command);
    const core = await until('CoreProvider', 'cluster-api', 'capi-system', 'v1.14.2+slipway.0.1.0');
    expect(core.status?.contract).toBe('v1beta2');
  });

  it('installs the providers of the page without network access', async () => {
    for (const command of steps(section('Without network access')))
      await desk.run(command.replaceAll('registry.example', registry.host));
    await until('InfrastructureProvider', 'aws', 'capa-system', 'v2.9.0');
    const printed = readFileSync(join(desk.folder, 'aws.yaml'), 'utf8');
    expect(printed).toContain('name: infrastructure-aws-v2.9.0');
    expect(printed).toContain('provider.cluster.x-k8s.io/source: oci');
    // The provider finds the copied release without a fetch configuration.
    const resource = providerResources.BootstrapProvider;
    await fixture.client.create(resource, {
      apiVersion: 'operator.cluster.x-k8s.io/v1alpha2',
      kind: 'BootstrapProvider',
      metadata: { name: 'kubeadm', namespace: 'capi-kubeadm-bootstrap-system' },
      spec: { version: 'v1.14.2+slipway.0.1.0' },
    });
    await until('BootstrapProvider', 'kubeadm', 'capi-kubeadm-bootstrap-system', 'v1.14.2+slipway.0.1.0');
  });

  it('repairs, changes and deletes objects of the built-in release', async () => {
    const at = '-n capi-system';
    const name = (await desk.run(`kubectl ${at} get deployments -o name`)).trim();
    await desk.run(`kubectl ${at} delete ${name}`);
    await desk.run(`kubectl ${at} wait --for=create --timeout=180s ${name}`);
    await desk.run(`kubectl ${at} wait --for=condition=Available --timeout=180s ${name}`);
    await desk.run(
      `kubectl ${at} patch coreprovider cluster-api --type merge -p '{"spec":{"manager":{"verbosity":4}}}'`,
    );
    await expect
      .poll(() => desk.run(`kubectl ${at} get ${name} -o jsonpath='{.spec.template.spec.containers[0].args}'`))
      .toContain('--v=4');
    await desk.run('kubectl -n capi-kubeadm-bootstrap-system delete bootstrapprovider kubeadm --timeout=180s');
    await desk.run('kubectl -n capa-system delete infrastructureprovider aws --timeout=180s');
    await desk.run(`kubectl ${at} delete coreprovider cluster-api --timeout=180s`);
    expect(await desk.run('kubectl get deployments -A -o name')).toBe('');
    expect(await desk.run('kubectl get crd clusters.cluster.x-k8s.io -o name')).toContain('clusters.cluster.x-k8s.io');
  });
});
