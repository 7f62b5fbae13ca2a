import { labels, providers, secretTypes } from '@slipway/cluster-api';
import { isReason } from '@slipway/kube';
import { parseCertificates } from '@slipway/pki';
import { type Client, deployments, parseKubeconfig, type Resource, secrets } from '@slipway/runtime';
import { readWebhooks, type SeenWebhook } from './webhooks.js';
import { type ObjectRef, type ObjectSet, type Observed, readAll, refOf } from '../objects/index.js';

/** A certificate whose expiration is checked. */
interface SeenCertificate {
  readonly object: ObjectRef;
  readonly name: string;
  readonly notAfterMs: number;
}

/** The input of the checks. */
export interface Facts {
  readonly set: ObjectSet;
  readonly nowMs: number;
  readonly certificates: readonly SeenCertificate[];
  /** The Provider objects of clusterctl's inventory. */
  readonly inventory: readonly Observed[];
  /** The Deployments of the providers. */
  readonly deployments: readonly Observed[];
  /** Webhooks that call a Service, and whether the Service has a ready endpoint. */
  readonly webhooks: readonly SeenWebhook[];
  /** The Kubernetes version of the management cluster. */
  readonly serverVersion: string | undefined;
  /** Requests that the server forbids to the user, such as `list secrets`. */
  readonly refused: readonly string[];
  /** Expiration of the client certificate in the user's kubeconfig. */
  readonly ownCertificateNotAfterMs: number | undefined;
  readonly airGapped: boolean;
  /** The metrics of the API server in the Prometheus text format. Absent if it does not serve them to the user. */
  readonly metrics?: string;
}

export interface FactsOptions {
  readonly nowMs: number;
  readonly namespace?: string;
  readonly serverVersion?: string | undefined;
  readonly ownCertificateNotAfterMs?: number | undefined;
  readonly airGapped?: boolean;
  readonly metrics?: string | undefined;
  readonly signal?: AbortSignal;
}

/** Reads the facts with one list request per kind. Of Secrets, only the expiration dates of certificates are kept. */
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
  const [set, inventory, managers, clusterSecrets, webhooks] = await Promise.all([
    readAll(client, namespace, { signal, withoutEvents: true }),
    list(providers, { namespace: '' }),
    list(deployments, { namespace: '', labelSelector: labels.provider }),
    list(secrets, { labelSelector: labels.clusterName }),
    readWebhooks((resource) => list(resource, { namespace: '' })),
  ]);
  return {
    set,
    nowMs: options.nowMs,
    certificates: clusterSecrets.flatMap(certificatesIn),
    inventory,
    deployments: managers,
    webhooks,
    serverVersion: options.serverVersion,
    refused,
    ownCertificateNotAfterMs: options.ownCertificateNotAfterMs,
    airGapped: options.airGapped ?? false,
    ...(options.metrics !== undefined && { metrics: options.metrics }),
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
    ...own.map((notAfterMs) => ({ object, name: 'CA certificate', notAfterMs })),
    ...ofClient.map((notAfterMs) => ({ object, name: 'client certificate in the kubeconfig', notAfterMs })),
  ];
}

function expiriesOf(pem: string): number[] {
  try {
    return parseCertificates(pem).map(({ notAfter }) => notAfter);
  } catch {
    // The Secret does not contain a certificate, such as the service account key.
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
