import type { WorkloadCluster } from '@slipway/cluster-api';
import { isReason } from '@slipway/kube';
import { ifPresent, keyOf, type Outcome, ReconcileError, type Secret, secrets, wait } from '@slipway/runtime';
import {
  createToken,
  parseToken,
  planTokenRefresh,
  planTokenRotation,
  type TokenDecision,
  tokenNamespace,
  tokenSecret,
  tokenSecretName,
  tokenText,
} from './bootstrap-token.js';
import type { ConfigScope } from './config-scope.js';

const attemptsMax = 3;

/** Creates a bootstrap token in the workload cluster. */
export async function createWorkloadToken(scope: ConfigScope): Promise<string> {
  const { context, owner } = scope;
  const on = await scope.dependencies.workloads.cluster(scope.clusterKey);
  for (let attempt = 1; ; attempt += 1) {
    const token = createToken(context.random);
    try {
      await context.change({
        verb: 'create',
        on,
        resource: secrets,
        object: tokenSecret(token, context.clock.now(), scope.dependencies.tokenTtlMs),
        reason: 'TokenNeeded',
        message: `Created a bootstrap token for ${owner.kind} ${owner.name}`,
      });
      return tokenText(token);
    } catch (error) {
      // Token IDs of six characters can collide. A second collision happens once in two billion clusters.
      if (!isReason(error, 'AlreadyExists') || attempt >= attemptsMax) throw error;
    }
  }
}

/**
 * Maintains the token of a KubeadmConfig with bootstrap data: extends it while the machine has no Node, and rotates that of a
 * MachinePool. `recreate` creates a new token and new data.
 */
export async function keepToken(
  scope: ConfigScope,
  purpose: 'refresh' | 'rotate',
  recreate: () => Promise<Outcome>,
): Promise<Outcome> {
  const { tokenSchedule } = scope.dependencies;
  const key = keyOf(scope.config);
  const remainingMs = tokenSchedule.remainingMs(key);
  if (remainingMs > 0) return untilNextCheck(remainingMs);
  const workload = await scope.dependencies.workloads.cluster(scope.clusterKey);
  const decision = await decide(scope, workload, purpose);
  switch (decision.action) {
    case 'recreate':
      return recreate();
    case 'fail':
      return fail(scope, decision.message);
    case 'extend':
      if (!(await extend(scope, workload, decision.secret))) return recreate();
      break;
    case 'keep':
      break;
  }
  tokenSchedule.set(key, decision.againMs);
  return untilNextCheck(decision.againMs);
}

/** Waits until the next check. No watch reports that a token is about to expire, because its Secret does not change. */
export function untilNextCheck(ms: number): Outcome {
  return wait({ ms, reason: 'TokenCheck', message: 'Waiting for the next check of the bootstrap token' });
}

async function decide(
  scope: ConfigScope,
  workload: WorkloadCluster,
  purpose: 'refresh' | 'rotate',
): Promise<TokenDecision> {
  const text = scope.spec.joinConfiguration?.discovery?.bootstrapToken?.token ?? '';
  const token = parseToken(text);
  if (token === undefined)
    return {
      action: 'fail',
      message: 'spec.joinConfiguration.discovery.bootstrapToken.token is not a bootstrap token',
    };
  const { tokenTtlMs: ttlMs } = scope.dependencies;
  const now = scope.context.clock.now();
  const key = { namespace: tokenNamespace, name: tokenSecretName(token) };
  const secret = await ifPresent(workload.read.get(secrets, key, { signal: scope.context.signal }));
  if (purpose === 'rotate') return planTokenRotation({ secret, now, ttlMs });
  return planTokenRefresh({ secret, now, ttlMs, isMachinePool: scope.owner.kind === 'MachinePool' });
}

/** Extends the token. Returns false if the token Secret of a MachinePool was deleted after it was read. */
async function extend({ context, owner }: ConfigScope, on: WorkloadCluster, replacement: Secret): Promise<boolean> {
  try {
    await context.change({
      verb: 'patch',
      on,
      resource: secrets,
      replacement,
      reason: 'TokenExpiring',
      message: `Extended the bootstrap token of ${owner.kind} ${owner.name}, which has no Node yet`,
    });
    return true;
  } catch (error) {
    if (isReason(error, 'NotFound') && owner.kind === 'MachinePool') return false;
    throw error;
  }
}

function fail(scope: ConfigScope, message: string): never {
  scope.context.events.record(scope.config, {
    type: 'Warning',
    reason: 'BootstrapTokenLost',
    action: 'Refresh',
    message: `${scope.owner.kind} ${scope.owner.name} may not be able to join: ${message}`,
  });
  throw new ReconcileError('BootstrapTokenLost', message, { retry: 'later' });
}
