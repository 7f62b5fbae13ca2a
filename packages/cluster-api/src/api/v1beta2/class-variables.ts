import {
  anyValue,
  atomicList,
  boolean,
  enumeration,
  int64,
  mapList,
  object,
  optional,
  refine,
  string,
} from '@slipway/kube/kit';
import { templateMetadata } from '../shared/metadata.js';
import { variableTexts } from '../texts/class-variables.js';

export const variableSchema = object(
  {
    openAPIV3Schema: object(
      {
        additionalProperties: optional(anyValue({ description: variableTexts.additionalProperties })),
        allOf: optional(anyValue({ description: variableTexts.allOf })),
        anyOf: optional(anyValue({ description: variableTexts.anyOf })),
        default: optional(anyValue({ description: variableTexts.default })),
        description: optional(
          string({ minLength: 1, maxLength: 4096, description: variableTexts.openAPIV3SchemaDescription }),
        ),
        enum: optional(atomicList(anyValue(), { maxItems: 100, description: variableTexts.enum })),
        example: optional(anyValue({ description: variableTexts.example })),
        exclusiveMaximum: optional(boolean({ description: variableTexts.exclusiveMaximum })),
        exclusiveMinimum: optional(boolean({ description: variableTexts.exclusiveMinimum })),
        format: optional(string({ minLength: 1, maxLength: 32, description: variableTexts.format })),
        items: optional(anyValue({ description: variableTexts.items })),
        maxItems: optional(int64({ description: variableTexts.maxItems })),
        maxLength: optional(int64({ description: variableTexts.maxLength })),
        maxProperties: optional(int64({ description: variableTexts.maxProperties })),
        maximum: optional(int64({ description: variableTexts.maximum })),
        minItems: optional(int64({ description: variableTexts.minItems })),
        minLength: optional(int64({ description: variableTexts.minLength })),
        minProperties: optional(int64({ description: variableTexts.minProperties })),
        minimum: optional(int64({ description: variableTexts.minimum })),
        not: optional(anyValue({ description: variableTexts.not })),
        oneOf: optional(anyValue({ description: variableTexts.oneOf })),
        pattern: optional(string({ minLength: 1, maxLength: 512, description: variableTexts.pattern })),
        properties: optional(anyValue({ description: variableTexts.properties })),
        required: optional(
          atomicList(string({ minLength: 1, maxLength: 256 }), {
            minItems: 1,
            maxItems: 1000,
            description: variableTexts.openAPIV3SchemaRequired,
          }),
        ),
        type: optional(
          enumeration(['object', 'array', 'string', 'integer', 'number', 'boolean'], {
            description: variableTexts.type,
          }),
        ),
        uniqueItems: optional(boolean({ description: variableTexts.uniqueItems })),
        'x-kubernetes-int-or-string': optional(boolean({ description: variableTexts.xKubernetesIntOrString })),
        'x-kubernetes-preserve-unknown-fields': optional(
          boolean({ description: variableTexts.xKubernetesPreserveUnknownFields }),
        ),
        'x-kubernetes-validations': optional(
          mapList(
            object({
              fieldPath: optional(string({ minLength: 1, maxLength: 512, description: variableTexts.fieldPath })),
              message: optional(string({ minLength: 1, maxLength: 512, description: variableTexts.message })),
              messageExpression: optional(
                string({ minLength: 1, maxLength: 1024, description: variableTexts.messageExpression }),
              ),
              reason: optional(
                enumeration(['FieldValueInvalid', 'FieldValueForbidden', 'FieldValueRequired', 'FieldValueDuplicate'], {
                  default: 'FieldValueInvalid',
                  description: variableTexts.reason,
                }),
              ),
              rule: string({ minLength: 1, maxLength: 4096, description: variableTexts.rule }),
            }),
            ['rule'],
            { minItems: 1, maxItems: 100, description: variableTexts.xKubernetesValidations },
          ),
        ),
        'x-metadata': optional(refine(templateMetadata, { description: variableTexts.xMetadata })),
      },
      { minProperties: 1, description: variableTexts.openAPIV3Schema },
    ),
  },
  { description: variableTexts.variableSchema },
);

export const classVariables = atomicList(
  object({
    deprecatedV1Beta1Metadata: optional(
      refine(templateMetadata, { description: variableTexts.deprecatedV1Beta1Metadata }),
    ),
    name: string({ minLength: 1, maxLength: 256, description: variableTexts.name }),
    required: boolean({ description: variableTexts.required }),
    schema: variableSchema,
  }),
  {
    description: variableTexts.classVariables,
    minItems: 1,
    maxItems: 1000,
  },
);

export const classVariableStatus = atomicList(
  object({
    definitions: atomicList(
      object({
        deprecatedV1Beta1Metadata: optional(
          refine(templateMetadata, { description: variableTexts.deprecatedV1Beta1Metadata }),
        ),
        from: string({ minLength: 1, maxLength: 256, description: variableTexts.from }),
        required: boolean({ description: variableTexts.required }),
        schema: variableSchema,
      }),
      {
        minItems: 1,
        maxItems: 100,
        description: variableTexts.classVariableStatusDefinitions,
      },
    ),
    definitionsConflict: optional(boolean({ description: variableTexts.definitionsConflict })),
    name: string({ minLength: 1, maxLength: 256, description: variableTexts.name }),
  }),
  {
    maxItems: 1000,
    description: variableTexts.classVariableStatus,
  },
);
