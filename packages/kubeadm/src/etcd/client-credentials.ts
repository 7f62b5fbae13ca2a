import { createHash } from 'node:crypto';
import {
  certificateToPem,
  issueCertificate,
  parseCertificates,
  privateKeyFromPem,
  privateKeyToPem,
} from '@slipway/pki';
import { CertificateError, type CertificateDependencies, type KeyPair } from '../certificates/index.js';
import type { EtcdCredentials } from './grpc-connection.js';

/** The common name of the etcd client certificate. etcd accepts every client certificate that its CA signed. */
const clientName = 'cluster-api.x-k8s.io';
const validityMs = 10 * 365 * 86_400_000;
const cachedMax = 4096;

/** Issues client certificates for the etcd of every cluster, signed by its etcd CA. Each is generated once. */
export class EtcdClientCredentials {
  readonly #dependencies: CertificateDependencies;
  readonly #made = new Map<string, Promise<EtcdCredentials>>();

  constructor(dependencies: CertificateDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the credentials for an etcd CA, the key pair of the `etcd` Secret. */
  for(authority: KeyPair): Promise<EtcdCredentials> {
    // Cache by CA instead of cluster name: a new cluster with the same name has another CA.
    const key = createHash('sha256').update(`${authority.certificate}\n${authority.key}`).digest('base64');
    const cached = this.#made.get(key);
    if (cached !== undefined) return cached;
    const [oldest] = this.#made.keys();
    if (this.#made.size >= cachedMax && oldest !== undefined) this.#made.delete(oldest);
    const made = this.#make(authority);
    this.#made.set(key, made);
    made.catch(() => this.#made.delete(key));
    return made;
  }

  async #make(authority: KeyPair): Promise<EtcdCredentials> {
    const [certificate] = parseCertificates(authority.certificate);
    if (certificate === undefined)
      throw new CertificateError('NotPem', 'etcd', 'the etcd CA is not a PEM-encoded certificate');
    if (authority.key === '')
      throw new CertificateError('MissingKeyData', 'etcd', 'the etcd CA has no private key: tls.key is empty');
    // The key stays in this process, so its algorithm is not configurable. Generating an RSA key would take a hundred times as
    // long.
    const key = await this.#dependencies.keys.next('ECDSA');
    const template = {
      subject: { commonName: clientName },
      usages: ['digital signature', 'client auth'] as const,
      validityMs,
    };
    const signer = { certificate, key: privateKeyFromPem(authority.key) };
    const issued = await issueCertificate(this.#dependencies, signer, template, key);
    return { authority: authority.certificate, certificate: certificateToPem(issued), key: privateKeyToPem(key) };
  }
}
