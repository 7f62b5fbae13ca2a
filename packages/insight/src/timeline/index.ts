export { changedObjectOf, type TimelineChange } from './changes.js';
export { readHistory, readObjectHistory } from './read-history.js';
export { type Phase, type Timeline, type TimelineEntry, timelineOf } from './timeline.js';
