/**
 * - `Unreachable`: no connection, or it was lost
 * - `Untrusted`: the certificate of one side was refused by the other
 * - `Timeout`: no answer in time
 * - `NoLeader`: the cluster has no leader, or no quorum
 * - `Refused`: the cluster answered, and said no
 * - `Protocol`: the answer was none that etcd gives
 */
export type EtcdReason = 'Unreachable' | 'Untrusted' | 'Timeout' | 'NoLeader' | 'Refused' | 'Protocol';

/** What was being done. */
export type EtcdStep = 'connect' | 'members' | 'alarms' | 'remove member' | 'move leader';

/** Asking etcd failed. The message is fit for a condition. */
export class EtcdError extends Error {
  readonly reason: EtcdReason;
  readonly step: EtcdStep;

  constructor(reason: EtcdReason, step: EtcdStep, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EtcdError';
    this.reason = reason;
    this.step = step;
  }
}
