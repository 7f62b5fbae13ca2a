import { systemClock } from '@slipway/base';
import { builtinConfig, readConfig } from '@slipway/clusterctl';
import type { ConsoleOptions } from '@slipway/console';
import { builtinProviders } from '../providers/builtin-providers.js';

/** What `slipway upgrade plan` would say, by the same configuration: read anew each time, for it may have changed. */
export const readOutlooks: NonNullable<ConsoleOptions['readOutlooks']> = async (client, { mayFetch, signal }) => {
  // With all kinds of the operator, which nobody needs before.
  const { providerOutlooks } = await import('@slipway/operator');
  const fetching = { clock: systemClock, signal };
  const config = await readConfig({ env: process.env, builtin: builtinProviders.map(builtinConfig) }, fetching);
  const management = { client, namespace: 'default' };
  const world = { ...fetching, config, builtin: builtinProviders, management: () => Promise.resolve(management) };
  return providerOutlooks(client, world, { mayFetch, signal });
};
