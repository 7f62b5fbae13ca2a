import { systemRandom } from '@slipway/base';
import { createCa, parseCertificates } from '@slipway/pki';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Authorizer } from '../../contract/index.js';
import { fixtureKey, nodeTemplate, signingRequestObject } from '../../auth/certificates/signing-request-fixture.js';
import { fields, list, text } from '../../kinds/shared/fields.js';
import { signingRequests } from '../shared/index.js';
import { Plane } from '../testing/plane.js';
import { startSigningRequests } from './signing-requests.js';

const hourMs = 3_600_000;
let plane: Plane;
let mayApprove = true;

beforeEach(async () => {
  mayApprove = true;
  plane = await Plane.open();
  const authority = await createCa({ clock: plane.clock, random: systemRandom }, { commonName: 'ca', key: fixtureKey });
  const authorizer = { authorize: () => ({ allowed: mayApprove, reason: '' }) } as unknown as Authorizer;
  plane.run(startSigningRequests(plane, { authority, authorizer, random: systemRandom }));
});

afterEach(() => plane.dispose());

const status = () => fields(plane.get('certificates.k8s.io/certificatesigningrequests', '', 'csr-1')?.['status']);
const conditionTypes = () => list(status()['conditions']).map(({ type }) => type);

/** Waits until the request is signed: signing runs in the thread pool of the crypto library. */
async function signed(): Promise<void> {
  await expect
    .poll(async () => {
      await plane.settle();
      return text(status()['certificate']) !== '' || conditionTypes().includes('Failed');
    })
    .toBe(true);
}

describe('controllers of CertificateSigningRequests', () => {
  it('approves and signs requests of kubelets', async () => {
    await plane.client.create(await signingRequestObject(nodeTemplate));
    await signed();
    expect(list(status()['conditions']).map(({ type, reason }) => [type, reason])).toEqual([
      ['Approved', 'AutoApproved'],
    ]);
    const [certificate] = parseCertificates(Buffer.from(text(status()['certificate']), 'base64').toString());
    expect(certificate?.subject).toEqual({ commonName: 'system:node:n1', organizations: ['system:nodes'] });
  });

  it('leaves requests pending if the requestor lacks the permission', async () => {
    mayApprove = false;
    await plane.client.create(await signingRequestObject(nodeTemplate));
    await plane.settle();
    expect(status()).toEqual({});
  });

  it('marks requests that the signer rejects as failed', async () => {
    mayApprove = false;
    const template = { subject: { commonName: 'someone', organizations: [] } };
    const created = await plane.client.create(await signingRequestObject(template));
    const conditions = [{ type: 'Approved', status: 'True', reason: 'Person', message: 'fine' }];
    await plane.client.update({ ...structuredClone(created), status: { conditions } } as never, 'approval');
    await signed();
    expect(list(status()['conditions']).map(({ type, reason }) => [type, reason])).toEqual([
      ['Approved', 'Person'],
      ['Failed', 'SignerValidationFailure'],
    ]);
  });

  it('deletes requests an hour after they were signed', async () => {
    await plane.client.create(await signingRequestObject(nodeTemplate));
    await signed();
    await plane.advance(hourMs - 60_000);
    expect(plane.names('certificates.k8s.io/certificatesigningrequests')).toEqual(['csr-1']);
    await plane.advance(900_000);
    expect(plane.names('certificates.k8s.io/certificatesigningrequests')).toEqual([]);
  });

  it('deletes pending requests after a day', async () => {
    mayApprove = false;
    await plane.client.create(await signingRequestObject(nodeTemplate));
    await plane.advance(23 * hourMs);
    expect(await plane.client.get(signingRequests, '', 'csr-1')).toBeDefined();
    await plane.advance(2 * hourMs);
    expect(await plane.client.get(signingRequests, '', 'csr-1')).toBeUndefined();
  });
});
