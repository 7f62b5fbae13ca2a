import { createHmac } from 'node:crypto';
import type { BootstrapToken } from '../tokens/index.js';

/** Signs the content as a JWS with detached payload. A holder of the token can verify that the content is from the cluster. */
export function detachedSignature(content: string, token: BootstrapToken): string {
  const header = encode(JSON.stringify({ alg: 'HS256', kid: token.id }));
  const signature = createHmac('sha256', token.secret)
    .update(`${header}.${encode(content)}`)
    .digest('base64url');
  return `${header}..${signature}`;
}

function encode(text: string): string {
  return Buffer.from(text).toString('base64url');
}
