import { readFile } from 'node:fs/promises';
import type { Content } from '../connection-config.js';
import { ConnectionError } from '../connection-error.js';

export async function readContent(content: Content, subject: string): Promise<string> {
  if ('data' in content) return content.data;
  try {
    return await readFile(content.file, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new ConnectionError('unreachable', `cannot read the ${subject} from ${content.file}: ${code}`, {
      unsent: true,
      cause: error,
    });
  }
}
