import { decodeProtobuf, decodeWatchFrame } from '@slipway/apiserver';
import { type HttpsAnswer, type HttpsCall, HttpsClient } from '../support/https-client.js';
import type { ServerUnderTest } from '../support/server-under-test.js';
import { Normaliser } from './normalise.js';
import type { RequestStep, Script, Step, UntilStep, WatchStep } from './script.js';
import { isRecord, valueAt } from './values.js';

/** Headers that affect the behaviour of clients. */
const comparedHeaders = [
  'content-type',
  'cache-control',
  'warning',
  'retry-after',
  'vary',
  'location',
  'www-authenticate',
];

const json = { 'content-type': 'application/json' };
const untilPatienceMs = 120_000;
const untilPauseMs = 50;
const eventPatienceMs = 30_000;

/** The normalized response of a step. */
export type Outcome = Readonly<Record<string, unknown>>;

/** Runs the script against one server. Outcomes are in the order of `flatten`. */
export async function runScript(script: Script, server: ServerUnderTest): Promise<Outcome[]> {
  const run = new ScriptRun(server);
  try {
    const outcomes: Outcome[] = [];
    for (const step of script.steps) outcomes.push(...(await run.step(step)));
    return outcomes;
  } finally {
    run.close();
  }
}

/** Returns the names of the steps that have an outcome. */
export function flatten(script: Script): string[] {
  return script.steps.flatMap((step) =>
    'watch' in step ? [...step.during.map((inner) => inner.name), step.name] : [step.name],
  );
}

class ScriptRun {
  readonly #client: HttpsClient;
  readonly #normaliser: Normaliser;
  readonly #saved = new Map<string, unknown>();

  constructor(server: ServerUnderTest) {
    this.#client = new HttpsClient(server);
    this.#normaliser = new Normaliser(server.port);
  }

  close(): void {
    this.#client.close();
  }

  async step(step: Step): Promise<Outcome[]> {
    if ('watch' in step) return this.#watch(step);
    if ('until' in step) return [await this.#until(step)];
    return [await this.#request(step)];
  }

  async #request(step: RequestStep): Promise<Outcome> {
    const body = this.#fill(step.body);
    const call: HttpsCall = {
      method: step.method ?? 'GET',
      path: this.#fillText(step.path),
      ...(step.headers === undefined ? {} : { headers: this.#fill(step.headers) as Record<string, string> }),
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(step.anonymous === true ? { anonymous: true } : {}),
    };
    const answer = await this.#client.call(call).catch((error: unknown) => {
      throw new Error(`no answer to "${step.name}"`, { cause: error });
    });
    const parsed = parse(answer);
    if (step.save !== undefined) this.#saved.set(step.save, parsed);
    if (step.only !== undefined)
      return { status: answer.status, body: this.#normaliser.body(valueAt(parsed, step.only)) };
    return { status: answer.status, headers: this.#headers(answer), body: this.#normaliser.body(parsed) };
  }

  async #watch(step: WatchStep): Promise<Outcome[]> {
    const stream = await this.#client.stream({
      method: 'GET',
      path: this.#fillText(step.watch),
      ...(step.headers === undefined ? {} : { headers: step.headers }),
    });
    const outcomes: Outcome[] = [];
    for (const inner of step.during) outcomes.push(await this.#request(inner));
    const received = (await stream.events(step.events, eventPatienceMs)).slice(0, step.events);
    stream.close();
    const events = received.map((bytes) => this.#normaliser.body(parseEvent(bytes, stream.headers)));
    if (step.unordered === true) events.sort((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1));
    return [...outcomes, { status: stream.status, headers: this.#headers(stream), events }];
  }

  async #until(step: UntilStep): Promise<Outcome> {
    const deadline = Date.now() + untilPatienceMs;
    for (;;) {
      const answer = await this.#client.call({
        method: step.create === undefined ? 'GET' : 'POST',
        path: this.#fillText(step.until),
        ...(step.headers === undefined ? {} : { headers: step.headers }),
        ...(step.create === undefined ? {} : { headers: json, body: JSON.stringify(step.create) }),
        ...(step.anonymous === true ? { anonymous: true } : {}),
      });
      if (meets(step, answer)) return { reached: true };
      if (Date.now() > deadline) return { reached: false, status: answer.status, body: parse(answer) };
      // Poll: the servers have no common event for the end of their controllers' work.
      await new Promise((resolve) => setTimeout(resolve, untilPauseMs));
    }
  }

  #headers(answer: Pick<HttpsAnswer, 'headers'>): Record<string, unknown> {
    const entries = comparedHeaders.map((name) => [name, answer.headers[name]] as const);
    return Object.fromEntries(
      entries
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => [name, this.#normaliser.text(String(value))]),
    );
  }

  #fill(value: unknown): unknown {
    if (typeof value === 'string') {
      const whole = /^<<([^<>]+)>>$/.exec(value);
      return whole?.[1] === undefined ? this.#fillText(value) : this.#lookUp(whole[1]);
    }
    if (Array.isArray(value)) return value.map((item) => this.#fill(item));
    if (isRecord(value))
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.#fill(item)]));
    return value;
  }

  #fillText(text: string): string {
    return text.replace(/<<([^<>]+)>>/g, (_, path: string) => String(this.#lookUp(path)));
  }

  #lookUp(path: string): unknown {
    const [name = '', ...rest] = path.split('.');
    const saved = this.#saved.get(name);
    return rest.length === 0 ? saved : valueAt(saved, rest.join('.'));
  }
}

function meets(step: UntilStep, answer: HttpsAnswer): boolean {
  if (step.status !== undefined && answer.status !== step.status) return false;
  if (step.field === undefined) return true;
  return JSON.stringify(valueAt(parse(answer), step.field)) === JSON.stringify(step.equals);
}

const protobuf = 'application/vnd.kubernetes.protobuf';

/** Parses a response. Protobuf is compared as JSON, because the order of fields on the wire is not part of the API. */
function parse(answer: Pick<HttpsAnswer, 'headers' | 'bytes'>): unknown {
  if (answer.headers['content-type'] === protobuf) return decodeProtobuf(answer.bytes).object;
  return parseText(answer.bytes);
}

function parseEvent(bytes: Buffer, headers: HttpsAnswer['headers']): unknown {
  if (headers['content-type'] !== `${protobuf};stream=watch`) return parseText(bytes);
  const { type, object } = decodeWatchFrame(bytes);
  return { type, object: decodeProtobuf(object).object };
}

function parseText(bytes: Buffer): unknown {
  const text = bytes.toString('utf8');
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
