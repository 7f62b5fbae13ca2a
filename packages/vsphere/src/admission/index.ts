import type { KindAdmission } from '@slipway/cluster-api';
import { createSupervisorAdmission, type SupervisorAdmissionOptions } from './supervisor.js';
import { vcenterAdmission } from './vcenter.js';

export type { SupervisorAdmissionOptions } from './supervisor.js';

/** What is done to objects of this package's kinds before they are stored. */
export function createVSphereAdmission(options: SupervisorAdmissionOptions = {}): readonly KindAdmission[] {
  return [...vcenterAdmission, ...createSupervisorAdmission(options)];
}
