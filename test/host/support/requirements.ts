import { systemClock } from '@slipway/base';
import { LinuxEngine } from '@slipway/host';
import type { TestContext } from 'vitest';

/** Real nodes need root and a Linux kernel. Missing requirements fail in CI; elsewhere the tests are skipped with the reason. */
export async function needsRealNodes(context: TestContext): Promise<void> {
  const problems = await new LinuxEngine({ directory: '/', balancerCommand: [], clock: systemClock }).problems();
  if (problems.length === 0) return;
  const reason = `real nodes cannot run here: ${problems.join('; ')}`;
  if (process.env['CI'] !== undefined) throw new Error(reason);
  context.skip(reason);
}
