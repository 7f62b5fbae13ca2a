import { X509Certificate } from 'node:crypto';
import { textAt } from '@slipway/cluster-api';
import type { ObjectSet, Observed } from '@slipway/insight';
import { isReason, timeOf } from '@slipway/kube';
import { type Client, ifPresent, parseKubeconfig, secrets } from '@slipway/runtime';
import type { CertificateView } from '../model/cluster.js';

const purposes: Readonly<Record<string, string>> = {
  ca: 'Cluster CA',
  etcd: 'etcd CA',
  proxy: 'Front proxy CA',
  kubeconfig: 'Client certificate in the kubeconfig',
};

/** Reads the expiration times of certificates. Reads a Secret again only after it changed, and never returns keys. */
export class CertificateReader {
  readonly #cache = new Map<string, { readonly resourceVersion: string; readonly view: CertificateView }>();

  async read(
    client: Client,
    set: ObjectSet,
    cluster: Observed,
    signal: AbortSignal,
  ): Promise<Record<string, CertificateView>> {
    const { name = '' } = cluster.metadata;
    const views: Record<string, CertificateView> = {};
    for (const [purpose, what] of Object.entries(purposes)) {
      const secret = set.ofKind('Secret').find(({ metadata }) => metadata.name === `${name}-${purpose}`);
      if (secret !== undefined) views[`${name}-${purpose}`] = await this.#ofSecret(client, secret, what, signal);
    }
    for (const machine of set.ofKind('Machine')) {
      const endsAt = timeOf(textAt(machine, 'status', 'certificatesExpiryDate'));
      const own = machine.metadata.name ?? '';
      if (endsAt !== undefined) views[own] = { name: own, what: 'Machine certificates', endsAt, note: '' };
    }
    return views;
  }

  async #ofSecret(client: Client, secret: Observed, what: string, signal: AbortSignal): Promise<CertificateView> {
    const { namespace = '', name = '', resourceVersion = '' } = secret.metadata;
    const cached = this.#cache.get(name);
    if (cached?.resourceVersion === resourceVersion) return cached.view;
    const view = { name, what, ...(await readEnd(client, { namespace, name }, signal)) };
    this.#cache.set(name, { resourceVersion, view });
    return view;
  }
}

async function readEnd(
  client: Client,
  key: { readonly namespace: string; readonly name: string },
  signal: AbortSignal,
): Promise<Pick<CertificateView, 'endsAt' | 'note'>> {
  try {
    const secret = await ifPresent(client.get(secrets, key, { signal }));
    const text = (name: string): string => Buffer.from(secret?.data?.[name] ?? '', 'base64').toString('utf8');
    const pem = key.name.endsWith('-kubeconfig') ? clientCertificateIn(text('value')) : text('tls.crt');
    if (pem === '') return { endsAt: 0, note: 'The Secret does not contain a certificate.' };
    return { endsAt: Date.parse(new X509Certificate(pem).validTo), note: '' };
  } catch (error) {
    if (isReason(error, 'Forbidden')) return { endsAt: 0, note: 'You are not allowed to read this Secret.' };
    return { endsAt: 0, note: 'The certificate is invalid.' };
  }
}

function clientCertificateIn(text: string): string {
  const [user] = parseKubeconfig(text, 'kubeconfig').users.values();
  const encoded = user?.value['client-certificate-data'];
  return typeof encoded === 'string' ? Buffer.from(encoded, 'base64').toString('utf8') : '';
}
