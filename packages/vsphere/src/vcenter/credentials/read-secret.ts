import { ifPresent, type ObjectKey, type Reader, type RequestOptions, secrets } from '@slipway/runtime';
import type { Credentials } from '../../vim25/index.js';
import { CredentialsError } from './credentials-error.js';

/** Login data of a Secret. The key `ca.crt` is an addition: upstream cannot verify vCenter with a CA. */
export interface VCenterCredentials extends Credentials {
  readonly caBundle?: string;
}

export interface CredentialsRead {
  readonly credentials: VCenterCredentials;
  /** resourceVersion of the Secret. */
  readonly version: string | undefined;
}

export async function readCredentials(
  reader: Reader,
  key: ObjectKey,
  options: RequestOptions,
): Promise<CredentialsRead> {
  const secret = await ifPresent(reader.get(secrets, key, options));
  if (secret === undefined) {
    throw new CredentialsError(
      `Secret ${key.namespace}/${key.name} with the credentials for vCenter not found`,
      'create it with the keys username and password',
    );
  }
  const text = (name: string): string => Buffer.from(secret.data?.[name] ?? '', 'base64').toString('utf8');
  const [username, password, caBundle] = [text('username'), text('password'), text('ca.crt')];
  if (username === '' || password === '') {
    throw new CredentialsError(`Secret ${key.namespace}/${key.name} must have the keys username and password`);
  }
  const credentials = { username, password, ...(caBundle === '' ? {} : { caBundle }) };
  return { credentials, version: secret.metadata.resourceVersion };
}
