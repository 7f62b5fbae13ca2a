export type { MessageField, MessageType } from './messages.js';
export { isScalar, messageNames, messageOfKind, messageType } from './messages.js';
export { refNameOf, schemaOf } from './schema.js';
export type { SpecialForm } from './special.js';
export { schemaPropsMessage, specialForm } from './special.js';
export { decodeMetadata, decodeTyped, jsonFieldsOf } from './decode-typed.js';
export { completeTyped, emptyStructs } from './empty-structs.js';
