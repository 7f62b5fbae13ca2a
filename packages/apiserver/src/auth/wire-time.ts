/** A time as metav1.Time prints it: UTC, whole seconds. */
export function wireTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
