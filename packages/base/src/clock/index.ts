export type { Clock, SleepOptions, Timer } from './clock.js';
export { sleep } from './clock.js';
export { systemClock } from './system-clock.js';
export { VirtualClock } from './virtual-clock.js';
export type { Random } from './random.js';
export { seededRandom } from './seeded-random.js';
export { systemRandom } from './system-random.js';
