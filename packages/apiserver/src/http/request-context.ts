import { type Clock, headerText, type HttpRequest } from '@slipway/base';
import type { Frozen, KubeObject } from '@slipway/kube';
import type { AuditTrail } from '../audit/index.js';
import type { Authorizer, Caller, UserInfo } from '../contract/index.js';
import { accessOf, authorizeRequest } from './authorize.js';
import type { parseAhead } from './body.js';
import type { LargeRequest } from './flow-control/large-requests.js';
import type { Assignment } from './flow-control/priority-levels.js';
import type { RequestInfo } from './request-info.js';
import { Warnings } from './warnings.js';

/** The state of one request in the handlers. The registry receives its `Caller`. */
export class RequestContext implements Caller {
  readonly warnings = new Warnings();
  readonly userAgent: string;
  /** The complete body of a write; undefined if it is too large. */
  body: Buffer | undefined;
  /** Parses the body as YAML. Set if it was parsed on another thread. */
  readYaml: Awaited<ReturnType<typeof parseAhead>> | undefined;
  /** The priority level that stored objects assign to the request. */
  assignment: Assignment | undefined;
  /** The steps of a large request. */
  large: LargeRequest | undefined;
  readonly requestDecoded?: (object: Frozen<KubeObject>) => void;
  #controller: AbortController | undefined;
  #cause: Error | undefined;

  constructor(
    readonly request: HttpRequest,
    readonly info: RequestInfo,
    readonly user: UserInfo,
    private readonly clock: Clock,
    private readonly authorizer: Authorizer,
    readonly audit?: AuditTrail,
  ) {
    if (audit !== undefined) this.requestDecoded = (object) => audit.requestObject(object);
    this.userAgent = headerText(request.headers, 'user-agent') ?? '';
  }

  now(): number {
    return this.clock.now();
  }

  warn(text: string): void {
    this.warnings.add(text);
  }

  nextStep(storedBytes?: () => number): Promise<void> | undefined {
    const bytes = Math.max(this.body?.length ?? 0, this.large === undefined ? 0 : (storedBytes?.() ?? 0));
    return this.large?.step(bytes, () => this.signal);
  }

  requireVerb(verb: string): void {
    authorizeRequest(this.authorizer, this.user, { ...accessOf(this.info), verb });
  }

  /** The signal that aborts with the request. Created on first use: most reads are served from memory and do not need it. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#cause !== undefined) this.#controller.abort(this.#cause);
      else this.request.onClose(() => this.abort(new Error('the client closed the connection')));
    }
    return this.#controller.signal;
  }

  abort(cause: Error): void {
    this.#cause ??= cause;
    this.#controller?.abort(cause);
  }
}
