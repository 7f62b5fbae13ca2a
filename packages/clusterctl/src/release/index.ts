export { writeRelease } from './write-release.js';
