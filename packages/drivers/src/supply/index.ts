export { createFetch, type FetchDocument } from './fetch-document.js';
export { matrixOrigin } from './matrix-origin.js';
export { MatrixSupply, type SuppliedMatrix } from './matrix-supply.js';
export { TemplateSupply } from './template-supply.js';
