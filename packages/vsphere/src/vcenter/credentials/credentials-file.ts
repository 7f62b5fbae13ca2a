import { readFile } from 'node:fs/promises';
import { parseYamlDocuments } from '@slipway/kube';
import type { Setting } from '@slipway/runtime';
import type { Credentials } from '../../vim25/index.js';
import { CredentialsError } from './credentials-error.js';

/** The path at which upstream's Deployment mounts the Secret `capv-manager-bootstrap-credentials`. */
export const credentialsFileSetting: Setting<string> = {
  flag: 'credentials-file',
  placeholder: 'file',
  description:
    'YAML file with the keys username and password for vCenter, used by clusters without identityRef. Re-read when it changes.',
  default: '/etc/capv/credentials.yaml',
  parse: (text) => text,
};

/** The manager's credentials. Undefined without a file. Errors never contain the content of the file. */
export async function readCredentialsFile(file: string): Promise<Credentials | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new CredentialsError(`failed to read credentials file ${file}`, 'make the file readable for the manager');
  }
  const { username = '', password = '' } = parse(text);
  if (typeof username === 'string' && typeof password === 'string' && username !== '' && password !== '')
    return { username, password };
  throw new CredentialsError(`credentials file ${file} must have the keys username and password, in YAML`);
}

function parse(text: string): { readonly username?: unknown; readonly password?: unknown } {
  try {
    const value: unknown = parseYamlDocuments(text)[0]?.value;
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
