import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Scope } from '@slipway/base';
import { parseAllDocuments } from 'yaml';
import { OpensslAuthority } from './openssl-certificates.js';
import { freePorts, type PeerProcess, peerBinary, startPeer } from './peer-process.js';
import { type RealKubeApiserver, startRealKubeApiserver } from './real-kube-apiserver.js';
import { runCommand } from './run-command.js';

export interface UpstreamClusterApi {
  readonly server: RealKubeApiserver;
  /** PIDs of all processes: etcd, kube-apiserver and the managers. */
  readonly processIds: readonly number[];
  readonly log: () => string;
  stop(): Promise<void>;
}

interface Manager {
  readonly program: string;
  /** The wrapper module whose dependencies contain the manifests, the module and the directory in it. */
  readonly wrapper: string;
  readonly module: string;
  readonly config: string;
  /** The path of the webhook manifests, if they are not next to the CRDs. */
  readonly webhooks?: string;
  /** Additional flags. */
  readonly flags?: readonly string[];
}

const clusterApi = { wrapper: 'cluster-api', module: 'sigs.k8s.io/cluster-api' };
const managers: readonly Manager[] = [
  { program: 'cluster-api-core', ...clusterApi, config: 'core/config' },
  { program: 'cluster-api-bootstrap', ...clusterApi, config: 'bootstrap/kubeadm/config' },
  { program: 'cluster-api-control-plane', ...clusterApi, config: 'controlplane/kubeadm/config' },
  {
    program: 'cluster-api-dev',
    wrapper: 'cluster-api-dev',
    module: 'sigs.k8s.io/cluster-api/test',
    config: 'infrastructure/docker/config',
  },
];

/** A separate constant, because only tests with a vCenter start this manager. */
const vsphereManager: Manager = {
  program: 'cluster-api-vsphere',
  wrapper: 'cluster-api-vsphere',
  module: 'sigs.k8s.io/cluster-api-provider-vsphere',
  config: 'config/default',
  webhooks: 'config/govmomi/webhook',
  flags: ['--leader-elect=false'],
};

interface RunningManager {
  readonly manager: Manager;
  readonly process: PeerProcess;
  readonly health: number;
}

/** Starts upstream Cluster API: kube-apiserver, etcd, kube-controller-manager and the four managers, all on loopback. */
export async function startUpstreamClusterApi(
  options: { readonly durable?: boolean; readonly featureGates?: string } = {},
): Promise<UpstreamClusterApi> {
  const scope = new Scope();
  try {
    const server = await startRealKubeApiserver({ controllerManager: true, durable: options.durable ?? false });
    scope.defer(() => server.stop());
    const folder = mkdtempSync(`${tmpdir()}/upstream-cluster-api-`);
    scope.defer(() => rmSync(folder, { recursive: true, force: true }));
    const running: RunningManager[] = [];
    for (const manager of managers) running.push(await startManager(scope, server, folder, manager, options));
    await Promise.all(
      running.map(({ manager, health, process }) => untilReady(manager.program, health, () => process.log())),
    );
    return {
      server,
      processIds: [...server.processIds, ...running.map(({ process }) => process.pid)],
      log: () => running.map(({ manager, process }) => `${manager.program}:\n${process.log()}`).join('\n'),
      stop: () => scope.dispose(),
    };
  } catch (error) {
    await scope.dispose();
    throw error;
  }
}

/** Starts only upstream's vSphere manager, on a server with the CRDs of Cluster API. */
export async function startUpstreamVSphere(server: RealKubeApiserver): Promise<PeerProcess> {
  const scope = new Scope();
  const folder = mkdtempSync(`${tmpdir()}/upstream-vsphere-`);
  scope.defer(() => rmSync(folder, { recursive: true, force: true }));
  try {
    const { process, health } = await startManager(scope, server, folder, vsphereManager);
    await untilReady(vsphereManager.program, health, () => process.log());
    return { ...process, stop: () => scope.dispose() };
  } catch (error) {
    await scope.dispose();
    throw error;
  }
}

