import type { CertificateAuthority, Disposable, Random } from '@slipway/base';
import type { Frozen, KubeObject } from '@slipway/kube';
import type { Authorizer } from '../../contract/index.js';
import { decideAutoApproval, isSigningRequestStale, readSigningRequestObject, signApproved } from '../../auth/index.js';
import { fields, list } from '../../kinds/shared/fields.js';
import type { LoopbackClient } from '../../registry/index.js';
import type { RunAgain } from '../shared/keyed-loop.js';
import {
  type ControllerWorld,
  createController,
  follow,
  isTerminating,
  signingRequests,
  storageOf,
  thaw,
} from '../shared/index.js';

const validityMsMax = 365 * 24 * 3_600_000;
/** Requests are kept for hours; that they go some minutes late does not matter, as it does not upstream. */
const lookAgainMs = 600_000;

export interface SigningRequestOptions {
  readonly authority: CertificateAuthority;
  readonly authorizer: Authorizer;
  readonly random: Random;
}

/** Approves what needs no person, signs what is approved, and clears away what is done with. */
export function startSigningRequests(world: ControllerWorld, options: SigningRequestOptions): Disposable {
  const resource = storageOf(signingRequests);
  const { scope, loop } = createController(world, 'signing-requests', async (name, client) => {
    const request = world.store.get({ resource, namespace: '', name })?.object;
    if (request === undefined || isTerminating(request)) return;
    if (isSigningRequestStale(request, world.clock.now())) return removeRequest(client, request);
    // What is written here comes back as an event, and with it the next step.
    if (await approve(client, request, options.authorizer)) return;
    if (await sign(world, client, request, options)) return;
    return { afterMs: lookAgainMs } satisfies RunAgain;
  });
  scope.add(follow(world.store, resource, ({ key, gone }) => void (gone || loop.add(key.name))));
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
  world: ControllerWorld,
  client: LoopbackClient,
  request: Frozen<KubeObject>,
  { authority, random }: SigningRequestOptions,
): Promise<boolean> {
  const pki = { clock: world.clock, random };
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
