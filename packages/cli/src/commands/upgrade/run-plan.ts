import { planUpgrade } from '@slipway/clusterctl';
import { withRepositories } from '../../repositories/index.js';
import type { UpgradePlanFlags } from './command.js';
import { printValue } from '../../output/index.js';
import { plansText } from './text.js';

/** Tells what could be upgraded. */
export async function upgradePlan(flags: UpgradePlanFlags): Promise<void> {
  await withRepositories(flags, async (world) => {
    const { client } = await world.target();
    const plans = await planUpgrade(client, world);
    await printValue(plans, flags.output, () => plansText(plans));
  });
}
