export type { Schema, SchemaType, ValidationRule } from './schema.js';
