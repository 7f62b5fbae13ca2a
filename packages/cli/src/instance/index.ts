export type { DataDirectory } from './data-directory.js';
export { dataDirectory, defaultDataDirectory } from './data-directory.js';
export type { Instance } from './find-instance.js';
export { findInstance } from './find-instance.js';
export { makeDirectory } from './make-directory.js';
export type { ProbeAnswer, ProbeOptions } from './probe.js';
export { probe } from './probe.js';
export type { RunFile } from './run-file.js';
export { readRunFile, removeRunFile, writeRunFile } from './run-file.js';
