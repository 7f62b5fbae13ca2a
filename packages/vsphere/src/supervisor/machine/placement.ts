import type { ReconcileContext } from '@slipway/runtime';
import type { SupervisorMachine, VirtualMachine } from '../../api/index.js';
import type { ObservedMachine, VmWaiting } from '../../machine/index.js';

/** Where a machine goes, as far as that is decided. */
export interface Placement {
  readonly zone?: string;
  readonly groupName?: string;
  readonly affinity?: NonNullable<NonNullable<VirtualMachine['spec']>['affinity']>;
}

type PlacementResult =
  | { readonly type: 'placed'; readonly placement: Placement }
  /** The group that places the machine does not know it yet. */
  | VmWaiting<SupervisorMachine>;

export type PlacementFinder = (
  observed: ObservedMachine<SupervisorMachine>,
  context: ReconcileContext,
) => Promise<PlacementResult>;

/** By what the Machine says, and nothing else. */
export const placeByFailureDomain: PlacementFinder = ({ machine }) => {
  const { failureDomain } = machine.spec;
  return Promise.resolve({ type: 'placed', placement: failureDomain === undefined ? {} : { zone: failureDomain } });
};
