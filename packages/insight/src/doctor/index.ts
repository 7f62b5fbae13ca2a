export { type Area, areas, type Diagnosis, type Report, type Severity } from './diagnosis.js';
export { examine } from './examine.js';
export { type Facts, type FactsOptions, readFacts, type SeenCertificate } from './facts.js';
