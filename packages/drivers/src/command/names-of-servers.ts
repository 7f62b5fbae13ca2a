/** A name that Kubernetes takes, from the address of a server: colons, capitals and length do not matter. */
export function objectNameOf(server: string, suffix: string): string {
  const cleaned = server
    .toLowerCase()
    .replace(/[^a-z0-9.-]+/g, '-')
    .replace(/^[^a-z0-9]+/, 'v');
  return `${cleaned.slice(0, 250 - suffix.length).replace(/[^a-z0-9]+$/, '')}${suffix}`;
}
