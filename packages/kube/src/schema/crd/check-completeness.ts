import { type FieldError, requiredField } from '../../errors/index.js';
import { getOwn } from '../model/own-property.js';
import type { Schema } from '../schema.js';
import { foreign, itemsOf } from './foreign-schema.js';

/** Checks that every field in an alternative of the root (anyOf, oneOf, allOf, not) is also specified outside of it. */
export function checkCompleteness(schema: Schema, path: string, errors: FieldError[]): void {
  checkAlternatives(schema, schema, path, path, errors);
}

function checkAlternatives(
  nested: Schema,
  outside: Schema,
  outsidePath: string,
  nestedPath: string,
  errors: FieldError[],
): void {
  if (nested.not !== undefined) checkNested(nested.not, outside, outsidePath, `${nestedPath}.not`, errors);
  for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const) {
    nested[keyword]?.forEach((item, index) => {
      checkNested(item, outside, outsidePath, `${nestedPath}.${keyword}[${index}]`, errors);
    });
  }
}

function checkNested(
  nested: Schema,
  outside: Schema | undefined,
  outsidePath: string,
  nestedPath: string,
  errors: FieldError[],
): void {
  if (outside === undefined) {
    errors.push(requiredField(outsidePath, `because it is defined in ${nestedPath}`));
    return;
  }
  checkAlternatives(nested, outside, outsidePath, nestedPath, errors);
  const items = itemsOf(foreign(nested));
  if (items !== undefined) {
    checkNested(items, itemsOf(foreign(outside)), `${outsidePath}.items`, `${nestedPath}.items`, errors);
  }
  for (const [name, child] of Object.entries(nested.properties ?? {})) {
    const step = `.properties[${name}]`;
    checkNested(child, getOwn(outside.properties ?? {}, name), outsidePath + step, nestedPath + step, errors);
  }
}
