import { createHash } from 'node:crypto';
import { Agent, request as httpsRequest } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { tlsTrust } from '@slipway/base';

export interface ExtensionCall {
  readonly url: URL;
  readonly body: string;
  /** CA certificates in PEM. Defaults to the system CAs. */
  readonly authority?: string;
  readonly signal: AbortSignal;
}

export interface ExtensionReply {
  readonly status: number;
  readonly body: string;
}

/** Transport to extensions. */
export type ExtensionTransport = (call: ExtensionCall) => Promise<ExtensionReply>;

const bodyBytesMax = 20 * 1_048_576;
const agentsMax = 64;

/** Creates an HTTPS transport with keep-alive. Redirects are not followed: they could lead to any host. */
export function createHttpsTransport(client?: {
  readonly certificate: string;
  readonly key: string;
}): ExtensionTransport {
  const agents = new Map<string, Agent>();
  const agentFor = (authority: string | undefined, host: string): Agent => {
    const key = `${host} ${createHash('sha256')
      .update(authority ?? '')
      .digest('base64')}`;
    let agent = agents.get(key);
    if (agent === undefined) {
      const [oldest] = agents.keys();
      if (agents.size >= agentsMax && oldest !== undefined) {
        agents.get(oldest)?.destroy();
        agents.delete(oldest);
      }
      agent = new Agent({
        keepAlive: true,
        minVersion: 'TLSv1.2',
        ...tlsTrust(authority),
        ...(client && { cert: client.certificate, key: client.key }),
      });
      agents.set(key, agent);
    }
    return agent;
  };
  return ({ url, body, authority, signal }) =>
    new Promise((resolve, reject) => {
      const outgoing = httpsRequest(
        url,
        {
          method: 'POST',
          agent: agentFor(authority, url.host),
          headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
          signal,
        },
        (incoming) =>
          void readBody(incoming).then((text) => resolve({ status: incoming.statusCode ?? 0, body: text }), reject),
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bodyBytesMax) {
      incoming.destroy();
      throw new Error(`the response is larger than ${bodyBytesMax} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
