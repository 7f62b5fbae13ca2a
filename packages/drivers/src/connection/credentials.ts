import type { Frozen } from '@slipway/kube';
import { type Reader, configMaps, ifPresent, type Secret, secrets } from '@slipway/runtime';
import { DriverError, systemNamespace, type VsphereCloudConfig } from '../api/index.js';

export interface AccountSecret {
  readonly username: string;
  readonly password: string;
  /** UID and resourceVersion of the Secret, to detect a changed password. */
  readonly version: string;
}

/** Reads the Secret by name. A watch would require permission to read all Secrets. */
export async function readAccount(
  read: Reader,
  connection: Frozen<VsphereCloudConfig>,
  operatorNamespace: string,
  signal: AbortSignal,
): Promise<AccountSecret> {
  const { credentials = '', credentialsNamespace } = connection.spec ?? {};
  const namespaces = credentialsNamespace === undefined ? [operatorNamespace, systemNamespace] : [credentialsNamespace];
  for (const namespace of new Set(namespaces)) {
    const secret = await ifPresent(read.get(secrets, { namespace, name: credentials }, { signal }));
    if (secret !== undefined) return accountIn(secret);
  }
  throw new DriverError('SecretNotFound', `Secret ${credentials} not found in namespace ${namespaces.join(' or ')}`);
}

function accountIn(secret: Frozen<Secret>): AccountSecret {
  const { namespace = '', name = '', resourceVersion = '', uid = '' } = secret.metadata;
  const textOf = (key: string): string =>
    Buffer.from(secret.data?.[key] ?? '', 'base64')
      .toString('utf8')
      .trim();
  const [username, password] = [
    textOf('username'),
    Buffer.from(secret.data?.['password'] ?? '', 'base64')
      .toString('utf8')
      .replace(/\r?\n$/, ''),
  ];
  const missing = Object.entries({ username, password }).filter(([, text]) => text === '');
  if (missing.length > 0)
    throw new DriverError(
      'SecretKeysMissing',
      `Secret ${namespace}/${name} has no ${missing.map(([key]) => key).join(' and ')}`,
    );
  return { username, password, version: `${uid}/${resourceVersion}` };
}

export async function readAuthorities(
  read: Reader,
  connection: Frozen<VsphereCloudConfig>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { caBundle, caBundleRef } = connection.spec ?? {};
  if (caBundleRef === undefined) return caBundle;
  const namespace = connection.metadata.namespace ?? '';
  const found = await ifPresent(read.get(configMaps, { namespace, name: caBundleRef.name }, { signal }));
  const key = caBundleRef.key ?? 'ca.crt';
  const bundle = found?.data?.[key];
  if (bundle === undefined)
    throw new DriverError('TLSUntrusted', `ConfigMap ${namespace}/${caBundleRef.name} has no key ${key}`);
  return bundle;
}
