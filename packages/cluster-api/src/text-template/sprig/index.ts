import { goFunctions } from '../go-functions.js';
import type { TemplateFunctions } from '../template-values.js';
import { dictionaryFunctions } from './dictionary-functions.js';
import { encodingFunctions } from './encoding-functions.js';
import { listFunctions } from './list-functions.js';
import { numberFunctions } from './number-functions.js';
import { regexFunctions } from './regex-functions.js';
import { textFunctions } from './text-functions.js';

/**
 * Go's own functions and those of the sprig library that depend on nothing outside: no time, no chance, no environment, no
 * network. These are what patches of a ClusterClass may use.
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
