export { listenOn } from './listen.js';
export { advertisedAddress } from './host-address.js';
export { tlsTrust } from './tls-trust.js';
