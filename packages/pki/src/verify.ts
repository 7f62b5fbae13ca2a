import { X509Certificate } from 'node:crypto';
import { type Certificate, fingerprintOf, parseCertificate } from './certificate.js';
import type { KeyUsage } from './usages.js';

type VerifyFailure = 'Malformed' | 'UnknownCa' | 'NotYetValid' | 'Expired' | 'WrongUsage' | 'UnhandledExtension';

export type VerifyResult =
  | { readonly ok: true; readonly certificate: Certificate }
  | { readonly ok: false; readonly reason: VerifyFailure };

interface Anchor {
  readonly certificate: Certificate;
  readonly native: X509Certificate;
}

interface ChainResult {
  readonly certificate: Certificate;
  readonly failure: VerifyFailure | undefined;
  /** Start of the period in which the whole chain is valid; `notAfter` is its end. */
  readonly notBefore: number;
  readonly notAfter: number;
}

/** Limits the work per verification. No Kubernetes cluster has four certificates below the trust anchor. */
const chainLengthMax = 4;

/**
 * Verifies certificates for one purpose against one set of CAs. The signatures of a certificate are verified once. Later calls
 * hash the certificate to find the cached result and compare the validity period with the clock. If the caller passes the same
 * array object, which must not change, with the same intermediates, the hash is skipped too.
 */
export class CertificateVerifier {
  readonly #anchors: readonly Anchor[];
  readonly #purpose: KeyUsage;
  readonly #cacheSize: number;
  readonly #results = new Map<string, ChainResult>();
  /** Results by array identity: all requests of a connection pass the same array. */
  readonly #recognised = new WeakMap<Uint8Array, ChainResult>();

  constructor(
    trusted: readonly Certificate[],
    options: { readonly purpose?: KeyUsage; readonly cacheSize?: number } = {},
  ) {
    this.#anchors = trusted
      .filter((certificate) => certificate.isCa)
      .map((certificate) => ({ certificate, native: new X509Certificate(Buffer.from(certificate.der)) }));
    this.#purpose = options.purpose ?? 'client auth';
    this.#cacheSize = options.cacheSize ?? 1024;
  }

  verify(der: Uint8Array, now: number, intermediates: readonly Uint8Array[] = []): VerifyResult {
    const chain = this.#lookUp(der, now, intermediates);
    if (chain === undefined) return { ok: false, reason: 'Malformed' };
    if (chain.failure !== undefined) return { ok: false, reason: chain.failure };
    if (now < chain.notBefore) return { ok: false, reason: 'NotYetValid' };
    if (now > chain.notAfter) return { ok: false, reason: 'Expired' };
    return { ok: true, certificate: chain.certificate };
  }

  #lookUp(der: Uint8Array, now: number, intermediates: readonly Uint8Array[]): ChainResult | undefined {
    const recognised = this.#recognised.get(der);
    if (recognised !== undefined) return recognised;
    // With intermediates, the result depends on more than the leaf certificate, so it is not cached by the leaf's hash.
    const key = intermediates.length === 0 ? fingerprintOf(der) : undefined;
    const known = key === undefined ? undefined : this.#results.get(key);
    const chain = known ?? this.#examine(der, now, intermediates);
    if (chain !== undefined && chain.failure === undefined) {
      if (key !== undefined) this.#remember(key, chain);
      this.#recognised.set(der, chain);
    }
    return chain;
  }

  #remember(key: string, chain: ChainResult): void {
    if (this.#results.size >= this.#cacheSize && !this.#results.has(key)) {
      const oldest = this.#results.keys().next().value;
      if (oldest !== undefined) this.#results.delete(oldest);
    }
    this.#results.set(key, chain);
  }

  #examine(der: Uint8Array, now: number, intermediates: readonly Uint8Array[]): ChainResult | undefined {
    let leaf: Anchor;
    let between: Anchor[];
    try {
      leaf = toAnchor(der);
      between = intermediates.slice(0, chainLengthMax).map(toAnchor);
    } catch {
      return undefined;
    }
    const { certificate } = leaf;
    const span = { notBefore: certificate.notBefore, notAfter: certificate.notAfter };
    if (!this.#mayServe(certificate)) return { certificate, failure: 'WrongUsage', ...span };
    const chain = this.#chainOf(leaf, between, now);
    if (chain === undefined) return { certificate, failure: 'UnknownCa', ...span };
    if (chain.some(({ unhandledCriticalExtensions }) => unhandledCriticalExtensions.length > 0))
      return { certificate, failure: 'UnhandledExtension', ...span };
    return {
      certificate,
      failure: undefined,
      notBefore: Math.max(...chain.map((link) => link.notBefore)),
      notAfter: Math.min(...chain.map((link) => link.notAfter)),
    };
  }

  /**
   * Returns the certificates from the leaf to a trust anchor. Prefers an issuer that is valid now, because a renewed CA has
   * several certificates.
   */
  #chainOf(leaf: Anchor, between: readonly Anchor[], now: number): Certificate[] | undefined {
    const chain = [leaf.certificate];
    let current = leaf;
    for (let depth = 0; depth <= chainLengthMax; depth += 1) {
      const anchors = this.#anchors.filter((anchor) => issued(anchor, current, depth));
      const anchor = anchors.find((candidate) => isValidAt(candidate.certificate, now)) ?? anchors[0];
      if (anchor !== undefined) return [...chain, anchor.certificate];
      const next = between.find((candidate) => candidate.certificate.isCa && issued(candidate, current, depth));
      if (next === undefined || !this.#mayServe(next.certificate)) return undefined;
      chain.push(next.certificate);
      current = next;
    }
    return undefined;
  }

  #mayServe(certificate: Certificate): boolean {
    const allowed = certificate.extendedKeyUsages;
    return allowed === undefined || allowed.includes(this.#purpose) || allowed.includes('any');
  }
}

function toAnchor(der: Uint8Array): Anchor {
  return { certificate: parseCertificate(der), native: new X509Certificate(Buffer.from(der)) };
}

/** Whether the CA issued the certificate. `depth` is the number of intermediate CAs between the CA and the leaf. */
function issued(issuer: Anchor, subject: Anchor, depth: number): boolean {
  const { keyUsages: uses, pathLengthMax = Infinity } = issuer.certificate;
  if (uses !== undefined && !uses.includes('cert sign')) return false;
  if (depth > pathLengthMax) return false;
  return subject.native.checkIssued(issuer.native) && subject.native.verify(issuer.certificate.publicKey);
}

function isValidAt(certificate: Certificate, now: number): boolean {
  return now >= certificate.notBefore && now <= certificate.notAfter;
}
