import type { Disposable, Random } from '@slipway/base';
import type { Frozen, KubeObject } from '@slipway/kube';
import type { CertificateAuthority } from '@slipway/pki';
import type { Authorizer } from '../../contract/index.js';
import { decideAutoApproval, isSigningRequestStale, readSigningRequestObject, signApproved } from '../../auth/index.js';
import { fields, list } from '../../kinds/shared/fields.js';
import type { LoopbackClient } from '../../registry/index.js';
import type { RunAgain } from '../shared/keyed-loop.js';
import {
  type ControllerDependencies,
  createController,
  follow,
  isTerminating,
  signingRequests,
  storageOf,
  thaw,
} from '../shared/index.js';

const validityMsMax = 365 * 24 * 3_600_000;
/** Interval of checks for old requests. Requests are kept for hours; like upstream, deletion may be some minutes late. */
const recheckMs = 600_000;

export interface SigningRequestOptions {
  readonly authority: CertificateAuthority;
  readonly authorizer: Authorizer;
  readonly random: Random;
}

/** Approves kubelet client certificates, signs approved requests, and deletes old ones. */
export function startSigningRequests(dependencies: ControllerDependencies, options: SigningRequestOptions): Disposable {
  const resource = storageOf(signingRequests);
  const { scope, loop } = createController(dependencies, 'signing-requests', async (name, client) => {
    const request = dependencies.store.get({ resource, namespace: '', name })?.object;
    if (request === undefined || isTerminating(request)) return;
    if (isSigningRequestStale(request, dependencies.clock.now())) return removeRequest(client, request);
    // Each step writes the request, and the resulting watch event triggers the next step.
    if (await approve(client, request, options.authorizer)) return;
    if (await sign(dependencies, client, request, options)) return;
    return { afterMs: recheckMs } satisfies RunAgain;
  });
  scope.add(follow(dependencies.store, resource, ({ key, gone }) => void (gone || loop.add(key.name))));
  return scope;
}

async function removeRequest(client: LoopbackClient, request: Frozen<KubeObject>): Promise<void> {
  const { name = '', uid = '' } = request.metadata;
  await client.delete(signingRequests, '', name, { preconditions: { uid } });
}

async function approve(client: LoopbackClient, request: Frozen<KubeObject>, authorizer: Authorizer): Promise<boolean> {
  const outcome = decideAutoApproval(authorizer, readSigningRequestObject(request));
  if (outcome.kind !== 'approve') return false;
  const { reason, message } = outcome;
  await client.update(withCondition(request, { type: 'Approved', status: 'True', reason, message }), 'approval');
  return true;
}

async function sign(
  dependencies: ControllerDependencies,
  client: LoopbackClient,
  request: Frozen<KubeObject>,
  { authority, random }: SigningRequestOptions,
): Promise<boolean> {
  const pki = { clock: dependencies.clock, random };
  const outcome = await signApproved(pki, authority, readSigningRequestObject(request), { validityMsMax });
  if (outcome.kind === 'none') return false;
  if (outcome.kind === 'failed') {
    const { reason, message } = outcome;
    await client.update(withCondition(request, { type: 'Failed', status: 'True', reason, message }), 'status');
    return true;
  }
  const next = thaw(request);
  next['status'] = { ...fields(next['status']), certificate: Buffer.from(outcome.certificatePem).toString('base64') };
  await client.update(next, 'status');
  return true;
}

function withCondition(request: Frozen<KubeObject>, condition: Readonly<Record<string, string>>): KubeObject {
  const next = thaw(request);
  const status = fields(next['status']);
  next['status'] = { ...status, conditions: [...list(status['conditions']), { ...condition }] };
  return next;
}
