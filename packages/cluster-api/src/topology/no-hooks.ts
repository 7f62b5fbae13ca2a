import { ReconcileError } from '@slipway/runtime';
import type { TopologyHooks } from './topology-hooks.js';

/** While extensions are turned off nothing is asked, and a class that cannot do without them says so. */
export const noHooks: TopologyHooks = {
  pending: () => undefined,
  ask: () => Promise.resolve({ retryAfterSeconds: 0, message: '' }),
  beforeCreate: () => Promise.resolve(new Map()),
  beforeDelete: () => Promise.resolve(new Map()),
  upgradePlan: (_context, _cluster, extension) =>
    Promise.reject(
      new ReconcileError(
        'RuntimeSDKDisabled',
        `can not use GenerateUpgradePlan extension "${extension}" if RuntimeSDK feature flag is disabled`,
        { retry: 'onChange', remedy: 'start with --feature-gates=RuntimeSDK=true' },
      ),
    ),
  note: (_context, cluster) => Promise.resolve(cluster),
  afterwards: (_context, cluster) => Promise.resolve({ cluster, answers: new Map() }),
};
