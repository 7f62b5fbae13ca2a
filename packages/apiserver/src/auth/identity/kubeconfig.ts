import { stringifyYamlInOrder } from '@slipway/kube';

type KubeconfigUser =
  | { readonly name: string; readonly certificatePem: string; readonly keyPem: string }
  | { readonly name: string; readonly token: string };

export interface KubeconfigOptions {
  readonly cluster: string;
  readonly server: string;
  readonly authorityPem: string;
  readonly user: KubeconfigUser;
  readonly namespace?: string;
}

/**
 * Returns a kubeconfig with one context, which is the current one. It contains credentials: make the file readable by its owner
 * only.
 */
export function kubeconfigText(options: KubeconfigOptions): string {
  const { cluster, server, user, namespace } = options;
  const context = `${user.name}@${cluster}`;
  const credentials =
    'token' in user
      ? { token: user.token }
      : { 'client-certificate-data': base64(user.certificatePem), 'client-key-data': base64(user.keyPem) };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: cluster, cluster: { server, 'certificate-authority-data': base64(options.authorityPem) } }],
    contexts: [{ name: context, context: { cluster, user: user.name, ...(namespace ? { namespace } : {}) } }],
    'current-context': context,
    users: [{ name: user.name, user: credentials }],
  };
  return stringifyYamlInOrder(config);
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
