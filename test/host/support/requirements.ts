import { systemClock } from '@slipway/base';
import { LinuxEngine } from '@slipway/host';
import type { TestContext } from 'vitest';

/**
 * Checks the requirements of real nodes: root and a Linux kernel. If one is missing, tests fail in CI, and are skipped elsewhere
 * with the reason.
 */
export async function needsRealNodes(context: TestContext): Promise<void> {
  const problems = await new LinuxEngine({ directory: '/', balancerCommand: [], clock: systemClock }).problems();
  if (problems.length === 0) return;
  const reason = `real nodes cannot run here: ${problems.join('; ')}`;
  if (process.env['CI'] !== undefined) throw new Error(reason);
  context.skip(reason);
}
