export { registerNode, startApiServer, startEtcd } from './boot.js';
export type { Guest } from './guest.js';
export { createGuests, type Guests } from './guests.js';
export { removeMachine } from './remove.js';
