/** A JSON value. Integers that a double cannot represent are bigints, so that 64-bit fields stay exact. */
export type JsonValue = JsonScalar | JsonArray | JsonObject;
type JsonScalar = string | number | bigint | boolean | null;
export type JsonArray = readonly JsonValue[];
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

/** A mutable JSON value: decoding, defaulting and admission own the object and change it in place. */
export type MutableJson = JsonScalar | MutableJson[] | MutableJsonObject;
export interface MutableJsonObject {
  [key: string]: MutableJson | undefined;
}
