import type { ConditionSeverity } from '@slipway/runtime';

/** What is wrong with a zone, as the reason of one of its conditions. */
export class ZoneError extends Error {
  constructor(
    readonly condition: 'placement' | 'failureDomain',
    readonly reason: string,
    message: string,
    readonly old: readonly [string, ConditionSeverity] = [reason, 'Error'],
  ) {
    super(message);
    this.name = 'ZoneError';
  }
}
