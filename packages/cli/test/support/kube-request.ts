import { readFileSync } from 'node:fs';
import type { ClientRequest } from 'node:http';
import { request } from 'node:https';
import { parse } from 'yaml';

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: Readonly<Record<string, string>> }[];
  readonly users: readonly { readonly user: Readonly<Record<string, string>> }[];
}

export interface Answer {
  readonly status: number;
  readonly body: { readonly [field: string]: unknown };
}

export async function kubeRequest(kubeconfig: string, method: string, path: string, body?: object): Promise<Answer> {
  const { status, text } = await kubeText(kubeconfig, method, path, body);
  return { status, body: JSON.parse(text) as Answer['body'] };
}

/** Sends a request with the client certificate of a kubeconfig, and verifies the server against its CA. */
export function kubeText(
  kubeconfig: string,
  method: string,
  path: string,
  body?: object,
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const sent = openRequest(kubeconfig, method, path);
    sent.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** Starts a request whose body is sent later. */
export function openRequest(
  kubeconfig: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): ClientRequest {
  const config = parse(readFileSync(kubeconfig, 'utf8')) as Kubeconfig;
  const { cluster } = config.clusters.at(-1) ?? { cluster: {} };
  const { user } = config.users.at(-1) ?? { user: {} };
  const decoded = (text: string | undefined): Buffer => Buffer.from(text ?? '', 'base64');
  return request(`${cluster['server']}${path}`, {
    method,
    ca: decoded(cluster['certificate-authority-data']),
    cert: decoded(user['client-certificate-data']),
    key: decoded(user['client-key-data']),
    headers: { 'content-type': 'application/json', ...headers },
    agent: false,
  });
}

const collection = '/api/v1/namespaces/default/configmaps';

export function createConfigMap(kubeconfig: string, name: string): Promise<Answer> {
  return kubeRequest(kubeconfig, 'POST', collection, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name },
    data: { name },
  });
}

export async function configMapNames(kubeconfig: string): Promise<string[]> {
  const { body } = await kubeRequest(kubeconfig, 'GET', collection);
  const items = body['items'] as readonly { readonly metadata: { readonly name: string } }[];
  return items.map(({ metadata }) => metadata.name).filter((name) => name !== 'kube-root-ca.crt');
}
