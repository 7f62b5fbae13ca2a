import type { NewCondition } from '@slipway/runtime';

export type HealthCheckChange =
  /** Conditions on a Machine. `deprecated` is the v1beta1 form of a failed check. */
  | {
      readonly verb: 'patch';
      readonly machine: string;
      readonly conditions: readonly NewCondition[];
      readonly deprecated?: { readonly reason: string; readonly message: string };
      readonly reason: string;
      readonly message: string;
    }
  /** An object of the remediation template's kind, named like the Machine. */
  | {
      readonly verb: 'create-request';
      readonly machine: string;
      /** Kind of the request: that of the template without `Template`. */
      readonly kind: string;
      readonly reason: string;
      readonly message: string;
    }
  | {
      readonly verb: 'delete-request';
      readonly machine: string;
      readonly kind: string;
      readonly reason: 'HealthyAgain';
      readonly message: string;
    };

export interface HealthCheckEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: 'RemediationRestricted' | 'MachineMarkedUnhealthy' | 'DetectedUnhealthy';
  /** Name of the Machine it is about; the health check itself otherwise. */
  readonly machine?: string;
  readonly message: string;
}

export interface HealthCheckPlan {
  readonly status: {
    readonly expectedMachines: number;
    readonly currentHealthy: number;
    readonly remediationsAllowed: number;
    readonly targets: readonly string[];
  };
  /** `RemediationAllowed`. */
  readonly condition: NewCondition;
  readonly changes: readonly HealthCheckChange[];
  readonly events: readonly HealthCheckEvent[];
  readonly requeueAfterMs: number | undefined;
}
