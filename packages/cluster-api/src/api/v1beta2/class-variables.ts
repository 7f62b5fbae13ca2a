import {
  anyValue,
  atomicList,
  boolean,
  enumeration,
  int64,
  mapList,
  object,
  optional,
  string,
} from '@slipway/kube/kit';
import { templateMetadata } from '../shared/metadata.js';

export const variableSchema = object({
  openAPIV3Schema: object(
    {
      additionalProperties: optional(anyValue()),
      allOf: optional(anyValue()),
      anyOf: optional(anyValue()),
      default: optional(anyValue()),
      description: optional(string({ minLength: 1, maxLength: 4096 })),
      enum: optional(atomicList(anyValue(), { maxItems: 100 })),
      example: optional(anyValue()),
      exclusiveMaximum: optional(boolean()),
      exclusiveMinimum: optional(boolean()),
      format: optional(string({ minLength: 1, maxLength: 32 })),
      items: optional(anyValue()),
      maxItems: optional(int64()),
      maxLength: optional(int64()),
      maxProperties: optional(int64()),
      maximum: optional(int64()),
      minItems: optional(int64()),
      minLength: optional(int64()),
      minProperties: optional(int64()),
      minimum: optional(int64()),
      not: optional(anyValue()),
      oneOf: optional(anyValue()),
      pattern: optional(string({ minLength: 1, maxLength: 512 })),
      properties: optional(anyValue()),
      required: optional(atomicList(string({ minLength: 1, maxLength: 256 }), { minItems: 1, maxItems: 1000 })),
      type: optional(enumeration(['object', 'array', 'string', 'integer', 'number', 'boolean'])),
      uniqueItems: optional(boolean()),
      'x-kubernetes-int-or-string': optional(boolean()),
      'x-kubernetes-preserve-unknown-fields': optional(boolean()),
      'x-kubernetes-validations': optional(
        mapList(
          object({
            fieldPath: optional(string({ minLength: 1, maxLength: 512 })),
            message: optional(string({ minLength: 1, maxLength: 512 })),
            messageExpression: optional(string({ minLength: 1, maxLength: 1024 })),
            reason: optional(
              enumeration(['FieldValueInvalid', 'FieldValueForbidden', 'FieldValueRequired', 'FieldValueDuplicate'], {
                default: 'FieldValueInvalid',
              }),
            ),
            rule: string({ minLength: 1, maxLength: 4096 }),
          }),
          ['rule'],
          { minItems: 1, maxItems: 100 },
        ),
      ),
      'x-metadata': optional(templateMetadata),
    },
    { minProperties: 1 },
  ),
});

export const classVariables = atomicList(
  object({
    deprecatedV1Beta1Metadata: optional(templateMetadata),
    name: string({ minLength: 1, maxLength: 256 }),
    required: boolean(),
    schema: variableSchema,
  }),
  { description: 'The variables that clusters of this class may set.', minItems: 1, maxItems: 1000 },
);

export const classVariableStatus = atomicList(
  object({
    definitions: atomicList(
      object({
        deprecatedV1Beta1Metadata: optional(templateMetadata),
        from: string({ minLength: 1, maxLength: 256 }),
        required: boolean(),
        schema: variableSchema,
      }),
      { minItems: 1, maxItems: 100 },
    ),
    definitionsConflict: optional(boolean()),
    name: string({ minLength: 1, maxLength: 256 }),
  }),
  { maxItems: 1000 },
);
