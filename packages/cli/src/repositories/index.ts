export { refuseEmbedded } from './refuse-embedded.js';
export { explainFailure } from './with-repositories.js';
export { templateSource } from './template-source.js';
export { type CommandContext, withRepositories } from './with-repositories.js';
