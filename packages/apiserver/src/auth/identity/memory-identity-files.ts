import type { IdentityFiles } from './identity-files.js';

/** Keeps identity files in memory, for a server that lives no longer than its process. */
export function memoryIdentityFiles(texts = new Map<string, string>()): IdentityFiles {
  return {
    read: (name) => Promise.resolve(texts.get(name)),
    write: (name, text) => {
      texts.set(name, text);
      return Promise.resolve();
    },
  };
}
