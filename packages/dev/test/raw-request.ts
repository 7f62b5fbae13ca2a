import { request } from 'node:https';
import type { ConnectionConfig, Content } from '@slipway/runtime';

interface Reply {
  readonly code: number;
  // biome-ignore format: one line reads better
  readonly body: any; // oxlint-disable-line typescript/no-explicit-any -- tests read foreign JSON by path
}

export type Call = (method: string, path: string, body?: unknown, contentType?: string) => Promise<Reply>;

/** Returns a function that sends plain HTTPS requests without Slipway's client, so that tests check the bytes on the wire. */
export function callerOf(connection: ConnectionConfig): Call {
  const text = (content: Content | undefined): string =>
    content !== undefined && 'data' in content ? content.data : '';
  const tls = {
    ca: text(connection.certificateAuthority),
    cert: text(connection.clientCertificate),
    key: text(connection.clientKey),
    agent: false,
  } as const;
  return (method, path, body, contentType = 'application/json') =>
    new Promise((resolve, reject) => {
      const headers = { 'content-type': contentType, accept: 'application/json' };
      const sent = request(`${connection.server}${path}`, { ...tls, method, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({ code: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) }),
        );
      });
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
}
