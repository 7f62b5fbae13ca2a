export type { PrinterColumn } from './custom-columns.js';
export { customColumns, defaultPrinter, nameColumn } from './custom-columns.js';
export type { ViewVersion } from './partial-metadata.js';
export { encodeMetadata } from './partial-metadata.js';
export type { IncludeObject, TableMeta, TableOptions } from './render-table.js';
export { parseIncludeObject, renderBookmarkTable, renderTable } from './render-table.js';
