/** Converts the address of a server to a valid object name. */
export function objectNameOf(server: string, suffix: string): string {
  const cleaned = server
    .toLowerCase()
    .replace(/[^a-z0-9.-]+/g, '-')
    .replace(/^[^a-z0-9]+/, 'v');
  return `${cleaned.slice(0, 250 - suffix.length).replace(/[^a-z0-9]+$/, '')}${suffix}`;
}
