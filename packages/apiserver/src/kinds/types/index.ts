export { isScalar, type MessageField, messageNames, messageOfKind, type MessageType, messageType } from './messages.js';
export { schemaOf } from './schema.js';
export { schemaPropsMessage, type SpecialForm, specialForm } from './special.js';
export { decodeTyped, jsonFieldsOf } from './decode-typed.js';
export { completeTyped, emptyStructs } from './empty-structs.js';
