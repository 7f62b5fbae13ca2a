export { refuseEmbedded } from './refuse-embedded.js';
export { explainFailure } from './with-repositories.js';
export { templateSource } from './template-source.js';
export { type CommandWorld, withRepositories } from './with-repositories.js';
