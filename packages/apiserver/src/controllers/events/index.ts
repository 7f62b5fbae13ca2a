export { EventExpiry } from './event-expiry.js';
