import {
  CertificateVerifier,
  createAuthority,
  createSigningRequest,
  generatePrivateKey,
  type KeyUsage,
  parseCertificates,
  type SigningRequestTemplate,
  systemRandom,
  VirtualClock,
} from '@slipway/base';
import { type Frozen, type KubeObject, StatusError } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import type { AdmissionRequest, Operation } from '../../admission/index.js';
import type { WriteContext } from '../../registry/index.js';
import type { Authorizer } from '../authorizer.js';
import type { UserInfo } from '../user.js';
import {
  createCertificateAdmission,
  createSigningRequestStrategies,
  decideAutoApproval,
  readSigningRequestObject,
  signApproved,
  signerProblem,
  signers,
} from './index.js';
import { isParsed, parseRequest } from './signing-request-object.js';

const start = Date.UTC(2026, 5, 1);
const clock = new VirtualClock(start);
const world = { clock, random: systemRandom };
const key = await generatePrivateKey('ECDSA');
const authority = await createAuthority(world, { commonName: 'kubernetes', key });
const node: SigningRequestTemplate = { subject: { commonName: 'system:node:n1', organizations: ['system:nodes'] } };
const clientUsages: KeyUsage[] = ['digital signature', 'key encipherment', 'client auth'];
const dayMs = 86_400_000;
const bootstrapper: UserInfo = { username: 'system:bootstrap:abcdef', groups: ['system:bootstrappers'] };

async function csr(template: SigningRequestTemplate, spec: object = {}, status?: object): Promise<KubeObject> {
  const request = Buffer.from(await createSigningRequest(template, key)).toString('base64');
  return {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: 'csr-1' },
    spec: { request, signerName: signers.kubeletClient, usages: clientUsages, ...spec },
    ...(status === undefined ? {} : { status }),
  };
}

const approved = { conditions: [{ type: 'Approved', status: 'True' }] };

function context(user: UserInfo = bootstrapper, subresource = ''): WriteContext {
  return { user, now: start, dryRun: false, subresource, warn: () => undefined };
}

