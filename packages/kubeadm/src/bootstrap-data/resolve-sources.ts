import { renderTextTemplate } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import type { Secret } from '@slipway/runtime';
import { parseKubernetesVersion } from './kubernetes-version.js';
import {
  type BootFile,
  BootstrapDataError,
  type BootUser,
  type KubeadmConfigSpecView,
  type SpecFile,
  type SpecUser,
} from './types.js';

/** The Secrets that the spec references, by name. */
export type SecretsByName = ReadonlyMap<string, Frozen<Secret>>;

/** Returns the names of all Secrets that bootstrap data needs. */
export function secretNamesOf(spec: KubeadmConfigSpecView): string[] {
  const names = [
    ...(spec.files ?? []).map((file) => file.contentFrom?.secret?.name),
    ...(spec.users ?? []).map((user) => user.passwdFrom?.secret?.name),
  ];
  return [...new Set(names.filter((name) => name !== undefined))];
}

export function resolveFiles(
  spec: KubeadmConfigSpecView,
  secrets: SecretsByName,
  controlPlaneVersion: string | undefined,
): BootFile[] {
  const data =
    controlPlaneVersion === undefined || controlPlaneVersion === ''
      ? {}
      : { controlPlane: { version: parseKubernetesVersion(controlPlaneVersion).text } };
  return (spec.files ?? []).map((file) => resolveFile(file, secrets, data));
}

function resolveFile(file: SpecFile, secrets: SecretsByName, data: Readonly<Record<string, unknown>>): BootFile {
  const { path, owner, permissions, encoding, append } = file;
  const source = file.contentFrom?.secret;
  const content =
    source === undefined ? (file.content ?? '') : textOrBytes(readSecret(secrets, source, `file ${path}`), encoding);
  return {
    path,
    content: file.contentFormat === 'Template' ? renderFile(path, content, data) : content,
    ...(owner === undefined ? {} : { owner }),
    ...(permissions === undefined ? {} : { permissions }),
    ...(encoding === undefined ? {} : { encoding }),
    ...(append === undefined ? {} : { append }),
  };
}

function renderFile(path: string, content: string | Uint8Array, data: Readonly<Record<string, unknown>>): string {
  if (typeof content !== 'string')
    throw new BootstrapDataError(
      'InvalidTemplate',
      `failed to parse template for file "${path}": it is not UTF-8 text`,
    );
  try {
    return renderTextTemplate(content, data);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : 'unknown error';
    throw new BootstrapDataError('InvalidTemplate', `failed to render template for file "${path}": ${why}`);
  }
}

export function resolveUsers(spec: KubeadmConfigSpecView, secrets: SecretsByName): BootUser[] {
  return (spec.users ?? []).map((user) => resolveUser(user, secrets));
}

function resolveUser(user: SpecUser, secrets: SecretsByName): BootUser {
  const { passwdFrom, ...own } = user;
  const source = passwdFrom?.secret;
  if (source === undefined) return own;
  return { ...own, passwd: readSecret(secrets, source, `the password of user ${user.name}`).toString('utf8') };
}

function readSecret(
  secrets: SecretsByName,
  source: { readonly name: string; readonly key: string },
  what: string,
): Buffer {
  const secret = secrets.get(source.name);
  if (secret === undefined)
    throw new BootstrapDataError('SecretNotFound', `secret not found: ${source.name}, required for ${what}`);
  const data = secret.data ?? {};
  const value = Object.hasOwn(data, source.key) ? data[source.key] : undefined;
  if (value === undefined)
    throw new BootstrapDataError(
      'SecretKeyNotFound',
      `secret references non-existent secret key: "${source.key}" of secret ${source.name}, required for ${what}`,
    );
  return Buffer.from(value, 'base64');
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function textOrBytes(bytes: Buffer, encoding: string | undefined): string | Uint8Array {
  // A Secret may contain gzip data, which is not valid text.
  if (encoding === 'gzip') return bytes;
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return bytes;
  }
}
