import { parseCertificates } from '@slipway/base';
import { labels, providers, secretTypes } from '@slipway/cluster-api';
import { isReason } from '@slipway/kube';
import { type Client, deployments, parseKubeconfig, type Resource, secrets } from '@slipway/runtime';
import { type ObjectRef, type ObjectSet, type Observed, readAll, refOf } from '../objects/index.js';

/** A certificate that somebody will miss when it has expired. */
export interface SeenCertificate {
  readonly object: ObjectRef;
  readonly name: string;
  readonly notAfterMs: number;
}

/** What the checks know besides the objects. */
export interface Facts {
  readonly set: ObjectSet;
  readonly nowMs: number;
  readonly certificates: readonly SeenCertificate[];
  /** The inventory that clusterctl keeps. */
  readonly inventory: readonly Observed[];
  /** Of the providers, where they run as such. */
  readonly deployments: readonly Observed[];
  /** Of the server. */
  readonly serverVersion: string | undefined;
  /** What may not be done with these credentials: `list secrets`. */
  readonly refused: readonly string[];
  /** The certificate that one comes with. */
  readonly ownCertificateNotAfterMs: number | undefined;
  readonly airGapped: boolean;
}

export interface FactsOptions {
  readonly nowMs: number;
  readonly namespace?: string;
  readonly serverVersion?: string | undefined;
  readonly ownCertificateNotAfterMs?: number | undefined;
  readonly airGapped?: boolean;
  readonly signal?: AbortSignal;
}

/** Gathers it all with a list for each kind. Of Secrets only certificates are kept, and only until when they are good. */
export async function readFacts(client: Client, options: FactsOptions): Promise<Facts> {
  const { signal, namespace = '' } = options;
  const refused: string[] = [];
  const list = async (resource: Resource, query: object = {}): Promise<readonly Observed[]> => {
    try {
      return (await client.list(resource, { namespace, signal, ...query })).items;
    } catch (error) {
      if (isReason(error, 'NotFound')) return [];
      if (!isReason(error, 'Forbidden')) throw error;
      refused.push(`list ${resource.plural}`);
      return [];
    }
  };
  const [set, inventory, managers, held] = await Promise.all([
    readAll(client, namespace, { signal, withoutEvents: true }),
    list(providers, { namespace: '' }),
    list(deployments, { namespace: '', labelSelector: labels.provider }),
    list(secrets, { labelSelector: labels.clusterName }),
  ]);
  return {
    set,
    nowMs: options.nowMs,
    certificates: held.flatMap(certificatesIn),
    inventory,
    deployments: managers,
    serverVersion: options.serverVersion,
    refused,
    ownCertificateNotAfterMs: options.ownCertificateNotAfterMs,
    airGapped: options.airGapped ?? false,
  };
}

function certificatesIn(secret: Observed): SeenCertificate[] {
  const { type, data = {} } = secret as { type?: string; data?: Readonly<Record<string, string>> };
  if (type !== secretTypes.cluster) return [];
  const object = refOf(secret);
  const text = (key: string): string => Buffer.from(data[key] ?? '', 'base64').toString('utf8');
  const own = data['tls.crt'] === undefined ? [] : expiriesOf(text('tls.crt'));
  const ofClient =
    data['value'] === undefined || !object.name.endsWith('-kubeconfig') ? [] : clientExpiries(text('value'));
  return [
    ...own.map((notAfterMs) => ({ object, name: 'certificate authority', notAfterMs })),
    ...ofClient.map((notAfterMs) => ({ object, name: 'client certificate of the kubeconfig', notAfterMs })),
  ];
}

function expiriesOf(pem: string): number[] {
  try {
    return parseCertificates(pem).map(({ notAfter }) => notAfter);
  } catch {
    // A key that is no certificate, such as that of service accounts.
    return [];
  }
}

function clientExpiries(kubeconfig: string): number[] {
  try {
    return [...parseKubeconfig(kubeconfig).users.values()].flatMap(({ value }) => {
      const data = value['client-certificate-data'];
      return typeof data === 'string' ? expiriesOf(Buffer.from(data, 'base64').toString('utf8')) : [];
    });
  } catch {
    return [];
  }
}