describe('built-in signers', () => {
  const serving = { ...node, dnsNames: ['n1'] };
  const servingUsages = ['digital signature', 'server auth'];

  it.each<[string, SigningRequestTemplate, object, string | undefined]>([
    ['a kubelet client', node, {}, undefined],
    ['a kubelet client without encipherment', node, { usages: ['digital signature', 'client auth'] }, undefined],
    [
      'another organization',
      { subject: { commonName: 'system:node:n1', organizations: ['x'] } },
      {},
      'subject organization is not system:nodes',
    ],
    [
      'two organizations',
      { subject: { commonName: 'system:node:n1', organizations: ['system:nodes', 'system:masters'] } },
      {},
      'subject organization is not system:nodes',
    ],
    [
      'another name',
      { subject: { commonName: 'n1', organizations: ['system:nodes'] } },
      {},
      'subject common name does not begin with system:node:',
    ],
    ['a DNS name', { ...node, dnsNames: ['a'] }, {}, 'DNS subjectAltNames are not allowed'],
    ['an address', { ...node, ipAddresses: ['10.0.0.1'] }, {}, 'IP subjectAltNames are not allowed'],
    ['a mail address', { ...node, emailAddresses: ['a@b.c'] }, {}, 'Email subjectAltNames are not allowed'],
    ['a URI', { ...node, uris: ['https://a'] }, {}, 'URI subjectAltNames are not allowed'],
    [
      'server usage',
      node,
      { usages: servingUsages },
      'usages did not match [client auth digital signature key encipherment]',
    ],
    ['kubelet serving', serving, { signerName: signers.kubeletServing, usages: servingUsages }, undefined],
    [
      'serving without names',
      node,
      { signerName: signers.kubeletServing, usages: servingUsages },
      'DNS or IP subjectAltName is required',
    ],
    [
      'serving with client usage',
      serving,
      { signerName: signers.kubeletServing },
      'usages did not match [digital signature key encipherment server auth]',
    ],
    ['any client', { subject: { commonName: 'jane' } }, { signerName: signers.client }, undefined],
    [
      'a client that serves',
      { subject: { commonName: 'jane' } },
      { signerName: signers.client, usages: ['server auth'] },
      'invalid usage for client certificate: server auth',
    ],
    [
      'a client without the usage',
      { subject: { commonName: 'jane' } },
      { signerName: signers.client, usages: ['digital signature'] },
      'missing required usage for client certificate: client auth',
    ],
    ['legacy takes anything', serving, { signerName: signers.legacyUnknown, usages: ['code signing'] }, undefined],
  ])('%s', async (_name, template, spec, expected) => {
    const object = readSigningRequestObject(await csr(template, spec));
    const request = parseRequest(object);
    expect(isParsed(request) ? signerProblem(object, request) : request.problem).toBe(expected);
  });

  it('sign what is approved, for the time that was asked for', async () => {
    const object = readSigningRequestObject(await csr(node, { expirationSeconds: 3600 }, approved));
    const outcome = await signApproved(world, authority, object, { validityMsMax: 365 * dayMs });
    expect(outcome.kind).toBe('signed');
    const [certificate] = parseCertificates(outcome.kind === 'signed' ? outcome.certificatePem : '');
    expect(certificate?.subject).toEqual({ commonName: 'system:node:n1', organizations: ['system:nodes'] });
    expect(certificate?.extendedKeyUsages).toEqual(['client auth']);
    expect(certificate?.notBefore).toBe(start - 300_000);
    expect(certificate?.notAfter).toBe(start + 3_600_000);
    expect(
      new CertificateVerifier([authority.certificate]).verify(certificate?.der ?? new Uint8Array(), start).ok,
    ).toBe(true);
  });

  it('cut long lives to theirs, back-dating included', async () => {
    const object = readSigningRequestObject(await csr(node, { expirationSeconds: 999_999_999 }, approved));
    const outcome = await signApproved(world, authority, object, { validityMsMax: dayMs });
    const [certificate] = parseCertificates(outcome.kind === 'signed' ? outcome.certificatePem : '');
    expect((certificate?.notAfter ?? 0) - (certificate?.notBefore ?? 0)).toBe(dayMs);
  });

  it('leave alone what is pending, denied, failed, signed or not theirs, and mark what they must not sign', async () => {
    const sign = async (spec: object, status?: object, template = node): Promise<unknown> =>
      signApproved(world, authority, readSigningRequestObject(await csr(template, spec, status)), {
        validityMsMax: dayMs,
      });
    const none = { kind: 'none' };
    expect(await sign({})).toEqual(none);
    expect(await sign({}, { conditions: [{ type: 'Denied', status: 'True' }] })).toEqual(none);
    expect(await sign({}, { conditions: [...approved.conditions, { type: 'Failed', status: 'True' }] })).toEqual(none);
    expect(await sign({}, { ...approved, certificate: 'eA==' })).toEqual(none);
    expect(await sign({ signerName: 'example.com/x' }, approved)).toEqual(none);
    expect(await sign({}, approved, { ...node, dnsNames: ['a'] })).toEqual({
      kind: 'failed',
      reason: 'SignerValidationFailure',
      message: 'DNS subjectAltNames are not allowed',
    });
    expect(await sign({ request: 'bm90aGluZw==' }, approved)).toMatchObject({ kind: 'failed' });
  });
});

describe('automatic approval', () => {
  const allowing = (...subresources: string[]): Authorizer => ({
    authorize: ({ resource }) => ({ allowed: subresources.includes(resource?.subresource ?? ''), reason: '' }),
  });
  const decide = async (authorizer: Authorizer, spec: object, template = node, status?: object): Promise<unknown> =>
    decideAutoApproval(authorizer, readSigningRequestObject(await csr(template, { username: 'u', ...spec }, status)));

  it.each<[string, Authorizer, object, string]>([
    [
      'who may create node clients',
      allowing('nodeclient'),
      {},
      'Auto approving kubelet client certificate after SubjectAccessReview.',
    ],
    [
      'a node for itself',
      allowing('selfnodeclient'),
      { username: 'system:node:n1' },
      'Auto approving self kubelet client certificate after SubjectAccessReview.',
    ],
    [
      'a node that may create any',
      allowing('nodeclient'),
      { username: 'system:node:n1' },
      'Auto approving kubelet client certificate after SubjectAccessReview.',
    ],
  ])('of %s', async (_name, authorizer, spec, message) => {
    expect(await decide(authorizer, spec)).toEqual({ kind: 'approve', reason: 'AutoApproved', message });
  });

  it('never of another node, of other signers, or of what is decided', async () => {
    expect(await decide(allowing('selfnodeclient'), { username: 'system:node:n2' })).toEqual({
      kind: 'unauthorized',
      tried: ['nodeclient'],
    });
    expect(await decide(allowing(), { username: 'system:node:n1' })).toEqual({
      kind: 'unauthorized',
      tried: ['selfnodeclient', 'nodeclient'],
    });
    const all = allowing('selfnodeclient', 'nodeclient');
    expect(await decide(all, { signerName: signers.kubeletServing })).toEqual({ kind: 'none' });
    expect(await decide(all, {}, { ...node, dnsNames: ['a'] })).toEqual({ kind: 'none' });
    expect(await decide(all, {}, node, { conditions: [{ type: 'Denied', status: 'True' }] })).toEqual({ kind: 'none' });
  });
});

