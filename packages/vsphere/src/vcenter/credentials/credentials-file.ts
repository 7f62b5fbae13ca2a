import { readFile } from 'node:fs/promises';
import { parseYamlDocuments } from '@slipway/kube';
import type { Setting } from '@slipway/runtime';
import type { Credentials } from '../../vim25/index.js';
import { CredentialsError } from './credentials-error.js';

/** Upstream's name of it, and where its Deployment mounts the Secret `capv-manager-bootstrap-credentials`. */
export const credentialsFileSetting: Setting<string> = {
  flag: 'credentials-file',
  placeholder: 'file',
  description:
    'username and password for vCenters of clusters that name no identity, in YAML; read anew when it changes',
  default: '/etc/capv/credentials.yaml',
  parse: (text) => text,
};

/** The credentials that the manager itself was given. Undefined without a file. What it says is never part of an error. */
export async function readCredentialsFile(file: string): Promise<Credentials | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new CredentialsError(`${file} with the credentials of the manager cannot be read`, 'let the manager read it');
  }
  const { username = '', password = '' } = parse(text);
  if (typeof username === 'string' && typeof password === 'string' && username !== '' && password !== '')
    return { username, password };
  throw new CredentialsError(`${file} must have the keys username and password, in YAML`);
}

function parse(text: string): { readonly username?: unknown; readonly password?: unknown } {
  try {
    const value: unknown = parseYamlDocuments(text)[0]?.value;
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
