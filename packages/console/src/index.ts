export { whoAmI } from './access/reviews.js';
export { Console, type ConsoleOptions, consolePath } from './console.js';
export type { Doorkeeper, Person } from './sessions/person.js';
