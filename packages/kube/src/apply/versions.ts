import type { JsonObject } from '../json/index.js';
import type { Schema } from '../schema/index.js';
import { type FieldType, rootFieldType } from './field-type.js';

/** Converts an object to the API versions in which other field managers applied it. */
export interface VersionPort {
  /**
   * Returns the schema of a version. Managers at a version without a schema are removed. Throws a StatusError if managers at this
   * version make an apply fail.
   */
  schemaOf(apiVersion: string): Schema | undefined;
  convert(object: JsonObject, apiVersion: string): JsonObject | Promise<JsonObject>;
}

/** The versions of a kind within one request. Without a converter all versions are treated as equal. */
export class Versions {
  readonly #own: string;
  readonly #type: FieldType;
  readonly #port: VersionPort | undefined;

  constructor(apiVersion: string, schema: Schema, port: VersionPort | undefined) {
    this.#own = apiVersion;
    this.#type = rootFieldType(schema);
    this.#port = port;
  }

  get ownType(): FieldType {
    return this.#type;
  }

  typeOf(apiVersion: string): FieldType | undefined {
    if (apiVersion === this.#own || this.#port === undefined) return this.#type;
    const schema = this.#port.schemaOf(apiVersion);
    return schema === undefined ? undefined : rootFieldType(schema);
  }

  isOwn(apiVersion: string): boolean {
    return apiVersion === this.#own || this.#port === undefined;
  }

  convert(object: JsonObject, apiVersion: string): JsonObject | Promise<JsonObject> {
    if (this.#port === undefined || object['apiVersion'] === apiVersion) return object;
    return this.#port.convert(object, apiVersion);
  }
}
