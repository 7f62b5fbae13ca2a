import { isPlainObject } from './json-shape.js';

const texts = new Map<number, string>([
  [400, 'the server rejected our request for an unknown reason'],
  [401, 'the server has asked for the client to provide credentials'],
  [404, 'the server could not find the requested resource'],
  [405, 'the server does not allow this method on the requested resource'],
  [409, 'the server reported a conflict'],
  [422, 'the server rejected our request due to an error in our request'],
  [429, 'the server has received too many requests and has asked us to try again later'],
  [503, 'the server is currently unable to handle the request'],
  [504, 'the server was unable to return a response in the time allotted, but may still be processing the request'],
]);

/** Go's client quotes at most this much of an unexpected body. */
const quotedBytesMax = 2048;

/**
 * Returns the error message of an unsuccessful response, in the wording of the Go client. `parsed` is its body if that is JSON.
 */
export function answerErrorText(code: number, body: Buffer, parsed: unknown): string {
  if (isPlainObject(parsed) && parsed['kind'] === 'Status' && typeof parsed['message'] === 'string')
    return parsed['message'];
  const known = texts.get(code);
  if (known !== undefined) return known;
  const excerpt = body.subarray(0, quotedBytesMax).toString('utf8').trim();
  if (code === 403 || code === 413 || code === 415) return excerpt === '' ? 'unknown' : excerpt;
  if (code >= 500)
    return `an error on the server (${JSON.stringify(excerpt === '' ? 'unknown' : excerpt)}) has prevented the request from succeeding`;
  return `the server responded with the status code ${code} but did not return more information`;
}
