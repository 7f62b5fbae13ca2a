import { open, readFile, stat } from 'node:fs/promises';
import { prettyLine, sleep, systemClock } from '@slipway/base';
import { CliError, type ExitCode, exitCodes, onFile } from '../../errors/index.js';
import { dataDirectory } from '../../instance/index.js';
import { colourStyle, styleFor } from '../../output/index.js';
import { rotatedLogs } from '../../process/log-file.js';
import type { LogsOptions } from './command.js';

const pollMs = 500;

/** Prints the log of a data directory. */
export async function logs(options: LogsOptions): Promise<ExitCode> {
  const { log, root } = dataDirectory(options.dataDir);
  const files = rotatedLogs(log);
  if (files.length === 0)
    throw new CliError(`no log found in ${root}`, {
      remedy: 'start a management plane with `slipway up`, or set --data-dir to its data directory',
      exitCode: exitCodes.notRunning,
    });
  const texts = await Promise.all(files.map((file) => onFile('read', file, () => readFile(file, 'utf8'))));
  const lines = texts.join('').split('\n');
  const rest = lines.pop() ?? '';
  const recent = lines.filter((line) => isRecent(line, options.since));
  const print = printerFor(options);
  for (const line of options.tail === undefined
    ? recent
    : recent.slice(recent.length - Math.min(options.tail, recent.length)))
    print(line);
  if (!options.follow) return exitCodes.ok;
  await follow(log, Buffer.byteLength(texts.at(-1) ?? '') - Buffer.byteLength(rest), print);
  return exitCodes.interrupted;
}

function isRecent(line: string, sinceMs: number | undefined): boolean {
  if (sinceMs === undefined) return line !== '';
  const [, time] = /"time":(\d+)/.exec(line) ?? [];
  return time !== undefined && Number(time) >= systemClock.now() - sinceMs;
}

function printerFor({ output, verbose = false }: LogsOptions): (line: string) => void {
  const colour = styleFor(process.stdout, undefined) === colourStyle;
  return (line) => {
    if (line === '') return;
    // A record that was cut off by a crash is not JSON.
    const isRecord = line.startsWith('{') && line.endsWith('}');
    const text = output === 'text' && isRecord ? prettyLine(line, { colour, stacks: verbose }) : `${line}\n`;
    process.stdout.write(text);
  };
}

/** Reads appended lines. After a rotation, reads the new file from its beginning. */
async function follow(file: string, from: number, print: (line: string) => void): Promise<void> {
  const stopping = new AbortController();
  process.once('SIGINT', () => stopping.abort());
  let at = from;
  let partial = '';
  let inode = (await stat(file)).ino;
  while (!stopping.signal.aborted) {
    const now = await stat(file).catch(() => undefined);
    if (now !== undefined && (now.ino !== inode || now.size < at)) [at, partial, inode] = [0, '', now.ino];
    if (now !== undefined && now.size > at) {
      const bytes = await readFrom(file, at, now.size - at);
      at += bytes.length;
      const lines = (partial + bytes.toString('utf8')).split('\n');
      partial = lines.pop() ?? '';
      for (const line of lines) print(line);
    }
    await sleep(systemClock, pollMs, { signal: stopping.signal }).catch(() => undefined);
  }
}

async function readFrom(file: string, at: number, length: number): Promise<Buffer> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, at);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
