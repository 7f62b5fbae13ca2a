export { type FetchedResponse, type FetchOptions, fetchText, fetchUrl, type FetchWorld } from './fetch-url.js';
