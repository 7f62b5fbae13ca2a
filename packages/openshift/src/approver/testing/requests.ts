import { formatTime } from '@slipway/kube';
import { createSigningRequest, generatePrivateKey, type SigningRequestTemplate } from '@slipway/pki';
import type { CertificateSigningRequest } from '@slipway/runtime';
import type { ApproverMachine } from '../approver-machine.js';
import { nodeBootstrapper, signers } from '../names.js';

/** Fixtures of the approver tests: one node, one Machine and one valid request. */
export const nodeName = 'worker-1.example.com';
export const machineMadeMs = 1_700_000_000_000;
export const requestMadeMs = machineMadeMs + 60_000;
const ecdsaKey = await generatePrivateKey('ECDSA');

export const clientTemplate: SigningRequestTemplate = {
  subject: { commonName: `system:node:${nodeName}`, organizations: ['system:nodes'] },
};
export const servingTemplate: SigningRequestTemplate = {
  ...clientTemplate,
  dnsNames: [nodeName, 'worker-1'],
  ipAddresses: ['10.0.0.11', 'fd00::b'],
};

export const machine: ApproverMachine = {
  group: 'cluster.x-k8s.io',
  namespace: 'openshift-cluster-api',
  name: 'worker-1',
  createdMs: machineMadeMs,
  nodeName: undefined,
  addresses: [
    { type: 'InternalDNS', address: nodeName },
    { type: 'Hostname', address: 'worker-1' },
    { type: 'ExternalDNS', address: 'worker-1.public.example.com' },
    { type: 'InternalIP', address: '10.0.0.11' },
    { type: 'InternalIP', address: 'fd00::b' },
    { type: 'ExternalIP', address: '203.0.113.11' },
  ],
};
export const joinedMachine: ApproverMachine = { ...machine, nodeName };

export interface RequestOptions {
  readonly template?: SigningRequestTemplate;
  readonly key?: typeof ecdsaKey;
  /** Replaces the encoded request. */
  readonly encoded?: (pem: string) => string;
  readonly spec?: Partial<CertificateSigningRequest['spec']>;
  readonly createdMs?: number;
  readonly status?: CertificateSigningRequest['status'];
}

export function clientRequest(options: RequestOptions = {}): Promise<CertificateSigningRequest> {
  return requestObject(clientTemplate, options, {
    signerName: signers.kubeletClient,
    usages: ['digital signature', 'key encipherment', 'client auth'],
    username: nodeBootstrapper.username,
    groups: [...nodeBootstrapper.groups],
  });
}

export function servingRequest(options: RequestOptions = {}): Promise<CertificateSigningRequest> {
  return requestObject(servingTemplate, options, {
    signerName: signers.kubeletServing,
    usages: ['digital signature', 'key encipherment', 'server auth'],
    username: `system:node:${nodeName}`,
    groups: ['system:nodes', 'system:authenticated'],
  });
}

async function requestObject(
  base: SigningRequestTemplate,
  options: RequestOptions,
  spec: Omit<CertificateSigningRequest['spec'], 'request'>,
): Promise<CertificateSigningRequest> {
  const pem = await createSigningRequest(options.template ?? base, options.key ?? ecdsaKey);
  const request = Buffer.from((options.encoded ?? ((text: string) => text))(pem)).toString('base64');
  return {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: 'csr-1', creationTimestamp: formatTime(options.createdMs ?? requestMadeMs) },
    spec: { request, ...spec, ...options.spec },
    ...(options.status === undefined ? {} : { status: options.status }),
  };
}
