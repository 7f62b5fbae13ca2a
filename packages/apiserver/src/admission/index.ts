export type { AdmissionPlugin, AdmissionRequest, Operation } from './admission.js';
