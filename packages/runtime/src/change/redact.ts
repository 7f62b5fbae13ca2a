/**
 * Redacts text that looks like a credential. Many users can read events and debug pages, and messages may quote errors of other
 * programs. Every pattern runs in linear time.
 */
const patterns: readonly [RegExp, string][] = [
  [/-----BEGIN [A-Z0-9 ]{1,64}-----[^-]*(?:-----END [A-Z0-9 ]{1,64}-----)?/g, '[hidden]'],
  [/\b(bearer|basic)\s+[\w+/=.~-]{8,}/gi, '$1 [hidden]'],
  [/\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g, '[hidden]'],
  // A kubeadm bootstrap token.
  [/\b[a-z0-9]{6}\.[a-z0-9]{16}\b/g, '[hidden]'],
  [/(:\/\/[^\s/:@]{1,256}):[^\s/@]{1,256}@/g, '$1:[hidden]@'],
  [/\b(password|passwd|secret|token|api[-_]?key)(["']?\s{0,4}[:=]\s{0,4}["']?)[^\s"',;&]{1,512}/gi, '$1$2[hidden]'],
];

export function redact(text: string): string {
  let result = text;
  for (const [pattern, replacement] of patterns) result = result.replace(pattern, replacement);
  return result;
}
