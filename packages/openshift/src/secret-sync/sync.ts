import { deepEqual, type Frozen } from '@slipway/kube';
import { type Change, type Secret, secrets } from '@slipway/runtime';
import { namespaces } from '../names.js';

/** Returns a copy of the user data Secret in the form that Cluster API providers read. */
export function desiredUserData(source: Frozen<Secret>): Secret | undefined {
  const userData = source.data?.['userData'];
  if (userData === undefined || userData === '') return undefined;
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace: namespaces.clusterApi, name: source.metadata.name ?? '' },
    ...(source.type === undefined ? {} : { type: source.type }),
    ...(source.immutable === undefined ? {} : { immutable: source.immutable }),
    // Without the format, providers would treat the data as cloud-config.
    data: { value: userData, format: Buffer.from('ignition').toString('base64') },
  };
}

export type UserDataStep = 'nothing' | 'create' | 'update' | 'replace';

/** Returns how to update the copy. Data is compared by value. */
export function userDataStep(desired: Secret, existing: Frozen<Secret> | undefined): UserDataStep {
  if (existing === undefined) return 'create';
  const isImmutable = existing.immutable === true;
  const isSame =
    deepEqual(existing.data ?? {}, desired.data ?? {}) &&
    existing.type === (desired.type ?? 'Opaque') &&
    isImmutable === (desired.immutable === true);
  if (isSame) return 'nothing';
  // The data of an immutable Secret and the type of any Secret cannot be changed.
  return isImmutable || existing.type !== (desired.type ?? 'Opaque') ? 'replace' : 'update';
}

/** Returns the changes that update the copy to `desired`. */
export function userDataChanges(desired: Secret, existing: Frozen<Secret> | undefined): readonly Change[] {
  const step = userDataStep(desired, existing);
  const { namespace = '', name = '' } = desired.metadata;
  const source = `${namespaces.machineApi}/${name}`;
  const create = (reason: string): Change => ({
    verb: 'create',
    resource: secrets,
    object: desired,
    reason,
    message: `Copied Secret ${source} to ${namespace}`,
  });
  switch (step) {
    case 'nothing':
      return [];
    case 'create':
      return [create('UserDataMissing')];
    case 'update':
      return [
        {
          verb: 'patch',
          resource: secrets,
          replacement: { ...desired, metadata: { ...existing?.metadata, ...desired.metadata } as Secret['metadata'] },
          reason: 'UserDataChanged',
          message: `Updated Secret ${namespace}/${name} to the user data of ${source}`,
        },
      ];
    case 'replace': {
      const message = `Deleted Secret ${namespace}/${name} to recreate it: it cannot be updated`;
      const key = { namespace, name };
      return [
        { verb: 'delete', resource: secrets, key, reason: 'UserDataChanged', message },
        create('UserDataChanged'),
      ];
    }
  }
}
