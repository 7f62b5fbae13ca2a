export type { PhaseName } from './milestones.js';
export { readHistory, readObjectHistory } from './read-history.js';
export { type CriticalStep, type Phase, type Timeline, type TimelineEntry, timelineOf } from './timeline.js';
