export { type Clock, sleep, type Timer } from './clock.js';
export type { Random } from './random.js';
export { seededRandom } from './seeded-random.js';
export { systemClock } from './system-clock.js';
export { systemRandom } from './system-random.js';
export { VirtualClock } from './virtual-clock.js';
