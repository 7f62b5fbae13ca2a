export { refuseEmbedded } from './refuse-embedded.js';
export { explainFailure } from './explain-failure.js';
export { readStandardInput } from '../terminal/read-standard-input.js';
export { templateSource } from './template-source.js';
export { type CommandWorld, withRepositories } from './with-repositories.js';
export { writeResult } from '../output/write-result.js';
