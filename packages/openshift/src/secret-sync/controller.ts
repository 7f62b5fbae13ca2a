import { type Change, type Controller, ReconcileError, secrets, type Sources } from '@slipway/runtime';
import { concerns, createReportingController } from '../cluster-operator/report.js';
import { namespaces, userDataSecret } from '../names.js';
import { userDataChanges, desiredUserData } from './sync.js';

export interface SecretSyncOptions {
  readonly version: string;
  /** Names of the user data Secrets to copy, `<pool>-user-data`. The Secret of the control plane is never copied. */
  readonly secretNames?: readonly string[];
}

const neverCopied = 'master-user-data';

export function createSecretSyncController({ version, secretNames = [userDataSecret] }: SecretSyncOptions): Controller {
  const names = secretNames.filter((name) => name !== neverCopied);
  const places: readonly string[] = [namespaces.machineApi, namespaces.clusterApi];
  return createReportingController({
    name: 'SecretSyncController',
    version,
    watches: [concerns(secrets, ({ namespace, name }) => places.includes(namespace) && names.includes(name))],
    async run(_scope, context) {
      for (const name of names) await context.changeAll(planSecret(name, context.sources));
      return { type: 'success', message: 'User Data Secret Controller works as expected' };
    },
  });
}

function planSecret(name: string, sources: Sources): readonly Change[] {
  const source = sources.sourceFor(secrets).get({ namespace: namespaces.machineApi, name });
  const desired = source && desiredUserData(source);
  if (desired === undefined) {
    const missing = source === undefined ? 'does not exist' : 'has no key userData';
    throw new ReconcileError(
      'UserDataMissing',
      `User Data Secret Controller failed to sync secret: Secret ${namespaces.machineApi}/${name} ${missing}`,
      { retry: 'later' },
    );
  }
  return userDataChanges(desired, sources.sourceFor(secrets).get({ namespace: namespaces.clusterApi, name }));
}
