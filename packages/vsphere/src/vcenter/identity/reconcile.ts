import { openReconcile, reasons } from '@slipway/cluster-api';
import type { Frozen, Thawed } from '@slipway/kube';
import {
  done,
  edit,
  FencedError,
  isDeleting,
  type ObjectKey,
  type Outcome,
  type ReconcileContext,
  releaseFinalizer,
  retry,
} from '@slipway/runtime';
import {
  type VSphereClusterIdentity,
  vsphereClusterIdentities,
  vsphereConditions,
  vsphereFinalizers,
  vsphereV1Beta1Conditions,
} from '../../api/index.js';
import { type BothConditions, setBothConditions } from '../conditions.js';
import { claimSecret, CredentialsError, deleteSecret, SecretInUse } from '../credentials/index.js';
import type { VCenterDependencies } from '../dependencies.js';

type Identity = Frozen<VSphereClusterIdentity>;
const type = vsphereConditions.identityAvailable;
const oldType = vsphereV1Beta1Conditions.credentialsAvailable;

/** Reconciles a VSphereClusterIdentity. Its Secret is in the namespace of the manager. */
export async function reconcileIdentity(
  key: ObjectKey,
  context: ReconcileContext,
  dependencies: VCenterDependencies,
): Promise<Outcome> {
  const identity = context.sources.sourceFor(vsphereClusterIdentities).get(key);
  if (identity === undefined) return done();
  const finalizer = vsphereFinalizers.vsphereClusterIdentity;
  if (!(await openReconcile(context, vsphereClusterIdentities, identity, { finalizer }))) return done();
  const secret = { namespace: dependencies.controllerNamespace, name: identity.spec.secretName };
  if (isDeleting(identity)) {
    await report(context, identity, { status: 'False', reason: reasons.deleting, old: [reasons.deleting, 'Info'] });
    await deleteSecret(context, secret, identity);
    await releaseFinalizer(context, vsphereClusterIdentities, identity, finalizer);
    return done();
  }
  try {
    await claimSecret(context, secret, identity);
  } catch (error) {
    if (error instanceof FencedError || context.signal.aborted) throw error;
    const cause = error instanceof Error ? error : new Error(String(error), { cause: error });
    const { state, ready } = failureOf(cause);
    await report(context, identity, state, ready);
    return retry(cause);
  }
  await report(context, identity, { status: 'True', reason: reasons.available }, true);
  return done();
}

type State = Omit<BothConditions, 'type' | 'oldType'>;

/** Returns the condition for a failure. A missing Secret does not reset `ready`; a Secret with another owner does. */
function failureOf(cause: Error): { readonly state: State; readonly ready?: boolean } {
  const { message } = cause;
  if (cause instanceof SecretInUse) {
    return {
      state: { status: 'False', reason: 'SecretAlreadyInUse', message, old: ['SecretInUse', 'Error'] },
      ready: false,
    };
  }
  if (cause instanceof CredentialsError) {
    return {
      state: { status: 'False', reason: 'SecretNotAvailable', message, old: ['SecretNotAvailable', 'Warning'] },
    };
  }
  const reason = 'SettingSecretOwnerReferenceFailed';
  return { state: { status: 'False', reason, message, old: ['SecretOwnerReferenceFailed', 'Warning'] } };
}

async function report(context: ReconcileContext, identity: Identity, state: State, ready?: boolean): Promise<void> {
  const after = edit(identity, (draft: Thawed<Identity>) => {
    setBothConditions(draft, { type, oldType, ...state }, context.clock.now());
    if (ready === undefined) return;
    draft.status ??= {};
    draft.status.ready = ready;
  });
  await context.change({
    verb: 'status',
    resource: vsphereClusterIdentities,
    before: identity,
    after,
    ownedConditions: [type, oldType],
    reason: state.reason,
    message: state.message ?? `${type} is ${state.status}`,
  });
}
