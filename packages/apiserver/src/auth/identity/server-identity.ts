import {
  type CertificateAuthority,
  type Certificate,
  type CertificateAndKey,
  type CertificateTemplate,
  CertificateVerifier,
  certificateToPem,
  clientTemplate,
  createCa,
  issueCertificate,
  type KeyAlgorithm,
  type KeySource,
  needsRenewal,
  parseCertificates,
  type PkiDependencies,
  type PrivateKey,
  privateKeyFromPem,
  privateKeyToPem,
  publicKeyOf,
  publicKeyToPem,
  servingTemplate,
} from '@slipway/pki';
import type { IdentityFiles } from './identity-files.js';
import { kubeconfigText } from './kubeconfig.js';

export interface ServerIdentity {
  readonly authority: CertificateAuthority;
  readonly serving: CertificateAndKey;
  readonly admin: CertificateAndKey;
  readonly serviceAccountKey: PrivateKey;
  /** Names of the files that were written, for the log. */
  readonly written: readonly string[];
}

export interface IdentityOptions {
  /** Additional DNS names and IP addresses of the serving certificate. */
  readonly hosts?: readonly string[];
  /** Cluster domain: the certificate includes `kubernetes.default.svc.<domain>`. */
  readonly clusterDomain?: string;
  readonly keyAlgorithm?: KeyAlgorithm;
}

export interface IdentityDependencies extends PkiDependencies {
  readonly keys: KeySource;
  readonly files: IdentityFiles;
}

/** Returns the DNS names and IP addresses of the serving certificate, inside and outside the cluster. */
export function servingHosts(options: IdentityOptions = {}): string[] {
  const domain = options.clusterDomain ?? 'cluster.local';
  const service = ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc', `kubernetes.default.svc.${domain}`];
  return [...new Set(['localhost', ...service, '127.0.0.1', '::1', ...(options.hosts ?? [])])];
}

/**
 * Reads the keys and certificates of a data directory, generates missing ones, and renews those with less than a third
 * of their lifetime left. Keys are written before the certificates that need them, so that the next start repairs the
 * result of a crash between the two.
 */
export async function ensureServerIdentity(
  dependencies: IdentityDependencies,
  options: IdentityOptions = {},
): Promise<ServerIdentity> {
  const work: Work = { dependencies, algorithm: options.keyAlgorithm ?? 'ECDSA', written: [] };
  const authority = await ensureAuthority(work);
  const hosts = servingHosts(options);
  const serving = await ensureCertificate(work, authority, 'pki/apiserver', servingTemplate('kube-apiserver', hosts));
  const adminTemplate = clientTemplate('kubernetes-admin', ['system:masters']);
  const admin = await ensureCertificate(work, authority, 'pki/admin', adminTemplate);
  const serviceAccountKey = await ensureServiceAccountKey(work);
  return { authority, serving, admin, serviceAccountKey, written: work.written };
}

/** Returns the cluster administrator's kubeconfig. */
export function adminKubeconfig(identity: ServerIdentity, cluster: string, server: string): string {
  const { certificate, key } = identity.admin;
  return kubeconfigText({
    cluster,
    server,
    authorityPem: certificateToPem(identity.authority.certificate),
    user: {
      name: `${cluster}-admin`,
      certificatePem: certificateToPem(certificate),
      keyPem: privateKeyToPem(key),
    },
  });
}

interface Work {
  readonly dependencies: IdentityDependencies;
  readonly algorithm: KeyAlgorithm;
  readonly written: string[];
}

async function write(work: Work, name: string, text: string): Promise<void> {
  await work.dependencies.files.write(name, text);
  work.written.push(name);
}

async function readKey(work: Work, name: string): Promise<PrivateKey | undefined> {
  const text = await work.dependencies.files.read(name);
  if (text === undefined) return undefined;
  try {
    return privateKeyFromPem(text);
  } catch {
    throw new Error(`${name} is not a private key; restore it, or delete it to generate a new key`);
  }
}

async function ensureKey(work: Work, name: string): Promise<PrivateKey> {
  const known = await readKey(work, name);
  if (known !== undefined) return known;
  const key = await work.dependencies.keys.next(work.algorithm);
  await write(work, name, privateKeyToPem(key));
  return key;
}

async function readCertificate(work: Work, name: string): Promise<Certificate | undefined> {
  const text = await work.dependencies.files.read(name);
  if (text === undefined) return undefined;
  try {
    return parseCertificates(text)[0];
  } catch {
    return undefined;
  }
}

async function ensureAuthority(work: Work): Promise<CertificateAuthority> {
  const known = await readCertificate(work, 'pki/ca.crt');
  const knownKey = await readKey(work, 'pki/ca.key');
  if (known !== undefined && knownKey === undefined)
    throw new Error('pki/ca.crt exists, but pki/ca.key is missing; restore it, or delete both to generate a new CA');
  const key = knownKey ?? (await ensureKey(work, 'pki/ca.key'));
  const now = work.dependencies.clock.now();
  if (known !== undefined && belongsTo(known, key) && !needsRenewal(known, now)) return { certificate: known, key };
  // Keep key and subject: clients that trust only the previous CA certificate then accept certificates signed with the new one.
  const authority = await createCa(work.dependencies, { commonName: known?.subject.commonName ?? 'kubernetes', key });
  await write(work, 'pki/ca.crt', certificateToPem(authority.certificate));
  return authority;
}

async function ensureCertificate(
  work: Work,
  authority: CertificateAuthority,
  base: string,
  template: CertificateTemplate,
): Promise<CertificateAndKey> {
  const key = await ensureKey(work, `${base}.key`);
  const known = await readCertificate(work, `${base}.crt`);
  if (known !== undefined && isUsable(work, authority, known, key, template)) return { certificate: known, key };
  const certificate = await issueCertificate(work.dependencies, authority, template, publicKeyOf(key));
  await write(work, `${base}.crt`, certificateToPem(certificate));
  return { certificate, key };
}

function isUsable(
  work: Work,
  authority: CertificateAuthority,
  certificate: Certificate,
  key: PrivateKey,
  template: CertificateTemplate,
): boolean {
  const now = work.dependencies.clock.now();
  if (!belongsTo(certificate, key) || needsRenewal(certificate, now)) return false;
  const purpose = template.usages.includes('server auth') ? 'server auth' : 'client auth';
  if (!new CertificateVerifier([authority.certificate], { purpose }).verify(certificate.der, now).ok) return false;
  return covers(certificate, template);
}

function covers(certificate: Certificate, template: CertificateTemplate): boolean {
  const { commonName, organizations = [] } = template.subject;
  return (
    certificate.subject.commonName === commonName &&
    organizations.every((name) => certificate.subject.organizations.includes(name)) &&
    (template.dnsNames ?? []).every((name) => certificate.dnsNames.includes(name)) &&
    (template.ipAddresses ?? []).every((address) => certificate.ipAddresses.includes(address))
  );
}

function belongsTo(certificate: Certificate, key: PrivateKey): boolean {
  return publicKeyToPem(certificate.publicKey) === publicKeyToPem(key);
}

async function ensureServiceAccountKey(work: Work): Promise<PrivateKey> {
  const key = await ensureKey(work, 'pki/sa.key');
  const text = publicKeyToPem(key);
  if ((await work.dependencies.files.read('pki/sa.pub')) !== text) await write(work, 'pki/sa.pub', text);
  return key;
}
