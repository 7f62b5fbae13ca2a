import { vdoConfigs } from '@slipway/drivers';
import { isReason } from '@slipway/kube';
import type { Client } from '@slipway/runtime';

export type { Client } from '@slipway/runtime';

/** Whether there is anything to wait for beyond the operator itself. */
export async function vdoConfigsPresent(client: Client, signal: AbortSignal): Promise<boolean> {
  try {
    return (await client.list(vdoConfigs, { limit: 1, signal })).items.length > 0;
  } catch (error) {
    if (isReason(error, 'NotFound')) return false;
    throw error;
  }
}
