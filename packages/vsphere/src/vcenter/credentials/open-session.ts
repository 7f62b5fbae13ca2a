import type { Frozen } from '@slipway/kube';
import type { ReconcileContext } from '@slipway/runtime';
import type { VSphereCluster } from '../../api/index.js';
import type { VimSession } from '../../vim25/index.js';
import type { VCenterWorld } from '../world.js';
import { CredentialsError } from './credentials-error.js';
import { resolveCredentials } from './resolve-credentials.js';

export interface ServerChoice {
  readonly server: string | undefined;
  readonly thumbprint: string | undefined;
}

/** The session that a cluster's objects use, logged in: whatever is wrong with it is known afterwards. */
export async function openSession(
  context: ReconcileContext,
  world: VCenterWorld,
  vsphereCluster: Pick<Frozen<VSphereCluster>, 'metadata' | 'spec'> | undefined,
  choice: ServerChoice,
): Promise<VimSession> {
  const server = choice.server ?? vsphereCluster?.spec.server ?? '';
  if (server === '') throw new CredentialsError('no vCenter server is named', 'set spec.server of the VSphereCluster');
  const thumbprint = choice.thumbprint ?? vsphereCluster?.spec.thumbprint;
  const credentials = await resolveCredentials(context, world, vsphereCluster);
  const session = world.sessions.get({ server, thumbprint, ...credentials });
  await session.soap.login({ signal: context.signal });
  return session;
}
