/** A JSON value. Integers that a double cannot hold are bigints, so that 64-bit fields survive digit for digit. */
export type JsonValue = JsonScalar | JsonArray | JsonObject;
type JsonScalar = string | number | bigint | boolean | null;
export type JsonArray = readonly JsonValue[];
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

/** The same while it is being built: decoding, defaulting and admission own the object and change it in place. */
export type MutableJson = JsonScalar | MutableJson[] | MutableJsonObject;
export interface MutableJsonObject {
  [key: string]: MutableJson | undefined;
}
