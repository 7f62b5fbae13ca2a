export { type WrittenRelease, writeRelease } from './write-release.js';
