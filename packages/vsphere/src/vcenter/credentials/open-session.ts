import type { Frozen } from '@slipway/kube';
import type { ObjectKey, ReconcileContext } from '@slipway/runtime';
import type { VSphereCluster } from '../../api/index.js';
import type { VimSession } from '../../vim25/index.js';
import type { VCenterDependencies } from '../dependencies.js';
import { CredentialsError } from './credentials-error.js';
import { resolveCredentials } from './resolve-credentials.js';
import type { StandBy } from './stand-by.js';

export interface ServerChoice {
  readonly server: string | undefined;
  readonly thumbprint: string | undefined;
}

/** The object to reconcile when the vCenter becomes unreachable and when it recovers. */
export interface Waiter {
  readonly key: ObjectKey;
  readonly standBy: StandBy;
}

/**
 * Returns the logged-in session of a cluster's objects. Throws the reason why there is none. With a waiter, a vCenter
 * that is known to be unreachable is not contacted.
 */
export async function openSession(
  context: ReconcileContext,
  dependencies: VCenterDependencies,
  vsphereCluster: Pick<Frozen<VSphereCluster>, 'metadata' | 'spec'> | undefined,
  choice: ServerChoice,
  waiter?: Waiter,
): Promise<VimSession> {
  const server = choice.server ?? vsphereCluster?.spec.server ?? '';
  if (server === '') throw new CredentialsError('no vCenter server is set', 'set spec.server of the VSphereCluster');
  const thumbprint = choice.thumbprint ?? vsphereCluster?.spec.thumbprint;
  const credentials = await resolveCredentials(context, dependencies, vsphereCluster);
  const session = dependencies.sessions.get({ server, thumbprint, ...credentials });
  if (waiter !== undefined) {
    waiter.standBy.begin(waiter.key, session, context.enqueue);
    if (session.updates.outage !== undefined) throw session.updates.outage;
  }
  await session.soap.login({ signal: context.signal });
  return session;
}
