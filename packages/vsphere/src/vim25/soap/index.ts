export { readResponse, type Service, writeRequest } from './envelope.js';
