export type { OpenApiDocument } from './documents.js';
export { OpenApiDocuments } from './documents.js';
