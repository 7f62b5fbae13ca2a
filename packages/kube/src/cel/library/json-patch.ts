import type { Library } from './function.js';
import { asText } from './function.js';

/** Only mutating admission policies have it. */
export const jsonPatchLibrary: Library = {
  'jsonpatch.escapeKey': [
    [
      'string_jsonpatch_escapeKey_string',
      '(string): string',
      (key) => asText(key).replace(/[~/]/g, (found) => (found === '/' ? '~1' : '~0')),
    ],
  ],
};
