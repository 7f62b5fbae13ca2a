const int64Max = 9_223_372_036_854_775_807n;
const int64Min = -9_223_372_036_854_775_808n;

/** Converts a JSON integer like Go: exact within 64 bits, a double beyond. Safe integers become numbers. */
export function normalizeInteger(value: bigint): number | bigint {
  const approximate = Number(value);
  if (Number.isSafeInteger(approximate)) return approximate;
  return value >= int64Min && value <= int64Max ? value : approximate;
}
