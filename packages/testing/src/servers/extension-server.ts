import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { systemClock, systemRandom } from '@slipway/base';
import type { JsonObject } from '@slipway/kube';
import {
  certificateToPem,
  createCa,
  generatePrivateKey,
  issueCertificate,
  privateKeyToPem,
  publicKeyOf,
  servingTemplate,
} from '@slipway/pki';

export interface ExtensionServer {
  readonly url: string;
  /** CA certificate in PEM. */
  readonly authority: string;
  /** The received calls in order: the path as `hook/handler`, and the request. */
  readonly calls: { readonly path: string; readonly request: JsonObject }[];
  /** Functions that compute the response of a hook, by hook. A hook without an entry succeeds. */
  readonly answers: Map<string, (request: JsonObject) => object>;
  /** HTTP status codes of failing hooks, by hook. */
  readonly broken: Map<string, number>;
  stop(): Promise<void>;
}

const prefix = '/hooks.runtime.cluster.x-k8s.io/v1alpha1/';

/** Starts a runtime extension: an HTTPS server with its own CA. */
export async function startExtensionServer(handlers: readonly object[]): Promise<ExtensionServer> {
  const dependencies = { clock: systemClock, random: systemRandom };
  const authority = await createCa(dependencies, { commonName: 'extensions', key: await generatePrivateKey('ECDSA') });
  const key = await generatePrivateKey('ECDSA');
  const template = servingTemplate('extension', ['localhost', '127.0.0.1']);
  const certificate = await issueCertificate(dependencies, authority, template, publicKeyOf(key));
  const calls: ExtensionServer['calls'] = [];
  const answers: ExtensionServer['answers'] = new Map([['discovery', () => ({ handlers })]]);
  const broken = new Map<string, number>();
  const server: Server = createServer(
    { key: privateKeyToPem(key), cert: certificateToPem(certificate) },
    (incoming, outgoing) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const request = JSON.parse(Buffer.concat(chunks).toString()) as JsonObject;
        const path = new URL(incoming.url ?? '', 'https://x').pathname.slice(prefix.length);
        const hook = path.split('/')[0] ?? '';
        calls.push({ path, request });
        outgoing.statusCode = broken.get(hook) ?? 200;
        outgoing.end(JSON.stringify({ status: 'Success', ...answers.get(hook)?.(request) }));
      });
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    authority: certificateToPem(authority.certificate),
    calls,
    answers,
    broken,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

export function handler(name: string, hook: string, more: object = {}): object {
  return { name, requestHook: { apiVersion: 'hooks.runtime.cluster.x-k8s.io/v1alpha1', hook }, ...more };
}
