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
import type { OperatorWorld } from './operator-world.js';

/** Says of a CompatibilityConfig whether its matrix can be had and read. The VDOConfig makes use of it. */
export async function reconcileCompatibility(
  key: ObjectKey,
  context: ReconcileContext,
  world: OperatorWorld,
): Promise<Outcome> {
  const { sources, clock, signal } = context;
  const config = sources.sourceFor(compatibilityConfigs).get(key);
  if (config === undefined || config.metadata.deletionTimestamp) return done();
  const found = isTheOne(key, world) ? await load() : undefined;
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
  const ms = world.matrices.nextLookMs;
  return ms === undefined ? done() : wait({ ms, reason: 'Polling', message: 'the matrix is looked at again' });

  async function load(): Promise<SuppliedMatrix | DriverError> {
    try {
      return await world.matrices.get(
        matrixOrigin({ flag: world.options.matrix, config, configMap: undefined }),
        context,
        signal,
      );
    } catch (error) {
      if (error instanceof DriverError) return error;
      throw error;
    }
  }
}

function isTheOne({ namespace, name }: ObjectKey, { options }: OperatorWorld): boolean {
  return name === compatibilityConfigName && namespace === options.namespace;
}

function readyOf(found: SuppliedMatrix | DriverError | undefined): NewCondition {
  const type = 'Ready';
  if (found === undefined)
    return {
      type,
      status: 'False',
      reason: 'NotUsed',
      message: `only the one called ${compatibilityConfigName} in the namespace of the operator counts`,
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
