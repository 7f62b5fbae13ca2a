export type { Override } from './arbitrary-value.js';
export { checkNewOldNew, checkOldNewOld, type RoundTripOptions } from './round-trip.js';
export { admissionOf, everyFeature, objectOfKind, problemsOf } from './admission.js';
export { checkAdmission, checkAdmissionOfOld } from './admission-properties.js';
