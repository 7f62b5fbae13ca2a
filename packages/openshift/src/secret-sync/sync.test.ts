import type { Secret } from '@slipway/runtime';
import { describe, expect, it } from 'vitest';
import { userDataStep, desiredUserData } from './sync.js';

const source: Secret = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { namespace: 'openshift-machine-api', name: 'worker-user-data', uid: 'x' },
  type: 'Opaque',
  data: { userData: 'e30=', disableTemplating: 'dHJ1ZQ==' },
};
const desired = desiredUserData(source) as Secret;

describe('user data', () => {
  it('is renamed and marked as Ignition [operators 30]', () => {
    expect(desired).toEqual({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace: 'openshift-cluster-api', name: 'worker-user-data' },
      type: 'Opaque',
      data: { value: 'e30=', format: 'aWduaXRpb24=' },
    });
    expect(desiredUserData({ ...source, data: {} })).toBeUndefined();
    expect(desiredUserData({ ...source, data: { userData: '' } })).toBeUndefined();
  });

  it.each([
    { name: 'is created when it does not exist', existing: undefined, then: 'create' },
    { name: 'is unchanged if it is equal', existing: desired, then: 'nothing' },
    {
      name: 'is unchanged if immutable is false here and absent there',
      existing: { ...desired, immutable: false },
      then: 'nothing',
    },
    { name: 'is corrected after an edit', existing: { ...desired, data: { value: 'eA==' } }, then: 'update' },
    { name: 'is re-created if it is immutable', existing: { ...desired, immutable: true }, then: 'replace' },
    { name: 'is re-created if it has another type', existing: { ...desired, type: 'other' }, then: 'replace' },
  ])('$name', ({ existing, then }) => {
    expect(userDataStep(desired, existing)).toBe(then);
  });

  it('is unchanged if both Secrets are immutable', () => {
    const immutable = desiredUserData({ ...source, immutable: true }) as Secret;
    expect(userDataStep(immutable, { ...desired, immutable: true })).toBe('nothing');
  });
});
