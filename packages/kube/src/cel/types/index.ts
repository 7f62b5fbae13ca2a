export * from './cel-type.js';
export { namedType, parseSignature, type Signature } from './signature.js';
export { assign, mostGeneral, Substitutions, substitute } from './unify.js';
