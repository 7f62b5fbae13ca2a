import { type Controller, ReconcileError, type ReconcileContext, secrets } from '@slipway/runtime';
import { concerns, createReportingController } from '../cluster-operator/report.js';
import { namespaces, userDataSecret } from '../names.js';
import { userDataStep, wantedUserData } from './sync.js';

export interface SecretSyncOptions {
  readonly version: string;
  /** Further pools have theirs under `<pool>-user-data`. That of control planes is never copied. */
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
      for (const name of names) await syncSecret(name, context);
      return { type: 'success', message: 'User Data Secret Controller works as expected' };
    },
  });
}

async function syncSecret(name: string, { client, sources, signal }: ReconcileContext): Promise<void> {
  const source = sources.sourceFor(secrets).get({ namespace: namespaces.machineApi, name });
  const wanted = source && wantedUserData(source);
  if (wanted === undefined) {
    const missing = source === undefined ? 'is not there' : 'has no key userData';
    throw new ReconcileError(
      'UserDataMissing',
      `User Data Secret Controller failed to sync secret: Secret ${namespaces.machineApi}/${name} ${missing}`,
      { retry: 'later' },
    );
  }
  const key = { namespace: namespaces.clusterApi, name };
  const there = sources.sourceFor(secrets).get(key);
  switch (userDataStep(wanted, there)) {
    case 'nothing':
      return;
    case 'create':
      await client.create(secrets, wanted, { signal });
      return;
    case 'update':
      await client.update(
        secrets,
        { ...wanted, metadata: { ...there?.metadata, ...wanted.metadata } as Secret['metadata'] },
        { signal },
      );
      return;
    case 'replace':
      await client.delete(secrets, key, { signal });
      await client.create(secrets, wanted, { signal });
  }
}

type Secret = NonNullable<ReturnType<typeof wantedUserData>>;
