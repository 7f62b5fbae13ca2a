import { createSigningRequest } from '@slipway/base';
import {
  annotations,
  clusterOfMachinesWatch,
  flagAt,
  type Machine,
  machineOwnersOf,
  machineWatch,
  textAt,
  whatIsMissing,
} from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import {
  type CertificateSigningRequest,
  certificateSigningRequests,
  type Client,
  type Controller,
  type ControllerContext,
  type ControllerSet,
  createController,
  done,
  ifPresent,
  isDeleting,
  type Node,
  nodes,
  type ObjectKey,
  openReconcile,
  type Outcome,
  type ReconcileContext,
  releaseFinalizer,
  type Resource,
  secrets,
  wait,
  watch,
} from '@slipway/runtime';
import { nodeBootstrapper, signers } from '../../approver/names.js';
import { infrastructureGroup, namespaces } from '../names.js';
import { type Platform, platformKinds } from '../platforms/index.js';
import { sampleOf } from './seed.js';

export interface StandInOptions {
  readonly platform: Platform;
  /** A client that the server takes for somebody else: what runs on a machine acts as a machine. */
  readonly clientAs: (user: { readonly username: string; readonly groups: readonly string[] }) => Client;
}

const machineAnnotation = 'slipway.dev/stand-in-machine';
const domain = 'demo.example.com';

/** Plays the infrastructure provider: machines are switched on by a note, and their kubelets ask and join as real ones do. */
export function createStandInProvider(options: StandInOptions): ControllerSet {
  const { provider } = options.platform;
  const machine = `standin${provider}machine`;
  const cluster = `standin${provider}cluster`;
  return {
    name: `standin${provider}`,
    controllers: [
      { name: cluster, create: () => createClusterController(cluster, options.platform) },
      { name: machine, create: (context) => createMachineController(machine, options, context) },
    ],
  };
}

function resourceOfKind({ version }: Platform, kind: string): Resource {
  return { group: infrastructureGroup, version, kind, plural: `${kind.toLowerCase()}s`, namespaced: true };
}

/** An InfraCluster that nobody else manages is the provider's to call ready. */
function createClusterController(name: string, platform: Platform): Controller {
  const resource = resourceOfKind(platform, platformKinds(platform).cluster);
  return createController({
    name,
    for: resource,
    async reconcile(key, { client, sources, signal }) {
      const cluster = sources.sourceFor(resource).get(key);
      if (cluster === undefined || Object.hasOwn(cluster.metadata.annotations ?? {}, annotations.managedBy))
        return done();
      if (flagAt(cluster, 'status', 'ready')) return done();
      const patch = { status: { ready: true } };
      await client.patch(resource, key, { type: 'merge', patch }, { subresource: 'status', signal });
      return done();
    },
  });
}

function createMachineController(name: string, options: StandInOptions, context: ControllerContext): Controller {
  const { platform } = options;
  const resource = resourceOfKind(platform, platformKinds(platform).machine);
  return createController({
    name,
    for: resource,
    concurrency: 4,
    watches: [
      machineWatch(resource),
      clusterOfMachinesWatch(context.sources, resource),
      watch(certificateSigningRequests, { map: ({ metadata }) => keysOf(metadata.annotations?.[machineAnnotation]) }),
      watch(nodes, { map: ({ metadata }) => keysOf(metadata.annotations?.[machineAnnotation]) }),
    ],
    reconcile: (key, run) => reconcile({ ...options, resource, keys: context.keys }, key, run),
  });
}

function keysOf(machine: string | undefined): readonly ObjectKey[] {
  return machine === undefined ? [] : [{ namespace: namespaces.clusterApi, name: machine }];
}

interface StandIn extends StandInOptions {
  readonly resource: Resource;
  readonly keys: ControllerContext['keys'];
}

async function reconcile(standIn: StandIn, key: ObjectKey, context: ReconcileContext): Promise<Outcome> {
  const { client, sources, signal } = context;
  const { resource } = standIn;
  const finalizer = `${resource.kind.toLowerCase()}.${infrastructureGroup}`;
  const infraMachine = sources.sourceFor(resource).get(key);
  if (infraMachine === undefined) return done();
  if (isDeleting(infraMachine)) {
    // As the cloud controller manager does when a machine is gone: Cluster API leaves Nodes alone where no control plane
    // machine is its own.
    await ifPresent(client.delete(nodes, { namespace: '', name: nodeNameOf(key.name) }, { signal }));
    await releaseFinalizer(client, resource, infraMachine, finalizer, context);
    return done();
  }
  const owners = machineOwnersOf(sources, infraMachine);
  const { machine, cluster } = owners;
  if (machine === undefined || cluster === undefined)
    return wait({ reason: 'WaitingForOwner', message: 'no Machine owns it yet' });
  if (!(await openReconcile(context, resource, infraMachine, { finalizer, cluster }))) return done();
  const missing = whatIsMissing(owners) ?? (await whatIsWrongWithUserData(client, machine, signal));
  if (missing !== undefined) return wait(missing);
  if (textAt(infraMachine, 'spec', 'providerID') === undefined) {
    await switchOn(standIn, key, client);
    return done();
  }
  return join(standIn, key, context);
}