async function startManager(
  scope: Scope,
  server: RealKubeApiserver,
  folder: string,
  manager: Manager,
  options: { readonly featureGates?: string } = {},
): Promise<RunningManager> {
  const authority = new OpensslAuthority(folder, `webhooks-${manager.program}`);
  const caBundle = readFileSync(authority.certificateFile).toString('base64');
  const [port = 0, health = 0] = await freePorts(2);
  const certificates = `${folder}/${manager.program}`;
  mkdirSync(certificates);
  const issued = authority.issue(manager.program, '/CN=127.0.0.1', ['subjectAltName=IP:127.0.0.1']);
  execFileSync('cp', [issued.certificateFile, `${certificates}/tls.crt`]);
  execFileSync('cp', [issued.keyFile, `${certificates}/tls.key`]);
  await install(server, manager, { url: `https://127.0.0.1:${port}`, caBundle });
  const flags = [
    `--kubeconfig=${server.kubeconfigFile}`,
    `--webhook-port=${port}`,
    `--webhook-cert-dir=${certificates}`,
    `--health-addr=127.0.0.1:${health}`,
    '--diagnostics-address=127.0.0.1:0',
    '--insecure-diagnostics=true',
    ...(options.featureGates === undefined ? [] : [`--feature-gates=${options.featureGates}`]),
    ...(manager.flags ?? []),
  ];
  const process = startPeer(peerBinary(manager.program), flags, {
    POD_IP: '127.0.0.1',
    DOCKER_HOST: 'tcp://127.0.0.1:1',
  });
  scope.defer(() => process.stop());
  return { manager, process, health };
}

/** Installs only the CRDs of clusterctl and the stock providers, without controllers, admission and conversion. */
export async function installStockDefinitions(server: RealKubeApiserver): Promise<void> {
  const folders = managers.map((manager) => `${moduleFolder(manager)}/${manager.config}/crd/bases`);
  const clusterctl = managers.slice(0, 1).map((manager) => `${moduleFolder(manager)}/cmd/clusterctl/config/crd/bases`);
  const files = [...folders, ...clusterctl].flatMap((folder) => readdirSync(folder).map((file) => `${folder}/${file}`));
  const definitions = files.flatMap(readManifests);
  for (const { metadata } of definitions) metadata.labels = { ...metadata.labels, ...contractLabels };
  await applyManifests(server, definitions, 'the stock definitions');
}

interface Webhooks {
  readonly url: string;
  readonly caBundle: string;
}

type Manifest = Record<string, unknown> & { readonly kind: string; metadata: { name: string; labels?: object } };

/** Installs the CRDs of a manager with contract labels, and its webhooks with a URL instead of a Service. */
async function install(server: RealKubeApiserver, manager: Manager, webhooks: Webhooks): Promise<void> {
  const folder = `${moduleFolder(manager)}/${manager.config}`;
  const definitions = readdirSync(`${folder}/crd/bases`).flatMap((file) =>
    readManifests(`${folder}/crd/bases/${file}`),
  );
  for (const definition of definitions) describeDefinition(definition, webhooks);
  const webhookFolder =
    manager.webhooks === undefined ? `${folder}/webhook` : `${moduleFolder(manager)}/${manager.webhooks}`;
  const configurations = readManifests(`${webhookFolder}/manifests.yaml`);
  for (const configuration of configurations) {
    configuration.metadata.name = `${manager.program}-${configuration.metadata.name}`;
    for (const webhook of configuration['webhooks'] as { clientConfig: ClientConfig }[]) {
      const path = webhook.clientConfig.service?.path ?? '';
      webhook.clientConfig = { url: `${webhooks.url}${path}`, caBundle: webhooks.caBundle };
    }
  }
  await applyManifests(server, [...definitions, ...configurations], manager.program);
}

