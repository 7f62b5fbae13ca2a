import type { Frozen } from '@slipway/kube';
import type { Machine, MachineSet } from '../api/index.js';
import type { DeletionCause } from './delete-priority.js';

export type ObservedMachineSet = Frozen<MachineSet>;

/** Why no machine is made although some are missing. */
export type CreateBlock = 'MachineCreationDisabled' | 'TemplatesMissing' | 'PreflightChecksFailed';

export type ReplicaChange =
  | {
      readonly verb: 'create';
      readonly name: string;
      readonly reason: 'ScalingUp';
      readonly message: string;
    }
  | {
      readonly verb: 'delete';
      readonly name: string;
      readonly uid: string | undefined;
      readonly reason: 'ScalingDown';
      readonly cause: DeletionCause;
      readonly message: string;
    };

export interface ReplicaPlan {
  readonly changes: readonly ReplicaChange[];
  /** What keeps the set from growing, and how often to look again. */
  readonly blocked: { readonly reason: CreateBlock; readonly messages: readonly string[] } | undefined;
  readonly requeueAfterMs: number | undefined;
}

export type MachineIntent = Pick<Machine, 'apiVersion' | 'kind' | 'spec'> & {
  readonly metadata: Pick<
    Machine['metadata'],
    'name' | 'namespace' | 'uid' | 'labels' | 'annotations' | 'ownerReferences' | 'finalizers'
  >;
};
