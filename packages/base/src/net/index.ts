export { listenOn } from './listen.js';
export { advertisedAddress } from './host-address.js';
export { httpsExchange } from './https-exchange.js';
export { tlsTrust } from './tls-trust.js';