describe('writing a signing request', () => {
  const strategies = createSigningRequestStrategies();
  const texts = (errors: readonly { field: string; message: string }[] | undefined): string[] =>
    (errors ?? []).map((error) => `${error.field}: ${error.message}`);

  it('username/uid/groups/extra of spec are set by the server from the requester', async () => {
    const object = await csr(
      node,
      { username: 'system:admin', groups: ['system:masters'], uid: 'x', extra: { a: ['b'] } },
      approved,
    );
    await strategies.main.prepareForCreate?.(object, context({ ...bootstrapper, extra: { k: ['v'] } }));
    expect(object['spec']).toMatchObject({
      username: 'system:bootstrap:abcdef',
      groups: ['system:bootstrappers'],
      extra: { k: ['v'] },
    });
    expect(object['spec']).not.toHaveProperty('uid');
    expect(object['status']).toEqual({});
    expect(strategies.main.validateCreate?.(object, context())).toEqual([]);
  });

  it('spec is immutable, and the main endpoint does not touch status', async () => {
    const old = await csr(node, {}, approved);
    const next = await csr({ subject: { commonName: 'x' } }, { signerName: 'a.b/c' }, { conditions: [] });
    await strategies.main.prepareForUpdate?.(next, old, context());
    expect(next['spec']).toBe(old['spec']);
    expect(next['status']).toBe(old['status']);
  });

  it.each<[string, object, string]>([
    ['no PEM', { request: 'eA==' }, 'spec.request: Invalid value: "eA==": PEM block type must be CERTIFICATE REQUEST'],
    ['no usages', { usages: [] }, 'spec.usages: Required value'],
    ['a usage twice', { usages: ['client auth', 'client auth'] }, 'spec.usages[1]: Duplicate value: "client auth"'],
    [
      'a short life',
      { expirationSeconds: 599 },
      'spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 600 seconds (10 minutes)',
    ],
    ['no signer', { signerName: '' }, 'spec.signerName: Required value'],
    [
      'the legacy signer',
      { signerName: signers.legacyUnknown },
      'spec.signerName: Invalid value: "kubernetes.io/legacy-unknown": the legacy signerName is not allowed via this API version',
    ],
    [
      'a signer without path',
      { signerName: 'example.com' },
      'spec.signerName: Invalid value: "example.com": must be a fully qualified domain and path of the form \'example.com/signer-name\'',
    ],
    [
      'a signer without domain',
      { signerName: 'example/x' },
      'spec.signerName: Invalid value: "example": should be a domain with at least two segments separated by dots',
    ],
  ])('%s is refused', async (_name, spec, expected) => {
    expect(texts(strategies.main.validateCreate?.(await csr(node, spec), context()))).toEqual([expected]);
  });

  it('an unknown usage is refused with the known ones listed', async () => {
    const [error] = texts(strategies.main.validateCreate?.(await csr(node, { usages: ['tea'] }), context()));
    expect(error).toMatch(
      /^spec\.usages\[0\]: Unsupported value: "tea": supported values: "any", "cert sign", "client auth"/,
    );
  });

  async function update(kind: 'approval' | 'status', before: object | undefined, after: object): Promise<string[]> {
    const old = (await csr(node, {}, before)) as Frozen<KubeObject>;
    const next: KubeObject = { ...structuredClone(old as KubeObject), status: structuredClone(after) };
    await strategies[kind].prepareForUpdate?.(next, old, context(bootstrapper, kind));
    return texts(strategies[kind].validateUpdate?.(next, old, context(bootstrapper, kind)));
  }
  const condition = (type: string, status = 'True', extra: object = {}): object => ({
    conditions: [{ type, status, ...extra }],
  });

  it('approval adds Approved or Denied, with times, and keeps the rest of the status', async () => {
    const old = await csr(node, {}, { certificate: 'eA==' });
    const next: KubeObject = { ...structuredClone(old), status: condition('Approved'), spec: {} };
    await strategies.approval.prepareForUpdate?.(next, old, context());
    expect(next['spec']).toBe(old['spec']);
    expect(next['status']).toEqual({
      certificate: 'eA==',
      conditions: [
        {
          type: 'Approved',
          status: 'True',
          lastUpdateTime: '2026-06-01T00:00:00Z',
          lastTransitionTime: '2026-06-01T00:00:00Z',
        },
      ],
    });
  });

  it('Approved and Denied are mutually exclusive and never removable', async () => {
    expect(await update('approval', undefined, condition('Approved'))).toEqual([]);
    const both = {
      conditions: [
        { type: 'Approved', status: 'True' },
        { type: 'Denied', status: 'True' },
      ],
    };
    expect(await update('approval', approved, both)).toEqual([
      'status.conditions: Invalid value: "Denied": Approved and Denied conditions are mutually exclusive',
    ]);
    expect(await update('approval', approved, condition('Denied'))).toContain(
      'status.conditions: Forbidden: updates may not remove a condition of type "Approved"',
    );
    expect(await update('approval', approved, {})).toEqual([
      'status.conditions: Forbidden: updates may not remove a condition of type "Approved"',
    ]);
    expect(await update('approval', undefined, condition('Approved', 'False'))).toEqual([
      'status.conditions[0].status: Unsupported value: "False": supported values: "True"',
    ]);
    expect(await update('approval', undefined, condition('Approved', ''))).toEqual([
      'status.conditions[0].status: Required value',
    ]);
  });

  it('status sets the certificate once and approves nothing', async () => {
    const outcome = await signApproved(world, authority, readSigningRequestObject(await csr(node, {}, approved)), {
      validityMsMax: dayMs,
    });
    const certificate = Buffer.from(outcome.kind === 'signed' ? outcome.certificatePem : '').toString('base64');
    expect(await update('status', approved, { ...approved, certificate })).toEqual([]);
    expect(await update('status', { ...approved, certificate }, { ...approved, certificate: '' })).toEqual([
      'status.certificate: Forbidden: updates may not modify existing certificate content',
    ]);
    expect(await update('status', approved, { ...approved, certificate: 'eA==' })).toEqual([
      'status.certificate: Invalid value: "<certificate data>": must contain at least one CERTIFICATE PEM block',
    ]);
    expect(await update('status', undefined, condition('Approved'))).toEqual([
      'status.conditions: Forbidden: updates may not add a condition of type "Approved"',
    ]);
    expect(await update('status', approved, condition('Approved', 'True', { reason: 'edited' }))).toEqual([]);
    expect(
      await update('status', approved, { conditions: [...approved.conditions, { type: 'Failed', status: 'True' }] }),
    ).toEqual([]);
  });
});

