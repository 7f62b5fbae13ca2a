import type { Library } from './function.js';
import { asText } from './function.js';

/** For mutating admission policies only. */
export const jsonPatchLibrary: Library = {
  'jsonpatch.escapeKey': [
    [
      'string_jsonpatch_escapeKey_string',
      '(string): string',
      (key) => asText(key).replace(/[~/]/g, (found) => (found === '/' ? '~1' : '~0')),
    ],
  ],
};
