export { type FetchedResponse, type FetchOptions, fetchText, fetchUrl, type FetchDependencies } from './fetch-url.js';
