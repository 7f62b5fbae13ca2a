import { runBalancer } from '@slipway/host/balancer';

/** Forwards connections to the API servers of a cluster until it is killed. */
export async function hostBalancer(directory: string): Promise<void> {
  await runBalancer(directory);
  await new Promise<never>(() => undefined);
}
