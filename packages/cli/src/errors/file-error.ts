import { CliError, messageOf, systemCode } from './cli-error.js';

const meanings: Readonly<Record<string, { readonly what: string; readonly remedy: string }>> = {
  EACCES: {
    what: 'permission denied',
    remedy: 'choose a path that this user has access to, or change its permissions',
  },
  EPERM: {
    what: 'operation not permitted',
    remedy: 'choose a path that this user has access to, or change its permissions',
  },
  EROFS: { what: 'the file system is read-only', remedy: 'choose a writable path' },
  ENOSPC: { what: 'no space left on the disk', remedy: 'free some space, or choose another path' },
  EDQUOT: { what: 'disk quota exceeded', remedy: 'free some space, or choose another path' },
  ENOENT: { what: 'no such file or directory', remedy: 'check the path' },
  ENOTDIR: { what: 'a component of the path is not a directory', remedy: 'check the path' },
  EEXIST: { what: 'a file with this name already exists', remedy: 'check the path' },
  EISDIR: { what: 'the path is a directory', remedy: 'use the path of a file' },
};

/** Runs `work` on a file and adds the path to a system error. */
export async function onFile<T>(doing: string, path: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    const meaning = meanings[code];
    throw new CliError(`cannot ${doing} ${path}: ${meaning?.what ?? messageOf(error)}`, {
      remedy: meaning?.remedy,
      cause: error,
    });
  }
}
