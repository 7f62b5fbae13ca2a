import { nodeBootstrapper, signers } from '@slipway/openshift';
import { createSigningRequest } from '@slipway/pki';
import {
  type CertificateSigningRequest,
  certificateSigningRequests,
  type ControllerContext,
  done,
  type Node,
  nodes,
  type Outcome,
  type ReconcileContext,
  type RemoteCluster,
  wait,
} from '@slipway/runtime';

/** Annotation on objects that a simulated kubelet creates. Its value is the name of the kubelet's machine. */
export const machineAnnotation = 'slipway.dev/simulated-machine';
const domain = 'demo.example.com';

export interface SimulatedKubelet {
  readonly machine: string;
  readonly providerId: string;
  readonly keys: ControllerContext['keys'];
  /** Returns a client of the same cluster that acts as another user: a kubelet authenticates as its Node. */
  readonly clusterAs: (user: { readonly username: string; readonly groups: readonly string[] }) => RemoteCluster;
}

export function nodeNameOf(machine: string): string {
  return `${machine}.${domain}`;
}

/** Returns the addresses of a machine. They are derived from its name, so that they are the same after a restart. */
export function addressesOf(machine: string): { type: string; address: string }[] {
  const sum = Buffer.from(machine).reduce((left, byte) => (left * 31 + byte) % 65_000, 7);
  return [
    { type: 'InternalIP', address: `10.1.${Math.floor(sum / 254)}.${(sum % 254) + 1}` },
    { type: 'InternalDNS', address: nodeNameOf(machine) },
    { type: 'Hostname', address: nodeNameOf(machine) },
  ];
}

/** Simulates a kubelet: requests a client certificate, registers a Node, and requests a serving certificate. */
export async function joinAsNode(kubelet: SimulatedKubelet, context: ReconcileContext): Promise<Outcome> {
  const { sources } = context;
  const { machine } = kubelet;
  const nodeName = nodeNameOf(machine);
  const requests = sources.sourceFor(certificateSigningRequests);
  const clientRequest = requests.get({ namespace: '', name: `csr-client-${machine}` });
  if (sources.sourceFor(nodes).get({ namespace: '', name: nodeName }) === undefined) {
    if (clientRequest === undefined) await requestCertificate(kubelet, 'client', context);
    if (clientRequest?.status?.certificate === undefined)
      return wait({ reason: 'WaitingForCertificate', message: 'Waiting for the client certificate of the kubelet' });
    await context.change({
      verb: 'create',
      resource: nodes,
      object: newNode(kubelet),
      reason: 'KubeletStarted',
      message: `Registered Node ${nodeName} of the simulated machine ${machine}`,
    });
    return done();
  }
  if (requests.get({ namespace: '', name: `csr-serving-${machine}` }) === undefined)
    await requestCertificate(kubelet, 'serving', context);
  return done();
}

async function requestCertificate(
  { machine, keys, clusterAs }: SimulatedKubelet,
  purpose: 'client' | 'serving',
  context: ReconcileContext,
): Promise<void> {
  const nodeName = nodeNameOf(machine);
  const username = `system:node:${nodeName}`;
  const isClient = purpose === 'client';
  const key = await keys.next('ECDSA');
  const ips = addressesOf(machine).filter(({ type }) => type === 'InternalIP');
  const names = isClient ? {} : { dnsNames: [nodeName], ipAddresses: ips.map(({ address }) => address) };
  const subject = { commonName: username, organizations: ['system:nodes'] };
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
  const user = isClient ? nodeBootstrapper : { username, groups: ['system:nodes', 'system:authenticated'] };
  await context.change({
    verb: 'create',
    on: clusterAs(user),
    resource: certificateSigningRequests,
    object: request,
    reason: 'KubeletStarted',
    message: `Requested a ${purpose} certificate for the simulated kubelet of ${nodeName}`,
  });
}

function newNode({ machine, providerId }: SimulatedKubelet): Node {
  const condition = (type: string, status: string, reason: string) => ({ type, status, reason, message: reason });
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: nodeNameOf(machine),
      labels: { 'node-role.kubernetes.io/worker': '' },
      annotations: { [machineAnnotation]: machine },
    },
    spec: { providerID: providerId },
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

/**
 * Deletes the Node, as the cloud controller manager does. Cluster API does not delete it, because here it does not manage the
 * control plane machines.
 */
export async function leaveAsNode(machine: string, context: ReconcileContext): Promise<void> {
  const key = { namespace: '', name: nodeNameOf(machine) };
  const message = `Deleted Node ${key.name}: its machine is being deleted`;
  await context.change({ verb: 'delete', resource: nodes, key, reason: 'MachineDeleted', message });
}
