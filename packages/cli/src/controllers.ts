import type { ControllerSet } from '@slipway/runtime';

/** Every set of controllers that this program carries: `manager` runs them on a Kubernetes, `up` in its own process. */
export const controllerSets: readonly ControllerSet[] = [];
