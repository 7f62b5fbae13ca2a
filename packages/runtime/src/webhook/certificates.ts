import { ifPresent } from '../client/index.js';
import { type Clock, type Logger, type Random } from '@slipway/base';
import { type Frozen, isReason } from '@slipway/kube';
import {
  type CertificateAuthority,
  certificateToPem,
  createCa,
  generatePrivateKey,
  issueCertificate,
  needsRenewal,
  parseCertificates,
  privateKeyFromPem,
  privateKeyToPem,
  publicKeyOf,
  servingTemplate,
} from '@slipway/pki';
import { type Secret, secrets } from '../builtin-resources/index.js';
import type { Client, ObjectKey } from '../client/index.js';

export interface ServingCertificate {
  /** The certificate with its chain, in PEM. */
  readonly cert: string;
  readonly key: string;
  /** The CA bundle for clients, in PEM. Contains more than one CA during a CA rotation. */
  readonly caBundle: string;
}

/** Source of the webhook server's certificate. The server calls it at the start and periodically. */
export interface CertificateSource {
  current(): Promise<ServingCertificate>;
}

export interface SecretCertificatesOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Secret that all replicas share, so that all of them serve under one CA bundle. */
  readonly secret: ObjectKey;
  /** DNS names of the server, such as `webhooks.ns.svc`. */
  readonly hosts: readonly string[];
  readonly validityMs?: number;
  readonly caValidityMs?: number;
}

const attemptsMax = 5;
const dayMs = 86_400_000;
const validityMsDefault = 90 * dayMs;
const caValidityMsDefault = 3650 * dayMs;

/**
 * Issues and renews the certificate, and stores it in a Secret. Renews when less than a third of the lifetime is left. A new CA
 * is added to the bundle beside the old one, which stays until it expires.
 */
export class SecretCertificates implements CertificateSource {
  readonly #options: SecretCertificatesOptions;

  constructor(options: SecretCertificatesOptions) {
    this.#options = options;
  }

  async current(): Promise<ServingCertificate> {
    for (let attempt = 1; ; attempt += 1) {
      const stored = await this.#read();
      const held = stored === undefined ? undefined : decode(stored);
      if (held !== undefined && !this.#isDue(held)) return servingOf(held);
      try {
        return await this.#write(stored, await this.#issue(held));
      } catch (error) {
        // Another replica wrote the Secret first. Its certificate is equally valid.
        const raced = isReason(error, 'Conflict') || isReason(error, 'AlreadyExists');
        if (!raced || attempt >= attemptsMax) throw error;
      }
    }
  }

  #read(): Promise<Frozen<Secret> | undefined> {
    return ifPresent(this.#options.client.get(secrets, this.#options.secret));
  }

  #isDue(held: Held): boolean {
    const now = this.#options.clock.now();
    const [serving] = parseCertificates(held.cert);
    if (serving === undefined || needsRenewal(serving, now) || needsRenewal(held.authority.certificate, now))
      return true;
    return !this.#options.hosts.every((host) => serving.dnsNames.includes(host) || serving.ipAddresses.includes(host));
  }

  async #issue(held: Held | undefined): Promise<Held> {
    const { clock, random, hosts } = this.#options;
    const dependencies = { clock, random };
    const now = clock.now();
    const keep = held !== undefined && !needsRenewal(held.authority.certificate, now);
    const authority = keep
      ? held.authority
      : await createCa(dependencies, {
          commonName: 'slipway-webhooks',
          key: await generatePrivateKey('ECDSA'),
          validityMs: this.#options.caValidityMs ?? caValidityMsDefault,
        });
    const key = await generatePrivateKey('ECDSA');
    const template = servingTemplate(hosts[0] ?? 'webhooks', hosts, {
      validityMs: this.#options.validityMs ?? validityMsDefault,
    });
    const certificate = await issueCertificate(dependencies, authority, template, publicKeyOf(key));
    const older = held === undefined ? [] : parseCertificates(held.caBundle);
    const bundle = [authority.certificate, ...older.filter((other) => other.notAfter > now)];
    const distinct = new Set(bundle.map((each) => certificateToPem(each)));
    this.#options.logger.info({ Secret: this.#options.secret, hosts, newCA: !keep }, 'Issued webhook certificate');
    return {
      authority,
      cert: certificateToPem(certificate),
      key: privateKeyToPem(key),
      caBundle: [...distinct].join(''),
    };
  }

  async #write(stored: Frozen<Secret> | undefined, held: Held): Promise<ServingCertificate> {
    const { client, secret } = this.#options;
    const encode = (text: string): string => Buffer.from(text).toString('base64');
    const data = {
      'tls.crt': encode(held.cert),
      'tls.key': encode(held.key),
      'ca.crt': encode(held.caBundle),
      'ca.key': encode(privateKeyToPem(held.authority.key)),
      'ca-current.crt': encode(certificateToPem(held.authority.certificate)),
    };
    if (stored === undefined) {
      await client.create(secrets, {
        apiVersion: 'v1',
        kind: 'Secret',
        type: 'kubernetes.io/tls',
        metadata: { ...secret },
        data,
      });
    } else await client.update(secrets, { ...stored, metadata: { ...stored.metadata }, data } as Secret);
    return servingOf(held);
  }
}

interface Held extends ServingCertificate {
  readonly authority: CertificateAuthority;
}

/** Returns the certificate without the private key of the CA. */
function servingOf({ cert, key, caBundle }: Held): ServingCertificate {
  return { cert, key, caBundle };
}

/** Decodes the Secret. Returns undefined if the Secret is invalid, so that it is written again. */
function decode(secret: Frozen<Secret>): Held | undefined {
  const text = (name: string): string => Buffer.from(secret.data?.[name] ?? '', 'base64').toString('utf8');
  try {
    const [certificate] = parseCertificates(text('ca-current.crt'));
    if (certificate === undefined || parseCertificates(text('tls.crt')).length === 0) return undefined;
    const authority = { certificate, key: privateKeyFromPem(text('ca.key')) };
    privateKeyFromPem(text('tls.key'));
    return { authority, cert: text('tls.crt'), key: text('tls.key'), caBundle: text('ca.crt') };
  } catch {
    return undefined;
  }
}
