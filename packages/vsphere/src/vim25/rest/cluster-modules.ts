import { RestError } from '../errors.js';
import type { CallOptions, RestSession } from '../session/index.js';

const root = '/rest/vcenter/cluster/modules';

/** Groups of virtual machines that DRS keeps on different hosts. */
export class ClusterModules {
  readonly #rest: RestSession;
  readonly #options: CallOptions;

  constructor(rest: RestSession, options: CallOptions = {}) {
    this.#rest = rest;
    this.#options = options;
  }

  /** Creates a module in a compute cluster, given by its moid, and returns the identifier of the module. */
  async create(cluster: string): Promise<string> {
    return (await this.#rest.call(
      { method: 'POST', path: root, body: { spec: { cluster } } },
      this.#options,
    )) as string;
  }

  async delete(module: string): Promise<void> {
    await this.#unlessGone({ method: 'DELETE', path: `${root}/${encodeURIComponent(module)}` });
  }

  /** Returns the moids of the members, or undefined if the module does not exist. */
  async members(module: string): Promise<readonly string[] | undefined> {
    const answer = await this.#unlessGone({ method: 'GET', path: this.#membersPath(module) });
    if (answer === 'gone') return undefined;
    return (answer as { readonly vms?: readonly string[] | null } | undefined)?.vms ?? [];
  }

  async add(module: string, machines: readonly string[]): Promise<void> {
    await this.#rest.call(
      { method: 'POST', path: `${this.#membersPath(module)}?action=add`, body: { vms: machines } },
      this.#options,
    );
  }

  async remove(module: string, machines: readonly string[]): Promise<void> {
    const path = `${this.#membersPath(module)}?action=remove`;
    await this.#unlessGone({ method: 'POST', path, body: { vms: machines } });
  }

  /** Returns all modules, with the moid of the cluster of each. */
  async list(): Promise<readonly { readonly module: string; readonly cluster: string }[]> {
    const answer = (await this.#rest.call({ method: 'GET', path: root }, this.#options)) as
      | { readonly summaries?: readonly { readonly module: string; readonly cluster: string }[] | null }
      | undefined;
    return answer?.summaries ?? [];
  }

  #membersPath(module: string): string {
    return `${root}/vm/${encodeURIComponent(module)}/members`;
  }

  async #unlessGone(request: Parameters<RestSession['call']>[0]): Promise<unknown> {
    try {
      return await this.#rest.call(request, this.#options);
    } catch (error) {
      if (error instanceof RestError && error.status === 404) return 'gone';
      throw error;
    }
  }
}
