export type { DataDirectory } from './data-directory.js';
export { dataDirectory, defaultDataDirectory, machineFolders } from './data-directory.js';
export type { Instance } from './find-instance.js';
export { findInstance } from './find-instance.js';
export { makeDirectory } from './make-directory.js';
export { probe } from './probe.js';
export { removeRunFile, writeRunFile } from './run-file.js';