async function applyManifests(
  server: RealKubeApiserver,
  manifests: readonly Manifest[],
  subject: string,
): Promise<void> {
  const input = manifests.map((each) => JSON.stringify(each)).join('\n---\n');
  const args = ['--kubeconfig', server.kubeconfigFile, 'apply', '--server-side', '-f', '-'];
  const { code, stderr } = await runCommand(peerBinary('kubectl'), args, { input });
  if (code !== 0) throw new Error(`installing ${subject}: ${stderr}`);
  await untilServed(server, manifests.filter(isDefinition), subject);
}

interface Definition extends Manifest {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly plural: string };
    readonly versions: readonly { readonly name: string; readonly served: boolean }[];
  };
}

function isDefinition(manifest: Manifest): manifest is Definition {
  return manifest.kind === 'CustomResourceDefinition';
}

/** Waits until applied CRDs are served: a manager that starts earlier exits. */
async function untilServed(
  server: RealKubeApiserver,
  definitions: readonly Definition[],
  subject: string,
): Promise<void> {
  const expected = definitions.flatMap(({ spec }) =>
    spec.versions.filter(({ served }) => served).map(({ name }) => `${spec.group}/${name} ${spec.names.plural}`),
  );
  const deadline = Date.now() + readyPatienceMs;
  for (let missing = expected; missing.length > 0; ) {
    if (Date.now() > deadline) throw new Error(`installing ${subject}: ${missing.join(', ')} are not served`);
    const served = await servedBy(server, new Set(missing.map((each) => each.slice(0, each.indexOf(' ')))));
    missing = missing.filter((each) => !served.has(each));
  }
}

async function servedBy(server: RealKubeApiserver, versions: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const served = new Set<string>();
  for (const version of versions) {
    const args = ['--kubeconfig', server.kubeconfigFile, 'get', '--raw', `/apis/${version}`];
    const { code, stdout } = await runCommand(peerBinary('kubectl'), args);
    if (code !== 0) continue;
    const { resources } = JSON.parse(stdout) as { readonly resources: readonly { readonly name: string }[] };
    for (const { name } of resources) served.add(`${version} ${name}`);
  }
  return served;
}

interface ClientConfig {
  service?: { readonly path: string };
  url?: string;
  caBundle?: string;
}

const contractLabels = { 'cluster.x-k8s.io/v1beta1': 'v1beta1', 'cluster.x-k8s.io/v1beta2': 'v1beta2' };

function describeDefinition(definition: Manifest, { url, caBundle }: Webhooks): void {
  definition.metadata.labels = { ...definition.metadata.labels, ...contractLabels };
  const spec = definition['spec'] as { conversion?: object; versions: readonly unknown[] };
  const clientConfig = { url: `${url}/convert`, caBundle };
  if (spec.versions.length > 1)
    spec.conversion = { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } };
}

function readManifests(file: string): Manifest[] {
  return parseAllDocuments(readFileSync(file, 'utf8'))
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest): manifest is Manifest => manifest !== null);
}

function moduleFolder({ wrapper, module }: Manager): string {
  const cwd = fileURLToPath(new URL(`../peers/${wrapper}`, import.meta.url));
  const env = { ...process.env, GOFLAGS: '-mod=mod' };
  return execFileSync('go', ['list', '-m', '-f', '{{.Dir}}', module], { cwd, env, encoding: 'utf8' }).trim();
}

const readyPatienceMs = 180_000;
const readyPauseMs = 200;

async function untilReady(program: string, port: number, log: () => string): Promise<void> {
  const deadline = Date.now() + readyPatienceMs;
  while (!(await answers(port))) {
    if (Date.now() > deadline) throw new Error(`${program} is not ready:\n${log()}`);
    await new Promise((resolve) => setTimeout(resolve, readyPauseMs));
  }
}

async function answers(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
  } catch {
    return false;
  }
}
