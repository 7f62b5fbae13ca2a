import { CliError, messageOf, systemCode } from './cli-error.js';

const meanings: Readonly<Record<string, { readonly what: string; readonly remedy: string }>> = {
  EACCES: { what: 'permission denied', remedy: 'choose a place that this user may use, or change its permissions' },
  EPERM: { what: 'not permitted', remedy: 'choose a place that this user may use, or change its permissions' },
  EROFS: { what: 'the file system is read-only', remedy: 'choose a place that can be written' },
  ENOSPC: { what: 'no space is left on the disk', remedy: 'free some space there, or choose another place' },
  EDQUOT: { what: 'the disk quota is used up', remedy: 'free some space there, or choose another place' },
  ENOENT: { what: 'no such file or directory', remedy: 'check the path' },
  ENOTDIR: { what: 'a part of the path is a file, not a directory', remedy: 'check the path' },
  EEXIST: { what: 'a file of that name is in the way', remedy: 'check the path' },
  EISDIR: { what: 'it is a directory', remedy: 'give the path of a file' },
};

/** Runs `work` on a file, and says which one it was when the system refuses. */
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
