import { formatTime } from '@slipway/kube';
import {
  type ConditionTarget,
  done,
  edit,
  type NewCondition,
  type ObjectKey,
  type Outcome,
  type ReconcileContext,
  setCondition,
  wait,
} from '@slipway/runtime';
import { compatibilityConfigName, compatibilityConfigs, DriverError, remedyOf } from '../api/index.js';
import { matrixOrigin, type SuppliedMatrix } from '../supply/index.js';
import type { OperatorDependencies } from './dependencies.js';

/** Reports whether the matrix of a CompatibilityConfig is available and valid. The VDOConfig controller uses the matrix. */
export async function reconcileCompatibility(
  key: ObjectKey,
  context: ReconcileContext,
  dependencies: OperatorDependencies,
): Promise<Outcome> {
  const { sources, clock, signal } = context;
  const config = sources.sourceFor(compatibilityConfigs).get(key);
  if (config === undefined || config.metadata.deletionTimestamp) return done();
  const found = isTheOne(key, dependencies) ? await load() : undefined;
  const after = edit(config, (draft) => {
    const status = (draft.status ??= {});
    status.observedGeneration = config.metadata.generation ?? 0;
    if (found !== undefined && !(found instanceof DriverError)) {
      status.revision = found.matrix.revision;
      status.lastDownloadTime = formatTime(found.loadedMs);
    }
    setCondition(draft as ConditionTarget, readyOf(found), clock.now());
  });
  await context.change({
    verb: 'status',
    resource: compatibilityConfigs,
    before: config,
    after,
    ownedConditions: ['Ready'],
    reason: 'StatusUpdated',
    message: 'Updated status',
  });
  const ms = dependencies.matrices.nextPollMs;
  return ms === undefined ? done() : wait({ ms, reason: 'Polling', message: 'Polling the compatibility matrix' });

  async function load(): Promise<SuppliedMatrix | DriverError> {
    try {
      return await dependencies.matrices.get(
        matrixOrigin({ flag: dependencies.options.matrix, config, configMap: undefined }),
        context,
        signal,
      );
    } catch (error) {
      if (error instanceof DriverError) return error;
      throw error;
    }
  }
}

function isTheOne({ namespace, name }: ObjectKey, { options }: OperatorDependencies): boolean {
  return name === compatibilityConfigName && namespace === options.namespace;
}

function readyOf(found: SuppliedMatrix | DriverError | undefined): NewCondition {
  const type = 'Ready';
  if (found === undefined)
    return {
      type,
      status: 'False',
      reason: 'NotUsed',
      message: `only ${compatibilityConfigName} in the namespace of the operator is used`,
    };
  if (found instanceof DriverError)
    return {
      type,
      status: 'False',
      reason: found.reason,
      message: `${found.message}; ${remedyOf(found.reason) ?? ''}`,
    };
  if (found.stale !== undefined) return { type, status: 'True', reason: 'Stale', message: found.stale };
  return { type, status: 'True', reason: 'Available', message: `revision ${found.matrix.revision}` };
}
