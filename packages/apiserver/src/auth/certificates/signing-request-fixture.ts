import type { KubeObject } from '@slipway/kube';
import { createSigningRequest, generatePrivateKey, type KeyUsage, type SigningRequestTemplate } from '@slipway/pki';
import { signers } from './signing-request-object.js';

/** The private key of the tests in this directory. */
export const fixtureKey = await generatePrivateKey('ECDSA');
export const nodeTemplate: SigningRequestTemplate = {
  subject: { commonName: 'system:node:n1', organizations: ['system:nodes'] },
};
export const approvedStatus = { conditions: [{ type: 'Approved', status: 'True' }] };
const clientUsages: readonly KeyUsage[] = ['digital signature', 'key encipherment', 'client auth'];

/** Returns a CertificateSigningRequest object, by default for the kubelet client signer. */
export async function signingRequestObject(
  template: SigningRequestTemplate,
  spec: object = {},
  status?: object,
): Promise<KubeObject> {
  const request = Buffer.from(await createSigningRequest(template, fixtureKey)).toString('base64');
  return {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: 'csr-1' },
    spec: { request, signerName: signers.kubeletClient, usages: clientUsages, ...spec },
    ...(status === undefined ? {} : { status }),
  };
}
