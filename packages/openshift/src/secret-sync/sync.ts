import { deepEqual, type Frozen } from '@slipway/kube';
import type { Secret } from '@slipway/runtime';
import { namespaces } from '../names.js';

/** Where providers of Cluster API look for user data, and how they are told what it is. */
export function wantedUserData(source: Frozen<Secret>): Secret | undefined {
  const userData = source.data?.['userData'];
  if (userData === undefined || userData === '') return undefined;
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace: namespaces.clusterApi, name: source.metadata.name ?? '' },
    ...(source.type === undefined ? {} : { type: source.type }),
    ...(source.immutable === undefined ? {} : { immutable: source.immutable }),
    // Without the format, providers take it for a cloud-config and wrap it.
    data: { value: userData, format: Buffer.from('ignition').toString('base64') },
  };
}

export type UserDataStep = 'nothing' | 'create' | 'update' | 'replace';

/** By value, so that two Secrets that say the same are the same. */
export function userDataStep(wanted: Secret, there: Frozen<Secret> | undefined): UserDataStep {
  if (there === undefined) return 'create';
  const isImmutable = there.immutable === true;
  const isSame =
    deepEqual(there.data ?? {}, wanted.data ?? {}) &&
    there.type === (wanted.type ?? 'Opaque') &&
    isImmutable === (wanted.immutable === true);
  if (isSame) return 'nothing';
  // Neither the data of an immutable Secret nor the type of any can be changed.
  return isImmutable || there.type !== (wanted.type ?? 'Opaque') ? 'replace' : 'update';
}
