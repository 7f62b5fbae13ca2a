import type { KindAdmission } from '@slipway/cluster-api';
import { createSupervisorAdmission, type SupervisorAdmissionOptions } from './supervisor.js';
import { vcenterAdmission } from './vcenter.js';

/** Admission of the kinds of this package: defaulting and validation. */
export function createVSphereAdmission(options: SupervisorAdmissionOptions = {}): readonly KindAdmission[] {
  return [...vcenterAdmission, ...createSupervisorAdmission(options)];
}
