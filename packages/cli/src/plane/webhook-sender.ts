import { readFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { tlsTrust } from '@slipway/base';
import type { ContextConfig } from '@slipway/runtime';

const requestTimeoutMs = 30_000;
const responseBytesMax = 1024 * 1024;

type Content = NonNullable<ContextConfig['token']>;

/**
 * Returns a function that posts JSON to the server of a kubeconfig and returns the response. Files are read on each use, because they
 * are rotated.
 */
export function webhookSender(connection: ContextConfig): (body: string, signal: AbortSignal) => Promise<string> {
  return async (body, signal) => {
    const [ca, cert, key, token] = await Promise.all([
      read(connection.certificateAuthority),
      read(connection.clientCertificate),
      read(connection.clientKey),
      read(connection.token),
    ]);
    const bytes = Buffer.from(body);
    const options: RequestOptions = {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': bytes.length,
        'user-agent': 'slipway',
        ...authorization(connection, token),
      },
      signal,
      timeout: requestTimeoutMs,
      minVersion: 'TLSv1.2',
      ...tlsTrust(ca),
      ...(cert === undefined ? {} : { cert }),
      ...(key === undefined ? {} : { key }),
      ...(connection.tlsServerName === undefined ? {} : { servername: connection.tlsServerName }),
      ...(connection.insecureSkipTlsVerify === true ? { rejectUnauthorized: false } : {}),
    };
    return post(connection.server, options, bytes);
  };
}

function authorization({ basic }: ContextConfig, token: string | undefined): Record<string, string> {
  if (token !== undefined) return { authorization: `Bearer ${token.trim()}` };
  if (basic === undefined) return {};
  return { authorization: `Basic ${Buffer.from(`${basic.username}:${basic.password}`).toString('base64')}` };
}

function post(server: string, options: RequestOptions, body: Buffer): Promise<string> {
  const send = server.startsWith('http:') ? httpRequest : httpsRequest;
  return new Promise((resolve, reject) => {
    const outgoing = send(server, options, (response) => {
      const status = response.statusCode ?? 0;
      if (status < 200 || status >= 300) {
        response.resume();
        reject(new Error(`${server} returned status ${status}`));
        return;
      }
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('error', reject);
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > responseBytesMax) response.destroy(new Error(`the response of ${server} is too large`));
        else chunks.push(chunk);
      });
      response.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error(`${server} sent no response within 30 s`)));
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

async function read(content: Content | undefined): Promise<string | undefined> {
  if (content === undefined) return undefined;
  return 'data' in content ? content.data : readFile(content.file, 'utf8');
}
