import { authorizationLibrary } from './authorization.js';
import { dateLibrary } from './dates.js';
import { formatLibrary } from './formats.js';
import { FunctionTable } from './function.js';
import { jsonPatchLibrary } from './json-patch.js';
import { listLibrary } from './lists.js';
import { networkLibrary } from './networks.js';
import { optionalLibrary } from './optionals.js';
import { quantityLibrary } from './quantities.js';
import { regexLibrary } from './regex.js';
import { semverLibrary } from './semvers.js';
import { conversionLibrary, standardLibrary } from './standard.js';
import { stringLibrary } from './strings.js';
import { urlLibrary } from './urls.js';

export type { AccessQuestion } from './authorization.js';
export { authorizerValue, requestResourceValue } from './authorization.js';
export { formatRegexSize } from './formats.js';
export type { FunctionDeclaration, Overload } from './function.js';
export { dispatch, FunctionTable, runtimeType } from './function.js';
export { compileRegex } from './regex.js';
export { CLAUSES, parseFormat } from './string-format.js';

function baseTable(): FunctionTable {
  return new FunctionTable()
    .add(standardLibrary, true)
    .add(dateLibrary, true)
    .add(conversionLibrary)
    .add(stringLibrary)
    .add(listLibrary)
    .add(optionalLibrary)
    .add(regexLibrary)
    .add(urlLibrary)
    .add(networkLibrary)
    .add(quantityLibrary)
    .add(semverLibrary)
    .add(formatLibrary)
    .add(authorizationLibrary);
}

/** The CEL functions of kube-apiserver 1.36 for rules and policies. */
export const baseFunctions: FunctionTable = baseTable();
/** The functions for mutating policies: the base functions, and those that only mutating policies have. */
export const mutationFunctions: FunctionTable = baseTable().add(jsonPatchLibrary);
