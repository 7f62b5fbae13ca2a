import type { Conversion } from '@slipway/cluster-api';
import { supervisorConversions } from './supervisor.js';
import { vcenterConversions } from './vcenter.js';

/** The conversions between every old version and the storage version of this package's kinds. */
export const vsphereConversions: readonly Conversion[] = [...vcenterConversions, ...supervisorConversions];
