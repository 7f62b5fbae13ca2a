import { type KubeObject, StatusError } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import type { AdmissionRequest, Operation } from '../../contract/index.js';
import { createCertificateAdmission, signers } from './index.js';
import {
  approvedStatus as approved,
  nodeTemplate as node,
  signingRequestObject as csr,
} from './signing-request-fixture.js';

describe('admission of CertificateSigningRequests', () => {
  const plugins = createCertificateAdmission({
    authorize: ({ user, verb, resource }) => ({
      allowed: user.groups.includes(`${verb} ${resource?.name ?? ''}`),
      reason: '',
    }),
  });

  async function admit(
    operation: Operation,
    subresource: string,
    object: KubeObject,
    old: KubeObject | undefined,
    ...rights: string[]
  ): Promise<string> {
    const request: AdmissionRequest = {
      operation,
      user: { username: 'u', groups: rights },
      kind: { group: 'certificates.k8s.io', version: 'v1', kind: 'CertificateSigningRequest' },
      resource: { group: 'certificates.k8s.io', version: 'v1', resource: 'certificatesigningrequests' },
      subresource,
      namespace: '',
      name: object.metadata.name ?? '',
      object,
      oldObject: old,
      dryRun: false,
      options: {},
      warn: () => undefined,
      signal: new AbortController().signal,
    };
    try {
      for (const plugin of plugins) if (plugin.handles(request)) await plugin.validate?.(request);
      return '';
    } catch (error) {
      if (error instanceof StatusError) return `${error.code} ${error.message}`;
      throw error;
    }
  }
  const head = '403 certificatesigningrequests.certificates.k8s.io "csr-1" is forbidden: ';

  it('requires the verb approve on the signer, or on its domain, for approval', async () => {
    const object = await csr(node);
    expect(await admit('UPDATE', 'approval', object, object)).toBe(
      `${head}user not permitted to approve requests with signerName "${signers.kubeletClient}"`,
    );
    expect(await admit('UPDATE', 'approval', object, object, `approve ${signers.kubeletClient}`)).toBe('');
    expect(await admit('UPDATE', 'approval', object, object, 'approve kubernetes.io/*')).toBe('');
    expect(await admit('UPDATE', 'approval', object, object, `sign ${signers.kubeletClient}`)).toMatch(/^403/);
  });

  it('requires the verb sign when the certificate or a condition changes', async () => {
    const old = await csr(node, {}, approved);
    const same = structuredClone(old);
    const signed: KubeObject = { ...structuredClone(old), status: { ...approved, certificate: 'eA==' } };
    expect(await admit('UPDATE', 'status', same, old)).toBe('');
    expect(await admit('UPDATE', 'status', signed, old)).toBe(
      `${head}user not permitted to sign requests with signerName "${signers.kubeletClient}"`,
    );
    expect(await admit('UPDATE', 'status', signed, old, `sign ${signers.kubeletClient}`)).toBe('');
  });

  it('rejects requests for system:masters from the client signer', async () => {
    const masters = { subject: { commonName: 'x', organizations: ['system:masters'] } };
    expect(await admit('CREATE', '', await csr(masters, { signerName: signers.client }), undefined)).toBe(
      `${head}use of kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed`,
    );
    expect(await admit('CREATE', '', await csr(masters, { signerName: 'example.com/x' }), undefined)).toBe('');
    expect(await admit('CREATE', '', await csr(node, { signerName: signers.client }), undefined)).toBe('');
    expect(await admit('CREATE', '', await csr(node, { signerName: signers.client, request: '' }), undefined)).toBe(
      `${head}failed to parse CSR: PEM block type must be CERTIFICATE REQUEST`,
    );
  });
});
