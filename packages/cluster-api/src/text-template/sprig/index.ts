import { goFunctions } from '../go-functions.js';
import type { TemplateFunctions } from '../template-values.js';
import { dictionaryFunctions } from './dictionary-functions.js';
import { encodingFunctions } from './encoding-functions.js';
import { listFunctions } from './list-functions.js';
import { numberFunctions } from './number-functions.js';
import { regexFunctions } from './regex-functions.js';
import { textFunctions } from './text-functions.js';

/**
 * Go's built-in functions and the deterministic sprig functions: no time, randomness, environment or network. ClusterClass
 * patches may use these.
 */
export const sprigFunctions: TemplateFunctions = new Map([
  ...goFunctions,
  ...textFunctions,
  ...regexFunctions,
  ...listFunctions,
  ...dictionaryFunctions,
  ...numberFunctions,
  ...encodingFunctions,
]);