describe('admission', () => {
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

  it('approving needs the verb approve on the signer, or on its domain', async () => {
    const object = await csr(node);
    expect(await admit('UPDATE', 'approval', object, object)).toBe(
      `${head}user not permitted to approve requests with signerName "${signers.kubeletClient}"`,
    );
    expect(await admit('UPDATE', 'approval', object, object, `approve ${signers.kubeletClient}`)).toBe('');
    expect(await admit('UPDATE', 'approval', object, object, 'approve kubernetes.io/*')).toBe('');
    expect(await admit('UPDATE', 'approval', object, object, `sign ${signers.kubeletClient}`)).toMatch(/^403/);
  });

  it('signing needs the verb sign when the certificate or a condition changes', async () => {
    const old = await csr(node, {}, approved);
    const same = structuredClone(old);
    const signed: KubeObject = { ...structuredClone(old), status: { ...approved, certificate: 'eA==' } };
    expect(await admit('UPDATE', 'status', same, old)).toBe('');
    expect(await admit('UPDATE', 'status', signed, old)).toBe(
      `${head}user not permitted to sign requests with signerName "${signers.kubeletClient}"`,
    );
    expect(await admit('UPDATE', 'status', signed, old, `sign ${signers.kubeletClient}`)).toBe('');
  });

  it('nobody gets system:masters through the client signer', async () => {
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
