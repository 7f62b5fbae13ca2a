export { type FetchedResponse, fetchText, fetchUrl, type FetchWorld } from './fetch-url.js';