/** Machines of OpenShift start from a pointer that Ignition follows: the Secret has to be the one that was synced. */
async function whatIsWrongWithUserData(client: Client, machine: Frozen<Machine>, signal: AbortSignal) {
  const name = machine.spec.bootstrap.dataSecretName ?? '';
  const { data = {} } = await client.get(secrets, { namespace: machine.metadata.namespace ?? '', name }, { signal });
  const text = (field: string): string => Buffer.from(data[field] ?? '', 'base64').toString('utf8');
  if (text('format') === 'ignition' && text('value').includes('"ignition"')) return undefined;
  return { reason: 'InvalidBootstrapData', message: `Secret ${name} is no Ignition configuration` };
}

async function switchOn({ platform, resource }: StandIn, key: ObjectKey, client: Client): Promise<void> {
  const providerID = sampleOf(platform).providerId(key.name);
  await client.patch(resource, key, { type: 'merge', patch: { spec: { providerID } } });
  const status = { ready: true, addresses: addressesOf(key.name) };
  await client.patch(resource, key, { type: 'merge', patch: { status } }, { subresource: 'status' });
}

function nodeNameOf(machine: string): string {
  return `${machine}.${domain}`;
}

/** From the name, so that it is the same after a restart. */
function addressesOf(machine: string): { type: string; address: string }[] {
  const sum = Buffer.from(machine).reduce((left, byte) => (left * 31 + byte) % 65_000, 7);
  return [
    { type: 'InternalIP', address: `10.1.${Math.floor(sum / 254)}.${(sum % 254) + 1}` },
    { type: 'InternalDNS', address: nodeNameOf(machine) },
    { type: 'Hostname', address: nodeNameOf(machine) },
  ];
}

/** What its kubelet does: it asks for a client certificate, comes as a Node, and asks for a serving certificate. */
async function join(standIn: StandIn, key: ObjectKey, { client, sources }: ReconcileContext): Promise<Outcome> {
  const nodeName = nodeNameOf(key.name);
  const requests = sources.sourceFor(certificateSigningRequests);
  const clientRequest = requests.get({ namespace: '', name: `csr-client-${key.name}` });
  if (sources.sourceFor(nodes).get({ namespace: '', name: nodeName }) === undefined) {
    if (clientRequest === undefined) await ask(standIn, 'client', key.name);
    if (clientRequest?.status?.certificate === undefined)
      return wait({ reason: 'WaitingForCertificate', message: 'the kubelet waits for its client certificate' });
    await client.create(nodes, newNode(standIn, key.name));
    return done();
  }
  if (requests.get({ namespace: '', name: `csr-serving-${key.name}` }) === undefined)
    await ask(standIn, 'serving', key.name);
  return done();
}

async function ask(standIn: StandIn, purpose: 'client' | 'serving', machine: string): Promise<void> {
  const nodeName = nodeNameOf(machine);
  const user = `system:node:${nodeName}`;
  const isClient = purpose === 'client';
  const key = await standIn.keys.next('ECDSA');
  const ips = addressesOf(machine).filter(({ type }) => type === 'InternalIP');
  const names = isClient ? {} : { dnsNames: [nodeName], ipAddresses: ips.map(({ address }) => address) };
  const subject = { commonName: user, organizations: ['system:nodes'] };
  const pem = await createSigningRequest({ subject, ...names }, key);
  const request: CertificateSigningRequest = {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: `csr-${purpose}-${machine}`, annotations: { [machineAnnotation]: machine } },
    spec: {
      request: Buffer.from(pem).toString('base64'),
      signerName: isClient ? signers.kubeletClient : signers.kubeletServing,
      usages: ['digital signature', isClient ? 'client auth' : 'server auth'],
    },
  };
  const kubelet = isClient ? nodeBootstrapper : { username: user, groups: ['system:nodes', 'system:authenticated'] };
  await standIn.clientAs(kubelet).create(certificateSigningRequests, request);
}

function newNode({ platform }: StandIn, machine: string): Node {
  const condition = (type: string, status: string, reason: string) => ({ type, status, reason, message: reason });
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: nodeNameOf(machine),
      labels: { 'node-role.kubernetes.io/worker': '' },
      annotations: { [machineAnnotation]: machine },
    },
    spec: { providerID: sampleOf(platform).providerId(machine) },
    status: {
      addresses: addressesOf(machine),
      conditions: [
        condition('Ready', 'True', 'KubeletReady'),
        condition('MemoryPressure', 'False', 'KubeletHasSufficientMemory'),
        condition('DiskPressure', 'False', 'KubeletHasNoDiskPressure'),
        condition('PIDPressure', 'False', 'KubeletHasSufficientPID'),
      ],
    },
  };
}
