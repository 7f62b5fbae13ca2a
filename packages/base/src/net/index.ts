export { listenOn } from './listen.js';
export { tlsTrust } from './tls-trust.js';
