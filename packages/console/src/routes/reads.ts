import type { HttpResponse } from '@slipway/base';
import { ifPresent, secrets } from '@slipway/runtime';
import { groupsOf, readAccess } from '../actions/read-access.js';
import { jsonResponse, HttpError } from '../http/message.js';
import type { User } from '../sessions/user.js';
import { needed } from './feed-of.js';

/** Handles GET requests other than streams. */
export async function answerRead({ client }: User, name: string, query: URLSearchParams): Promise<HttpResponse> {
  const key = { namespace: needed(query, 'namespace'), name: needed(query, 'name') };
  if (name === 'access') return jsonResponse(200, await readAccess(client, key, await groupsOf(client, key)));
  if (name !== 'kubeconfig') throw new HttpError(404, 'not found');
  const secret = await ifPresent(client.get(secrets, { ...key, name: `${key.name}-kubeconfig` }));
  const value = secret?.data?.['value'] ?? '';
  if (value === '') throw new HttpError(404, `the kubeconfig of ${key.name} does not exist yet`);
  return {
    status: 200,
    headers: {
      'content-type': 'application/yaml',
      'content-disposition': `attachment; filename="${key.name.replaceAll(/[^\w.-]/g, '_')}.kubeconfig"`,
      'cache-control': 'no-store',
    },
    body: Buffer.from(value, 'base64'),
  };
}
