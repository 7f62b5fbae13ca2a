import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { type Clock, readIfPresent } from '@slipway/base';
import type { Secret } from '@slipway/runtime';

/** The CAs of a cluster cannot be imported. The message contains the remedy and never a key. */
export class AuthorityError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'AuthorityError';
  }
}

interface Authority {
  /** Suffix of the Secret: `<cluster>-<purpose>`. */
  readonly purpose: string;
  readonly certificate: string;
  readonly key: string;
  /** Consequence of a missing file, for the error message. Absent if the file can be generated. */
  readonly without?: string;
}

/** CAs and keys with their files below /etc/kubernetes/pki in kubeadm's layout. */
const authorities: readonly Authority[] = [
  { purpose: 'ca', certificate: 'ca.crt', key: 'ca.key', without: 'no kubeconfig or kubelet certificate is trusted' },
  { purpose: 'etcd', certificate: 'etcd/ca.crt', key: 'etcd/ca.key', without: 'no new member can join etcd' },
  {
    purpose: 'sa',
    certificate: 'sa.pub',
    key: 'sa.key',
    without: 'the service account tokens of all pods become invalid',
  },
  { purpose: 'proxy', certificate: 'front-proxy-ca.crt', key: 'front-proxy-ca.key' },
];

/** Creates the CA Secrets that control planes read, from a PKI directory in kubeadm's layout. */
export async function authoritySecrets(folder: string, cluster: string, clock: Clock): Promise<Secret[]> {
  const found: Secret[] = [];
  for (const authority of authorities) {
    const [certificate, key] = await Promise.all(
      [authority.certificate, authority.key].map((name) => readIfPresent(join(folder, name))),
    );
    if (certificate === undefined && key === undefined && authority.without === undefined) continue;
    if (certificate === undefined || key === undefined) throw missing(folder, authority, certificate === undefined);
    check(folder, authority, certificate, key, clock.now());
    found.push(secretOf(authority, cluster, certificate, key));
  }
  return found;
}

function missing(folder: string, { certificate, key, without }: Authority, isCertificate: boolean): AuthorityError {
  const file = join(folder, isCertificate ? certificate : key);
  const why = without === undefined ? 'the other file of the key pair exists' : `without it ${without}`;
  return new AuthorityError(`${file} is missing: ${why}; export it from where the CA is stored, such as Vault`);
}

function check(folder: string, { certificate, key, purpose }: Authority, text: string, keyText: string, now: number) {
  const own = parsed(join(folder, key), 'private key', () => createPrivateKey(keyText));
  const path = join(folder, certificate);
  if (purpose === 'sa') {
    const known = parsed(path, 'public key', () => createPublicKey(text));
    if (!isSame(known, createPublicKey(own))) throw notTogether(folder, certificate, key);
    return;
  }
  const authority = parsed(path, 'certificate', () => new X509Certificate(text));
  if (!authority.ca)
    throw new AuthorityError(`${path} is not a CA certificate: provide the issuer, not a certificate that it signed`);
  if (!authority.checkPrivateKey(own)) throw notTogether(folder, certificate, key);
  if (Date.parse(authority.validTo) <= now)
    throw new AuthorityError(`${path} expired on ${authority.validTo}: renew it before you migrate the cluster`);
}

function parsed<T>(path: string, what: string, parse: () => T): T {
  try {
    return parse();
  } catch {
    // The parser error is not included, because it may quote the file.
    throw new AuthorityError(`${path} is not a PEM-encoded ${what}`);
  }
}

function isSame(one: KeyObject, other: KeyObject): boolean {
  const text = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }).toString();
  return text(one) === text(other);
}

function notTogether(folder: string, certificate: string, key: string): AuthorityError {
  return new AuthorityError(`${join(folder, certificate)} and ${join(folder, key)} do not match`);
}

function secretOf({ purpose }: Authority, cluster: string, certificate: string, key: string): Secret {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: `${cluster}-${purpose}`,
      namespace: cluster,
      labels: { 'cluster.x-k8s.io/cluster-name': cluster },
    },
    type: 'cluster.x-k8s.io/secret',
    data: { 'tls.crt': base64(certificate), 'tls.key': base64(key) },
  };
}
