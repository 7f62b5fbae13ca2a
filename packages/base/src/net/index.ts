export { listenOn } from './listen.js';
