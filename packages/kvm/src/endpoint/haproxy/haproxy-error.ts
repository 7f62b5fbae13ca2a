import { ReconcileError } from '@slipway/runtime';

export type HaproxyReason = 'HAProxyMissing' | 'EndpointPortTaken' | 'HAProxyFailed';

/** The balancer of a cluster does not run as it should. */
export class HaproxyError extends ReconcileError<HaproxyReason> {
  constructor(reason: HaproxyReason, message: string) {
    super(reason, message, { retry: 'later' });
  }
}
