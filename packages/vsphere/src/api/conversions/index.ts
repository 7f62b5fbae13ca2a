import type { Conversion } from '@slipway/cluster-api';
import { supervisorConversions } from './supervisor.js';
import { vcenterConversions } from './vcenter.js';

/** Every old version of a kind of this package, with its way to the storage version and back. */
export const vsphereConversions: readonly Conversion[] = [...vcenterConversions, ...supervisorConversions];
