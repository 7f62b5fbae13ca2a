import type { Secret } from '@slipway/runtime';
import { describe, expect, it } from 'vitest';
import { userDataStep, wantedUserData } from './sync.js';

const source: Secret = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { namespace: 'openshift-machine-api', name: 'worker-user-data', uid: 'x' },
  type: 'Opaque',
  data: { userData: 'e30=', disableTemplating: 'dHJ1ZQ==' },
};
const wanted = wantedUserData(source) as Secret;

describe('user data', () => {
  it('is renamed and marked as Ignition [operators 30]', () => {
    expect(wanted).toEqual({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace: 'openshift-cluster-api', name: 'worker-user-data' },
      type: 'Opaque',
      data: { value: 'e30=', format: 'aWduaXRpb24=' },
    });
    expect(wantedUserData({ ...source, data: {} })).toBeUndefined();
    expect(wantedUserData({ ...source, data: { userData: '' } })).toBeUndefined();
  });

  it.each([
    { name: 'is created when it does not exist', there: undefined, then: 'create' },
    { name: 'is unchanged if it is equal', there: wanted, then: 'nothing' },
    {
      name: 'is unchanged if immutable is false here and absent there',
      there: { ...wanted, immutable: false },
      then: 'nothing',
    },
    { name: 'is corrected after an edit', there: { ...wanted, data: { value: 'eA==' } }, then: 'update' },
    { name: 'is re-created if it is immutable', there: { ...wanted, immutable: true }, then: 'replace' },
    { name: 'is re-created if it has another type', there: { ...wanted, type: 'other' }, then: 'replace' },
  ])('$name', ({ there, then }) => {
    expect(userDataStep(wanted, there)).toBe(then);
  });

  it('is unchanged if both Secrets are immutable', () => {
    const immutable = wantedUserData({ ...source, immutable: true }) as Secret;
    expect(userDataStep(immutable, { ...wanted, immutable: true })).toBe('nothing');
  });
});
