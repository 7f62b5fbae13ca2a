import {
  type CertificateAuthority,
  type Certificate,
  type CertificateAndKey,
  type CertificateTemplate,
  CertificateVerifier,
  certificateToPem,
  clientTemplate,
  createAuthority,
  issueCertificate,
  type KeyAlgorithm,
  type KeySource,
  needsRenewal,
  parseCertificates,
  type PkiWorld,
  type PrivateKey,
  privateKeyFromPem,
  privateKeyToPem,
  publicKeyOf,
  publicKeyToPem,
  servingTemplate,
} from '@slipway/base';
import type { IdentityFiles } from './identity-files.js';
import { kubeconfigText } from './kubeconfig.js';

export interface ServerIdentity {
  readonly authority: CertificateAuthority;
  readonly serving: CertificateAndKey;
  readonly admin: CertificateAndKey;
  readonly serviceAccountKey: PrivateKey;
  /** The files that were written, for the log. */
  readonly written: readonly string[];
}

export interface IdentityOptions {
  /** Names and addresses by which clients reach the server, beyond those that every server has. */
  readonly hosts?: readonly string[];
  /** `kubernetes.default.svc.<domain>` is one of the names. */
  readonly clusterDomain?: string;
  readonly keyAlgorithm?: KeyAlgorithm;
}

export interface IdentityWorld extends PkiWorld {
  readonly keys: KeySource;
  readonly files: IdentityFiles;
}

/** The names of a server inside and outside of its cluster. */
export function servingHosts(options: IdentityOptions = {}): string[] {
  const domain = options.clusterDomain ?? 'cluster.local';
  const service = ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc', `kubernetes.default.svc.${domain}`];
  return [...new Set(['localhost', ...service, '127.0.0.1', '::1', ...(options.hosts ?? [])])];
}

/**
 * Reads the keys and certificates of a data directory, makes what is missing, and renews what has less than a third of its
 * life left. Keys come before the certificates that need them, so that a crash in between is repaired by the next start.
 */
export async function ensureServerIdentity(
  world: IdentityWorld,
  options: IdentityOptions = {},
): Promise<ServerIdentity> {
  const work: Work = { world, algorithm: options.keyAlgorithm ?? 'ECDSA', written: [] };
  const authority = await ensureAuthority(work);
  const hosts = servingHosts(options);
  const serving = await ensureCertificate(work, authority, 'pki/apiserver', servingTemplate('kube-apiserver', hosts));
  const adminTemplate = clientTemplate('kubernetes-admin', ['system:masters']);
  const admin = await ensureCertificate(work, authority, 'pki/admin', adminTemplate);
  const serviceAccountKey = await ensureServiceAccountKey(work);
  return { authority, serving, admin, serviceAccountKey, written: work.written };
}

/** The kubeconfig of the first administrator. */
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
  readonly world: IdentityWorld;
  readonly algorithm: KeyAlgorithm;
  readonly written: string[];
}

async function write(work: Work, name: string, text: string): Promise<void> {
  await work.world.files.write(name, text);
  work.written.push(name);
}

async function readKey(work: Work, name: string): Promise<PrivateKey | undefined> {
  const text = await work.world.files.read(name);
  if (text === undefined) return undefined;
  try {
    return privateKeyFromPem(text);
  } catch {
    throw new Error(`${name} is not a private key; restore it, or remove it to have a new one made`);
  }
}

async function ensureKey(work: Work, name: string): Promise<PrivateKey> {
  const known = await readKey(work, name);
  if (known !== undefined) return known;
  const key = await work.world.keys.next(work.algorithm);
  await write(work, name, privateKeyToPem(key));
  return key;
}

async function readCertificate(work: Work, name: string): Promise<Certificate | undefined> {
  const text = await work.world.files.read(name);
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
    throw new Error(
      'pki/ca.key is missing beside pki/ca.crt; restore it, or remove both to start with a new authority',
    );
  const key = knownKey ?? (await ensureKey(work, 'pki/ca.key'));
  const now = work.world.clock.now();
  if (known !== undefined && belongsTo(known, key) && !needsRenewal(known, now)) return { certificate: known, key };
  // The same key and name: certificates that the former one signed stay valid, also for clients that know only it.
  const authority = await createAuthority(work.world, { commonName: known?.subject.commonName ?? 'kubernetes', key });
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
  if (known !== undefined && isGood(work, authority, known, key, template)) return { certificate: known, key };
  const certificate = await issueCertificate(work.world, authority, template, publicKeyOf(key));
  await write(work, `${base}.crt`, certificateToPem(certificate));
  return { certificate, key };
}

function isGood(
  work: Work,
  authority: CertificateAuthority,
  certificate: Certificate,
  key: PrivateKey,
  template: CertificateTemplate,
): boolean {
  const now = work.world.clock.now();
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
  if ((await work.world.files.read('pki/sa.pub')) !== text) await write(work, 'pki/sa.pub', text);
  return key;
}
