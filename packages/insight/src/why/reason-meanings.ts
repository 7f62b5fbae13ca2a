import { coreReasons } from './core-reasons.js';
import { providerReasons } from './provider-reasons.js';

/**
 * The meaning of every condition and wait reason. docs/reference/condition-reasons.md is generated from it; its test fails for a
 * reason in the source code of a controller that has no meaning here.
 */
export const reasonMeanings: Readonly<Record<string, string>> = { ...coreReasons, ...providerReasons };
