import { type Frozen, isReason } from '@slipway/kube';
import {
  type Client,
  ifPresent,
  keyOf,
  type Outcome,
  ReconcileError,
  type Secret,
  secrets,
  wait,
} from '@slipway/runtime';
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
} from '../tokens/index.js';
import type { ConfigScope } from './config-scope.js';

const attemptsMax = 3;

/** A new token, known to the workload cluster. */
export async function createWorkloadToken(scope: ConfigScope): Promise<string> {
  const { clock, random, signal } = scope.context;
  const client = await scope.world.workloads.client(scope.clusterKey);
  for (let attempt = 1; ; attempt += 1) {
    const token = createToken(random);
    try {
      await client.create(secrets, tokenSecret(token, clock.now(), scope.world.tokenTtlMs), { signal });
      return tokenText(token);
    } catch (error) {
      // Six letters may meet; a second draw meets again once in two billion clusters.
      if (!isReason(error, 'AlreadyExists') || attempt >= attemptsMax) throw error;
    }
  }
}

/**
 * Looks after the token of a config whose data exists: extends it while the machine has no Node, replaces that of a pool.
 * `recreate` makes a new token and new data with it.
 */
export async function keepToken(
  scope: ConfigScope,
  purpose: 'refresh' | 'rotate',
  recreate: () => Promise<Outcome>,
): Promise<Outcome> {
  const { tokenSchedule } = scope.world;
  const key = keyOf(scope.config);
  const remainingMs = tokenSchedule.remainingMs(key);
  if (remainingMs > 0) return untilNextCheck(remainingMs);
  const client = await scope.world.workloads.client(scope.clusterKey);
  const decision = await decide(scope, client, purpose);
  switch (decision.action) {
    case 'recreate':
      return recreate();
    case 'fail':
      return fail(scope, decision.message);
    case 'extend':
      if (!(await extend(scope, client, decision.secret))) return recreate();
      break;
    case 'keep':
      break;
  }
  tokenSchedule.set(key, decision.againMs);
  return untilNextCheck(decision.againMs);
}

/** No watch tells when a token is about to run out: its Secret does not change. */
export function untilNextCheck(ms: number): Outcome {
  return wait({ ms, reason: 'TokenCheck', message: 'The bootstrap token is looked at again' });
}

async function decide(scope: ConfigScope, client: Client, purpose: 'refresh' | 'rotate'): Promise<TokenDecision> {
  const text = scope.spec.joinConfiguration?.discovery?.bootstrapToken?.token ?? '';
  const token = parseToken(text);
  if (token === undefined)
    return {
      action: 'fail',
      message: 'spec.joinConfiguration.discovery.bootstrapToken.token is not a bootstrap token',
    };
  const { tokenTtlMs: ttlMs } = scope.world;
  const now = scope.context.clock.now();
  const secret = await readToken(scope, client, tokenSecretName(token));
  if (purpose === 'rotate') return planTokenRotation({ secret, now, ttlMs });
  return planTokenRefresh({ secret, now, ttlMs, isMachinePool: scope.owner.kind === 'MachinePool' });
}

function readToken(scope: ConfigScope, client: Client, name: string): Promise<Frozen<Secret> | undefined> {
  return ifPresent(client.get(secrets, { namespace: tokenNamespace, name }, { signal: scope.context.signal }));
}

/** False when the Secret of a pool's token has gone meanwhile. */
async function extend(scope: ConfigScope, client: Client, secret: Secret): Promise<boolean> {
  try {
    await client.update(secrets, secret, { signal: scope.context.signal });
    return true;
  } catch (error) {
    if (isReason(error, 'NotFound') && scope.owner.kind === 'MachinePool') return false;
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
