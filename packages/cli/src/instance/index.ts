export type { DataDirectory } from './data-directory.js';
export { dataDirectory, defaultDataDirectory, machineFolders } from './data-directory.js';
export type { Instance } from './run-file.js';
export { findInstance } from './run-file.js';
export { makeDirectory } from './data-directory.js';
export { probe } from './probe.js';
export { removeRunFile, writeRunFile } from './run-file.js';
