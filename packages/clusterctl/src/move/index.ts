export { moveFromDirectory, moveToDirectory } from './directory.js';
export { move, type MoveOptions, type MoveProgress, previewMove } from './move.js';
export { MoveError } from './move-error.js';
export type { MoveReport } from './move-report.js';
