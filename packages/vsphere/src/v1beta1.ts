import { markTrue, reasons, setV1beta1Condition, setV1beta1Summary, type V1beta1Target } from '@slipway/cluster-api';
import type { ReportedCondition } from '@slipway/provider-kit';

/** Maps a reason to the reason of the deprecated v1beta1 condition, where the two differ. */
const v1beta1Reasons: ReadonlyMap<string, string> = new Map([
  [reasons.waitingForClusterInfrastructureReady, 'WaitingForClusterInfrastructure'],
  [reasons.waitingForControlPlaneInitialized, 'WaitingForControlPlaneAvailable'],
]);

/**
 * Returns a function that writes deprecated v1beta1 conditions and their summary. `types` maps current condition types to
 * deprecated ones.
 */
export function mirrorConditions(
  types: Readonly<Record<string, string>>,
): (draft: object, reported: readonly ReportedCondition[], nowMs: number) => void {
  return (draft, reported, nowMs) => {
    const target = draft as V1beta1Target;
    for (const { type: reportedType, status, reason, message = '', v1beta1 } of reported) {
      const type = types[reportedType];
      if (type === undefined) continue;
      const oldReason = v1beta1Reasons.get(reason) ?? reason;
      if (status === 'True') markTrue(target, type, nowMs);
      else
        setV1beta1Condition(target, { type, status, reason: oldReason, severity: 'Info', message, ...v1beta1 }, nowMs);
    }
    setV1beta1Summary(target, { types: Object.values(types) }, nowMs);
  };
}
