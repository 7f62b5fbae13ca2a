// Module hooks of Node.js before 22.15, which run on a separate thread.
import { resolveLibrary } from './resolve-library.js';

let librariesFolder = '';

export function initialize({ folder }: { readonly folder: string }): void {
  librariesFolder = folder;
}

export function resolve<T>(specifier: string, context: T, next: (specifier: string, context: T) => unknown): unknown {
  return resolveLibrary(specifier, librariesFolder) ?? next(specifier, context);
}
