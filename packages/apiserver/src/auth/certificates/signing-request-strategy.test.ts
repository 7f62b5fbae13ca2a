import { systemRandom, VirtualClock } from '@slipway/base';
import type { Frozen, KubeObject } from '@slipway/kube';
import { createCa } from '@slipway/pki';
import { describe, expect, it } from 'vitest';
import type { UserInfo, WriteContext } from '../../contract/index.js';
import { createSigningRequestStrategies, readSigningRequestObject, signApproved, signers } from './index.js';
import {
  approvedStatus as approved,
  fixtureKey as key,
  nodeTemplate as node,
  signingRequestObject as csr,
} from './signing-request-fixture.js';

const start = Date.UTC(2026, 5, 1);
const dependencies = { clock: new VirtualClock(start), random: systemRandom };
const authority = await createCa(dependencies, { commonName: 'kubernetes', key });
const dayMs = 86_400_000;
const bootstrapper: UserInfo = { username: 'system:bootstrap:abcdef', groups: ['system:bootstrappers'] };

function context(user: UserInfo = bootstrapper, subresource = ''): WriteContext {
  return { user, now: start, dryRun: false, subresource, requestName: '', warn: () => undefined };
}

describe('strategies of CertificateSigningRequest', () => {
  const strategies = createSigningRequestStrategies();
  const texts = (errors: readonly { field: string; message: string }[] | undefined): string[] =>
    (errors ?? []).map((error) => `${error.field}: ${error.message}`);

  it('sets username, uid, groups and extra of spec from the requester', async () => {
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

  it('rejects changes of spec, and ignores status on the main endpoint', async () => {
    const old = await csr(node, {}, approved);
    const next = await csr({ subject: { commonName: 'x' } }, { signerName: 'a.b/c' }, { conditions: [] });
    await strategies.main.prepareForUpdate?.(next, old, context());
    expect(next['spec']).toBe(old['spec']);
    expect(next['status']).toBe(old['status']);
  });

  it.each<[string, object, string]>([
    [
      'a request that is not PEM',
      { request: 'eA==' },
      'spec.request: Invalid value: "eA==": PEM block type must be CERTIFICATE REQUEST',
    ],
    ['missing usages', { usages: [] }, 'spec.usages: Required value'],
    ['a duplicate usage', { usages: ['client auth', 'client auth'] }, 'spec.usages[1]: Duplicate value: "client auth"'],
    [
      'an expiration that is too short',
      { expirationSeconds: 599 },
      'spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 600 seconds (10 minutes)',
    ],
    ['a missing signer name', { signerName: '' }, 'spec.signerName: Required value'],
    [
      'the legacy signer',
      { signerName: signers.legacyUnknown },
      'spec.signerName: Invalid value: "kubernetes.io/legacy-unknown": the legacy signerName is not allowed via this API version',
    ],
    [
      'a signer name without a path',
      { signerName: 'example.com' },
      'spec.signerName: Invalid value: "example.com": must be a fully qualified domain and path of the form \'example.com/signer-name\'',
    ],
    [
      'a signer name without a domain',
      { signerName: 'example/x' },
      'spec.signerName: Invalid value: "example": should be a domain with at least two segments separated by dots',
    ],
  ])('rejects %s', async (_name, spec, expected) => {
    expect(texts(strategies.main.validateCreate?.(await csr(node, spec), context()))).toEqual([expected]);
  });

  it('rejects an unknown usage with a list of supported ones', async () => {
    const [error] = texts(strategies.main.validateCreate?.(await csr(node, { usages: ['tea'] }), context()));
    expect(error).toMatch(
      /^spec\.usages\[0\]: Unsupported value: "tea": supported values: "any", "cert sign", "client auth"/,
    );
  });

  async function update(kind: 'approval' | 'status', before: object | undefined, after: object): Promise<string[]> {
    const old = (await csr(node, {}, before)) as Frozen<KubeObject>;
    const next: KubeObject = { ...structuredClone(old as KubeObject), status: structuredClone(after) };
    const strategy = kind === 'status' ? strategies.main : strategies.approval;
    await strategy.prepareForUpdate?.(next, old, context(bootstrapper, kind));
    return texts(strategy.validateUpdate?.(next, old, context(bootstrapper, kind)));
  }
  const condition = (type: string, status = 'True', extra: object = {}): object => ({
    conditions: [{ type, status, ...extra }],
  });

  it('adds Approved or Denied through /approval, with times, and keeps the rest of the status', async () => {
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

  it('rejects Approved together with Denied, and the removal of either', async () => {
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

  it('sets the certificate once through /status, and approves nothing', async () => {
    const outcome = await signApproved(
      dependencies,
      authority,
      readSigningRequestObject(await csr(node, {}, approved)),
      {
        validityMsMax: dayMs,
      },
    );
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
